"""Are the tests any good? Tries every written answer, and every right one changed in one place."""
