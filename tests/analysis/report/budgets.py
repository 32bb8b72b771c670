"""Small budgets for searches and paired designs, for tests that are not about them."""

FEW = {"pair_games": 240, "skill_games": 24, "skill_pairs": 8}  # for `Budget(**FEW, games=...)`
