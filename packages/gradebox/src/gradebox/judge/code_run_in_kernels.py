"""Code snippets that the driver executes in the two kernels, and names of the errors that end a test."""

from collections.abc import Set

from gradebox.judge.instructor_notebook_facts import NotebookFacts

# Marks a cell that the student's process has also run, so that its changes to names are not sent.
RUN_BY_BOTH_COMMENT = "# Both processes run this cell."
# Class names of the errors that end a test. Broken: the student's process does not answer. Tampered: the
# student's process sent a message that the unmodified server never sends. NotAValue: the submission returned
# an object where the reference returns a value. NotJudgeable: the judge can't run the test.
BROKEN, TAMPERED, NOT_A_VALUE, NOT_JUDGEABLE = "Broken", "Tampered", "NotAValue", "NotJudgeable"
# Prefix of the line in which a test prints whether it uses handles, while a release records this.
USES_HANDLES_PREFIX = "gradebox uses handles: "
# Open each end of the channel. link: the file descriptor of its socket.
START_SERVER_CODE = (
    '__import__("gradebox.judge.submission_server", fromlist="_")'
    ".start_server(get_ipython().user_ns, {link})\n"
)
START_CLIENT_CODE = (
    '__import__("gradebox.judge.rpc_client", fromlist="_").start_judge(get_ipython(), %r, {link})\n'
)
# Gives the messages of tests the text of the submission, as (grade_id, source) of each cell: see
# `check_engine/submitted_texts.py`. The student's process has no such variable.
SUBMITTED_CELLS = "submitted_cells"
SUBMITTED_CELLS_CODE = SUBMITTED_CELLS + " = {}\n"
# Calls a function of the judge with a list of names (see `test_namespace.py`).
CALL_CLIENT_CODE = '__import__("gradebox.judge.rpc_client", fromlist="_").%s(%r)'
SERVE_CODE = '__import__("gradebox.judge.submission_server", fromlist="_").serve()'
# First line of the note that is added to errors of the submission.
SUBMISSION_ERROR_NOTE = "In the submission:"


def is_submission_error(error: BaseException) -> bool:
    """Return True if an error was raised by the submission rather than by the test."""
    return SUBMISSION_ERROR_NOTE in "".join(getattr(error, "__notes__", ()))


def mark_run_by_both(source: str) -> str:
    """Return a cell for the judge that the student's process has already run."""
    return f"{source}\n{RUN_BY_BOTH_COMMENT}"


def build_client_start(facts: NotebookFacts) -> str:
    """Return the code that starts a judge; equal notebooks give equal code."""
    return START_CLIENT_CODE % facts.as_json()


def build_client_call(function: str, names: Set[str]) -> str:
    """Return the code that calls a function of the judge with these names."""
    return CALL_CLIENT_CODE % (function, sorted(names))
