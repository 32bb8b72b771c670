"""The live workbench: change numbers of a card set and see win rates move."""
