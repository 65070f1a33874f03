"""Kernels that are ready at once: forked from a process that has imported everything."""
