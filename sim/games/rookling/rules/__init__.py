"""The rules of Rookling Heroes as kernels."""
