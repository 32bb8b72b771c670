"""Levels of play: how they rank against each other, and how balance depends on them."""
