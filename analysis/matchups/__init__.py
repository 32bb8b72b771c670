"""Matchups: win rates of every pair, ratings, cycles and equilibrium."""
