"""Contributions of parts to their teams, the best and worst teams, and optimal drafts."""
