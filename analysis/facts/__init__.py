"""How games go: their length, what happens in them, and what is associated with winning."""
