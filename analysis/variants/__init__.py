"""Play the same games with something changed: numbers, rules, decks or banned actions."""
