"""The live workbench: change numbers of a card set and see win rates move."""

NEEDS_PANEL = "workbench: needs Panel; in fairfight's folder, install it with: pip install '.[workbench]'"
