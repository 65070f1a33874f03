"""Code that the two kernels execute, and the error names by which the driver knows how a test ended."""

from collections.abc import Set

from gradebox.judge.notebook_facts import Facts

# A comment in a cell that the student's process has run, too: its changes to names were made there.
RUN_BY_BOTH = "# Both processes run this cell."
# Names of the errors that end a test: the student's process does not answer; it sent what it never sends by
# itself; it returned an object where the reference returns a value; the judge can't run the test.
BROKEN, TAMPERED, NO_VALUE, UNABLE = "Broken", "Tampered", "NotAValue", "NotJudgeable"
# Begins the line in which a test prints what it has needed, while a release records it.
NEEDED = "gradebox needs: "
# Begin each end of the channel, given the descriptor of its socket.
STUDENT_BEGINS = (
    '__import__("gradebox.judge.judge_server", fromlist="_").begin(get_ipython().user_ns, {link})\n'
)
JUDGE_BEGINS = '__import__("gradebox.judge.judge_client", fromlist="_").begin(get_ipython(), %r, {link})\n'
# Call a function of the judge about names (see `test_namespace.py`).
JUDGE_DOES = '__import__("gradebox.judge.judge_client", fromlist="_").%s(%r)'
SERVE = '__import__("gradebox.judge.judge_server", fromlist="_").serve()'
# The first line of a note on errors that the submission has raised.
SUBMISSIONS = "In the submission:"


def is_submissions(error: BaseException) -> bool:
    """Return True if an error was raised by the submission rather than by the test."""
    return SUBMISSIONS in "".join(getattr(error, "__notes__", ()))


def by_both(source: str) -> str:
    """Return a cell as the judge runs it after the student's process has."""
    return f"{source}\n{RUN_BY_BOTH}"


def judge_begins(facts: Facts) -> str:
    """Return the code with which a judge begins; equal for equal notebooks."""
    return JUDGE_BEGINS % facts.as_json()


def judge_does(function: str, names: Set[str]) -> str:
    """Return the code that calls a function of the judge with these names."""
    return JUDGE_DOES % (function, sorted(names))
