"""Needs: operations that the reference's tests use, recorded by `gradebox release` and enforced by a judge.

At release, the reference runs with everything allowed, and each judge records the operations that its test
uses. When students are graded, a test may use only these operations on a submission's objects. An object that
answers every comparison with True therefore can't pass where the reference returns plain values.

A need is one of the words below, or an operator or comparison method of a class: "Vector.__add__", with
":data" if the other operand is a plain value.
"""

from __future__ import annotations

from hashlib import sha256

# Need of a test whose results are not plain values.
HANDLES = "handles"
Needs = frozenset[str]


def hash_test_source(source: str) -> str:
    """Return the hash that identifies a test's needs; the hash changes with the test's source."""
    return sha256(source.strip().encode()).hexdigest()[:16]


class NeedsRecorder:
    """Recorder and limit of the operations that a running test uses.

    needs: the allowed needs; None while a release records. used: the recorded needs.
    """

    def __init__(self, needs: Needs | None = None):
        self.needs, self.used = needs, set[str]()

    def allows(self, need: str) -> bool:
        """Return True if the test has this need; record the need and return True during a release."""
        if self.needs is None:
            self.used.add(need)
            return True
        return need in self.needs
