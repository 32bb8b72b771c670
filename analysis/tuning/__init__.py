"""The fewest, smallest changes of a card file's numbers that bring win rates where they are wanted.

`cells` says what is counted, `fields` what may be changed, `trials` plays, `surrogate` learns (its `terms` apart), `search`
proposes, `tune` goes round these, `confirm` re-tests, `tuned` gathers what there is to know, `result` shows it, `cardfile` writes
the changed file.
"""
