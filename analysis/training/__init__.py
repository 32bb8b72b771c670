"""`fairfight train`: fit the weights of a game's evaluation to self-play, test them against the previous ones, and write them."""
