"""Results: who began a match, how it ended for them, and whether people finish what they begin."""
