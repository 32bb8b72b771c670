"""Play the same games with something changed: numbers, rules, decks or banned actions.

`variant` has the games, the changes and `compare`, which every study here and `decks.loadouts` use; the commands' studies are
`compare` (what-if), `sensitivity`, `ablation` and `interactions`, shown by `tables`; report sections: `rules`, `parameter_effects`.
"""
