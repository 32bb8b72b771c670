"""Small budgets: what searches and paired designs play unless a test is about them."""

FEW = {
    "pair_games": 240,
    "sensitivity_games": 400,
    "screen_games": 400,
    "tune_games": 400,
    "skill_games": 24,
    "skill_pairs": 8,
}  # for `Budget(**FEW, games=...)`
