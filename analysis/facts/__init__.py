"""How games go: their length, what happens in them, and what goes with winning."""
