"""What the two processes are told to execute, and by which names whoever runs them knows what happened."""

from collections.abc import Set

from gradebox.judge.known import Known

# In a cell that the student's process has run, too: what it does to names was done there.
RUN_BY_BOTH = "# Both processes run this cell."
# The names of the errors that end a test: the student's process can't be asked any more, or has sent what it
# never sends by itself.
BROKEN, TAMPERED = "Broken", "Tampered"
# And of the one that ends a test which the judge can't do.
UNABLE = "Unable"
# Questions whose last two parts are the arguments of a call.
CALLS = {"call", "method"}
# How the two ends of the channel are taken up, by their descriptor.
STUDENT_BEGINS = (
    '__import__("gradebox.judge.server", fromlist="_").begin(get_ipython().user_ns, {link}, %r)\n'
)
JUDGE_BEGINS = '__import__("gradebox.judge.link", fromlist="_").begin(get_ipython(), %r, {link})\n'
# What the judge hears besides, of names: see `give_back`, `watch` and `share` there.
JUDGE_DOES = '__import__("gradebox.judge.link", fromlist="_").%s(%r)'
SERVE = '__import__("gradebox.judge.server", fromlist="_").serve()'
# Ahead of the traceback of an error that the submission has raised.
SUBMISSIONS = "In the submission:"


def is_submissions(error: BaseException) -> bool:
    """Whether an error was raised by the submission, rather than by the test."""
    return SUBMISSIONS in "".join(getattr(error, "__notes__", ()))


def by_both(source: str) -> str:
    """A cell that the judge runs after the student's process has."""
    return f"{source}\n{RUN_BY_BOTH}"


def student_begins(known: Known) -> str:
    """How a student's process takes up its end (see `server.begin`)."""
    return STUDENT_BEGINS % sorted(known.values)


def judge_begins(known: Known) -> str:
    """How the judge takes up its end (see `link.Link`): the same text for the same notebook."""
    return JUDGE_BEGINS % known.words()


def judge_does(what: str, names: Set[str]) -> str:
    """How the judge is told something of names."""
    return JUDGE_DOES % (what, sorted(names))
