"""The engine: dice, the contract of a game, policies and the game loop. Independent of any particular game."""
