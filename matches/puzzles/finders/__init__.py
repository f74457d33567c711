"""What finds and proves puzzles, a module for each question. None of it runs in the bot."""
