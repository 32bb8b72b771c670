"""Play the same games with something changed: numbers, rules, decks or banned actions.

`variant` has the games, the changes and `compare`, which every study here and `decks.loadouts` use. Studies of commands:
`compare` (what-if), `sensitivity`, `ablation`, `interactions`, shown by `tables`. `parameter_effects`: numbers of outliers.
"""
