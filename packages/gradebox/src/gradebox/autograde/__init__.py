"""Grading of submissions: find, repair, run, score, save."""
