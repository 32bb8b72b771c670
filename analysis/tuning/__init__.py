"""Tuning: the fewest, smallest changes of a card file's numbers that bring win rates to a goal.

`goal` defines what is counted, what may change and what to reach; `trials` plays; `surrogate` predicts win rates; `search`
proposes changes; `confirm` re-tests the proposal; `section` shows it; `cardfile` writes the changed file.
"""
