"""Games as tables: rows, tallies, pairs of games, the study that a report is made from."""
