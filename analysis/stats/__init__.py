"""Estimators and tests on arrays: intervals, clustered sums, paired differences, sequential tests, rank agreement."""
