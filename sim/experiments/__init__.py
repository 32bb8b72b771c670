"""Experiments: which line-ups are played, with which policies, and how often."""
