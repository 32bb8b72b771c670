"""Exact odds of dice and duels, compared with simulations."""
