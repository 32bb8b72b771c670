"""Floor 2 of the simulator: one folder per game, each with the same rooms. Games do not know each other."""
