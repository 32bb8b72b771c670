"""One game again: move by move, evaluated, and which games are worth watching."""
