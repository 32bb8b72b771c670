"""The rules of Card Rogue by chapters of the rulebook: basics, tiles, combat, the turn, items."""
