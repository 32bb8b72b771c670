"""Duels without a map: played with dice (`rolls`), followed through every outcome (`chain`), as the engine asks (`duels`)."""
