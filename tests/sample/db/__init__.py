"""What is kept of the feature sample."""
