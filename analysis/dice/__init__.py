"""Exact odds of dice and duels, beside a simulation."""
