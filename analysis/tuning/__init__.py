"""Tuning: the fewest, smallest changes of a card file's numbers that bring win rates to a goal.

`goal` defines what is counted, what may change and what to reach; `surrogate` plays trials and predicts win rates; `search`
proposes changes; `confirm` re-tests the proposal. `steps` finds single steps of an entrant, whose `numbers` it knows. The
question is `analysis.questions.tune`.
"""
