"""Looking, which changes nothing: a match step by step, a whole match as an animation, and the pages of the rules."""
