"""Permission of a test to use handles, recorded by `gradebox release` and enforced by a judge.

At release, the reference runs with permission, and each judge records whether its test uses handles (see
`handles.py`). When students are graded, no other test may use a handle. An object that answers every request
as expected therefore can't pass where the reference returns plain values.
"""

from __future__ import annotations

from hashlib import sha256


def hash_test_source(source: str) -> str:
    """Return the hash that identifies a test's permission; the hash changes with the test's source."""
    return sha256(source.strip().encode()).hexdigest()[:16]


class HandlePermission:
    """Permission of a running test.

    allowed: None if there is no record, as while a release creates one. used: True if a test without a record
    has used a handle.
    """

    def __init__(self, allowed: bool | None = None):
        self.allowed, self.used = allowed, False

    def request(self) -> bool:
        """Return True if the test may use handles; record the use if there is no record yet."""
        self.used = self.used or self.allowed is None
        return self.allowed is not False
