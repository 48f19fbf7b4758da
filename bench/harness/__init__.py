"""Measures sven and other elastic-net solvers side by side (bench/README.md)."""
