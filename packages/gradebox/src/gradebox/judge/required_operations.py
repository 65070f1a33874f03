"""What the reference solution needs of the judge in a test: `gradebox release` records it, a judge enforces
it.

At release the reference runs with everything allowed, and each judge notes what its test uses. When students
are graded, a test may do no more than that with a submission's objects: an object that answers every
comparison with True can't pass where the reference returns plain values.

A need is one of the words below, or an operator or comparing method of a class: "Vector.__add__", with
":data" where the other operand is a plain value.
"""

from hashlib import sha256

# Results that are not plain values; lists, dicts or sets that the solution changes although they are the
# test's; containers behind a student's object that the test changes.
HANDLES, CONTAINERS, TRACKING = "handles", "containers", "tracking"
Needs = frozenset[str]


def hash_test_source(source: str) -> str:
    """Return the hash by which a test's needs are found: it changes with the test's text."""
    return sha256(source.strip().encode()).hexdigest()[:16]


class NeedsRecorder:
    """What a running test uses. needs: the limit; None while a release records. used: what was noted."""

    def __init__(self, needs: Needs | None = None):
        self.needs, self.used = needs, set[str]()

    def allows(self, need: str) -> bool:
        """Return False if the reference does not use this; while a release records, note it."""
        if self.needs is None:
            self.used.add(need)
            return True
        return need in self.needs
