"""Looking, which changes nothing: hand, board, log, a match step by step or as an animation, and the rules."""
