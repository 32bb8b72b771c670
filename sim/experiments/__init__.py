"""Experiments: which line-ups are played, by whom, and how often."""
