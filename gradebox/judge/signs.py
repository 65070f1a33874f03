"""What the two processes are told to execute, and by which names whoever runs them knows what happened."""

from collections.abc import Set

# In a cell that the student's process has run, too: what it does to names was done there.
RUN_BY_BOTH = "# Both processes run this cell."
# The names of the errors that end a test: the student's process can't be asked any more, or has sent what it
# never sends by itself.
BROKEN, TAMPERED = "Broken", "Tampered"
# How the two ends of the channel are taken up, by their descriptor.
STUDENT_BEGINS = '__import__("gradebox.judge.server", fromlist="_").begin(get_ipython().user_ns, {link})\n'
JUDGE_BEGINS = (
    '__import__("gradebox.judge.proxies", fromlist="_").begin(get_ipython(), set(%r), set(%r), {link})\n'
)
SERVE = '__import__("gradebox.judge.server", fromlist="_").serve()'
# Ahead of the traceback of an error that the submission has raised.
SUBMISSIONS = "In the submission:"


def by_both(source: str) -> str:
    """A cell that the judge runs after the student's process has."""
    return f"{source}\n{RUN_BY_BOTH}"


def judge_begins(own: Set[str], answered: Set[str]) -> str:
    """How the judge takes up its end (see `proxies.Link`): the same text for the same names."""
    return JUDGE_BEGINS % (sorted(own), sorted(answered))
