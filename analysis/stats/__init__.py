"""Estimators and tests: intervals, clustered sums, paired differences, sequences, orders. They know no game and read arrays."""
