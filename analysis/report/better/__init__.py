"""The page "better players" of every game: how far skill goes, and which conclusions hold at every level of play."""
