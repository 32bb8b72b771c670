"""Floor 1 of the simulator: dice, the contract of a game, policies and the table. Knows no game."""
