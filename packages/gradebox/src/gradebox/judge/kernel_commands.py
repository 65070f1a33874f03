"""Code that the two kernels execute, and the error names by which the driver knows how a test ended."""

from collections.abc import Set

from gradebox.judge.notebook_facts import NotebookFacts

# A comment in a cell that the student's process has run, too: its changes to names were made there.
RUN_BY_BOTH_COMMENT = "# Both processes run this cell."
# Names of the errors that end a test: the student's process does not answer; it sent what it never sends by
# itself; it returned an object where the reference returns a value; the judge can't run the test.
BROKEN, TAMPERED, NOT_A_VALUE, NOT_JUDGEABLE = "Broken", "Tampered", "NotAValue", "NotJudgeable"
# Begins the line in which a test prints what it has needed, while a release records it.
NEEDS_PREFIX = "gradebox needs: "
# Begin each end of the channel, given the descriptor of its socket.
START_SERVER_CODE = (
    '__import__("gradebox.judge.judge_server", fromlist="_").begin(get_ipython().user_ns, {link})\n'
)
START_CLIENT_CODE = (
    '__import__("gradebox.judge.judge_client", fromlist="_").begin(get_ipython(), %r, {link})\n'
)
# Call a function of the judge about names (see `test_namespace.py`).
CALL_CLIENT_CODE = '__import__("gradebox.judge.judge_client", fromlist="_").%s(%r)'
SERVE_CODE = '__import__("gradebox.judge.judge_server", fromlist="_").serve()'
# The first line of a note on errors that the submission has raised.
SUBMISSION_ERROR_NOTE = "In the submission:"


def is_submission_error(error: BaseException) -> bool:
    """Return True if an error was raised by the submission rather than by the test."""
    return SUBMISSION_ERROR_NOTE in "".join(getattr(error, "__notes__", ()))


def mark_run_by_both(source: str) -> str:
    """Return a cell as the judge runs it after the student's process has."""
    return f"{source}\n{RUN_BY_BOTH_COMMENT}"


def build_client_start(facts: NotebookFacts) -> str:
    """Return the code with which a judge begins; equal for equal notebooks."""
    return START_CLIENT_CODE % facts.as_json()


def build_client_call(function: str, names: Set[str]) -> str:
    """Return the code that calls a function of the judge with these names."""
    return CALL_CLIENT_CODE % (function, sorted(names))
