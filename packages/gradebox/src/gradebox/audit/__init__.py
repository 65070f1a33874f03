"""Audit of a course's tests: run written answers, mutants, input variants and generic cheats against them."""
