"""The simulator of fairfight: games as fixed-size records, played by compiled kernels."""
