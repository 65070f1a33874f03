"""Kernels that start quickly: they are forked from a process that has imported the libraries."""
