"""Looking, which changes nothing: hand, board, log, a match step by step or animated, rules."""
