"""The student's names in a test: fetched before the test runs, with the test's changes sent back."""

import contextlib
from typing import Any

from gradebox.judge.code_run_in_kernels import RUN_BY_BOTH_COMMENT
from gradebox.judge.handles import NotJudgeable
from gradebox.static_analysis.cell_names import names_assigned_before_use
from gradebox.static_analysis.free_names import find_missing_names

# Requests about names. Changes of names are not sent before these requests.
NAMESPACE_REQUESTS = {"names", "give", "forget"}
ABSENT = object()


class CellNamespace:
    """Names that a cell shares with the student's process.

    fetched: values of names taken from the student's process. known: values that the student's process has
    for names that the cell may change. watched: names whose changes are sent. returned: names that a locked
    cell defined and a later solution has redefined. by_both: True if the student's process has also run the
    cell.
    """

    def __init__(self, client: Any):
        self.client = client
        self.fetched: dict[str, Any] = {}
        self.known: dict[str, Any] = {}
        self.watched: list[str] = []
        self.returned: frozenset[str] = frozenset()
        self.by_both = False

    def before(self, source: str) -> None:
        client, namespace = self.client, self.client.namespace
        self.by_both = RUN_BY_BOTH_COMMENT in source
        for name in self.returned:
            namespace.pop(name, None)
        wanted = sorted(
            find_missing_names(source, namespace, client.facts.answered) - (client.facts.own - self.returned)
        )
        found = client.send_request("names", wanted) if wanted else [{}]
        if type(found) is not list or len(found) != 1 or type(found[0]) is not dict:
            raise client.end_with_tampered("an invalid list of names")
        if not found[0].keys() <= set(wanted):
            raise client.end_with_tampered("names that were not requested")
        self.fetched = found[0]
        namespace.update(self.fetched)
        if self.by_both:
            return
        # A test may define names that solutions define.
        given = names_assigned_before_use(source)
        self.watched = sorted(self.fetched.keys() | (given & client.facts.answered))
        self.known = {name: namespace[name] for name in self.watched if name in namespace}

    def send_name_changes(self) -> None:
        """Send the test's changes of names to the student's process."""
        namespace = self.client.namespace
        for name in self.watched:
            value = namespace.get(name, ABSENT)
            if value is self.known.get(name, ABSENT):
                continue
            if value is ABSENT:
                del self.known[name]
                self.client.send_request("forget", name)
            else:
                self.known[name] = value
                self.client.send_request("give", name, value)

    def after(self) -> None:
        self.send_name_changes()
        for name in self.fetched:
            self.client.namespace.pop(name, None)
        self.fetched, self.known, self.watched = {}, {}, []

    def share(self, names: list[str]) -> None:
        for name in names:
            with contextlib.suppress(Exception, NotJudgeable):
                self.client.send_request("give", name, self.client.namespace[name])
