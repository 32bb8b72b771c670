"""Small budgets for searches and paired designs, for tests that are not about them."""

FEW = {
    "pair_games": 240,
    "sensitivity_games": 400,
    "tune_games": 400,
    "skill_games": 24,
    "skill_pairs": 8,
}  # for `Budget(**FEW, games=...)`
