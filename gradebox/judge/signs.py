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
# How the two ends of the channel are taken up, by their descriptor.
STUDENT_BEGINS = '__import__("gradebox.judge.server", fromlist="_").begin(get_ipython().user_ns, {link})\n'
JUDGE_BEGINS = '__import__("gradebox.judge.link", fromlist="_").begin(get_ipython(), %r, {link})\n'
# What the judge hears besides: which names are the student's from now on, which of a test's own the student's
# functions use, and which the student's process is to have.
RETURN = '__import__("gradebox.judge.link", fromlist="_").give_back(%r)'
WATCH = '__import__("gradebox.judge.link", fromlist="_").watch(%r)'
SHARE = '__import__("gradebox.judge.link", fromlist="_").share(%r)'
SERVE = '__import__("gradebox.judge.server", fromlist="_").serve()'
# Ahead of the traceback of an error that the submission has raised.
SUBMISSIONS = "In the submission:"


def by_both(source: str) -> str:
    """A cell that the judge runs after the student's process has."""
    return f"{source}\n{RUN_BY_BOTH}"


def judge_begins(known: Known) -> str:
    """How the judge takes up its end (see `link.Link`): the same text for the same notebook."""
    return JUDGE_BEGINS % known.words()


def give_back(names: Set[str]) -> str:
    return RETURN % sorted(names)


def watch(names: Set[str]) -> str:
    return WATCH % sorted(names)


def share(names: Set[str]) -> str:
    return SHARE % sorted(names)
