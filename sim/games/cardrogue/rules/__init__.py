"""The rules of Card Rogue by chapters of the register: basics, tiles, combat, the turn, items."""
