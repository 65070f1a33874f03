"""Names by which the judge's process and whoever started it know what happened."""

# In a cell that the student's process has run, too: what it does to names was done there.
RUN_BY_BOTH = "# Both processes run this cell."
# The names of the errors that end a test: the student's process can't be asked any more, or has sent what it
# never sends by itself.
BROKEN, TAMPERED = "Broken", "Tampered"
# Ahead of the traceback of an error that the submission has raised.
SUBMISSIONS = "In the submission:"
