"""From a hand-in to a grade: find, repair, run, score, save."""
