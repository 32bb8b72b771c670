"""`fairfight train`: weights of a game's judgement, fitted to self-play, held against those before, and written."""
