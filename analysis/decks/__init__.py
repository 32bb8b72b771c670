"""What cards, keywords, stances and abilities do for decks."""
