"""Answers on trial: each runs in the place of its exercise, in a fork of a process that is there already."""
