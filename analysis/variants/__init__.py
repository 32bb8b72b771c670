"""The same games with something changed: numbers, rules, decks, what may be used."""
