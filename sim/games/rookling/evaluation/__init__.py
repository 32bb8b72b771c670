"""The evaluation function of Rookling Heroes: the estimated winning chance of a position."""
