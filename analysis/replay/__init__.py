"""Replays of single games: move by move, evaluated, and the choice of games worth watching."""
