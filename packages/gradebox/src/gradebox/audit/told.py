"""How much a failed test tells a student: what to do, where to look, or that something is wrong."""

from collections.abc import Set

from gradebox.messages.located import NOWHERE
from gradebox.trial.plan import Attempt

# What to do, in words of the author's, who has foreseen the mistake; the place, in the result or in the code;
# numbers or an error alone; nothing, before the notebook is handed in.
NAMED, LOCATED, RAW, UNSEEN = "named", "located", "raw", "unseen"


def last_line(message: str) -> str:
    """Where a message says what to do."""
    return (message.splitlines() or [""])[-1]


def tells(attempt: Attempt, visible: bool, advice: Set[str], says: str) -> str:
    """How much the message of a failed test tells.

    advice: what the notebook's messages say of known mistakes. says: words of an assert of the author's own.
    """
    last = last_line(attempt.message)
    if not visible:
        return UNSEEN
    if last in advice or (says and says in attempt.message):
        return NAMED
    return RAW if attempt.error != "AssertionError" or last.startswith(NOWHERE) else LOCATED
