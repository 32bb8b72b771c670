"""Cards, keywords and loadouts of decks: win rates, worth and prices."""
