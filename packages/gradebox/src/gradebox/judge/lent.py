"""The student's names in a test: lent to it while it runs, and what it does to them done there, too."""

import types
from collections.abc import Iterable, Set
from contextlib import suppress
from typing import Any

from gradebox.code.names import changed_in_place, given_names, mentioned_names
from gradebox.judge.asker import Asker
from gradebox.judge.data import Packer
from gradebox.judge.functions import found_in, stays
from gradebox.judge.names import needed
from gradebox.judge.proxies import is_proxy
from gradebox.judge.signs import RUN_BY_BOTH


def is_data(value: Any) -> bool:
    """Whether a value is nothing but data: objects may have more to them than a student is to see."""

    def never(one: Any, packer: Packer) -> Any:
        if not is_proxy(one):
            raise TypeError
        return None

    try:
        Packer(never).pack(value)
    except (TypeError, ValueError):
        return False
    return True


# What may be the same by chance.
ALIKE = (bool, int, float, complex, str, bytes, tuple, frozenset, type(None), types.ModuleType)


class Lent:
    """Names of the student's, while a cell of the judge's runs.

    names: those that were lent, with what they stood for. watched: names that are the student's; known: what
    they stand for there, as far as was said; seen: what that was, of those that the cell changes in place.
    returned: names that an earlier locked cell gave a value to, and then a solution. by_both: whether the
    student's process has run this cell, too. over: names of Python's own that the test gives a value to, as
    `input`. used: names that only tests give a value to, and that functions of the student's use. passed:
    such names that hidden code gives a value to, which the student's process knows as far as it is passed
    them; told: what they were.
    """

    def __init__(self, link: Asker):
        self.link = link
        self.names: dict[str, Any] = {}
        self.known: dict[str, Any] = {}
        self.seen: dict[str, Any] = {}
        self.watched: list[str] = []
        self.over: frozenset[str] = frozenset()
        self.returned: frozenset[str] = frozenset()
        self.used: frozenset[str] = frozenset()
        self.passed: frozenset[str] = frozenset()
        self.told: dict[str, Any] = {}
        self.by_both = False

    def before(self, source: str) -> None:
        """Lend a cell what it needs. Raises Broken."""
        namespace, answered = self.link.namespace, self.link.notebook.answered
        self.by_both = RUN_BY_BOTH in source
        for name in self.returned:
            namespace.pop(name, None)
        found = self.fetched(source)
        self.names = found
        namespace.update(found)
        if self.by_both:
            return
        here = answered & namespace.keys()
        self.known = {**{name: namespace[name] for name in here}, **found}
        self.seen = {name: self.content(name) for name in changed_in_place(source) & self.known.keys()}
        self.over = given_names(source) & self.link.notebook.built_in - self.known.keys() - answered
        self.watched = sorted(self.known.keys() | answered | self.over | self.used)

    def fetched(self, source: str) -> dict[str, Any]:
        """What is there by the names that code uses and that are not here. Raises Broken."""
        link, namespace, answered = self.link, self.link.namespace, self.link.notebook.answered
        names = needed(source, namespace)
        asked = answered | {name for name, *_ in link.notebook.imports}
        names |= (mentioned_names(source) & asked) - namespace.keys() - given_names(source)
        wanted = sorted(names - (link.notebook.own - self.returned))
        imports = [list(one) for one in link.notebook.imports if one[0] in wanted]
        answer = link.ask("names", wanted, imports) if wanted else [{}, []]
        if not isinstance(answer, list) or len(answer) != 2 or type(answer[0]) is not dict:
            raise link.tampered("the submission's process has sent no names")
        found, same = answer
        if not set(found) <= set(wanted) or type(same) is not list:
            raise link.tampered("the submission's process has sent other names than were asked for")
        for name, module, attribute in imports:
            if name in same:
                # It is a library's there; here it is this process's own.
                found[name] = found_in(module, attribute)
        return found

    def lend(self, source: str) -> None:
        """Lend a text that is run what it needs besides. Raises Broken."""
        answered, own = self.link.notebook.answered, self.link.namespace.keys()
        # No other: the text is the test's, and may be hidden.
        names = sorted((mentioned_names(source) & answered) - own)
        found = self.fetched("\n".join(names)) if names else {}
        self.names |= found
        self.link.namespace.update(found)
        if not self.by_both:
            self.known |= found
            self.watched = sorted({*self.watched, *found})

    def of_students(self) -> Set[str]:
        """The names that are the student's, here or there."""
        return self.names.keys() | self.link.notebook.answered

    def content(self, name: str) -> Any:
        """What a name stands for, to see whether it was changed in place. None if it can't be said."""
        packer = Packer(self.link.pack_beyond)
        with suppress(Exception):
            return packer.pack(self.link.namespace[name]), [bytes(buffer) for buffer in packer.buffers]

    def carry_over(self) -> None:
        """Do to the student's names there what the test has done to them here."""
        link, namespace = self.link, self.link.namespace
        for name in self.watched:
            if name not in namespace:
                if name in self.known:
                    del self.known[name]
                    link.ask("forget", name)
                continue
            value = namespace[name]
            if name in self.over and not stays(value):
                # It is the test's own name for something.
                continue
            changed = name not in self.known or self.known[name] is not value
            if changed or (name in self.seen and self.seen[name] != self.content(name)):
                self.known[name] = value
                if name in self.seen:
                    self.seen[name] = self.content(name)
                # Some values can't leave this process, such as generators.
                with suppress(Exception):
                    link.give(name, value)

    def pass_on(self, arguments: Iterable[Any]) -> None:
        """Let the student's functions find what they are given by the name that it has here, too."""
        if self.passed:
            given = {id(one) for one in arguments if not isinstance(one, ALIKE) and not callable(one)}
            for name in self.passed & self.link.namespace.keys():
                value = self.link.namespace[name]
                if id(value) in given and self.told.get(name) is not value:
                    self.told[name] = value
                    self.link.give(name, value)

    def take_back(self) -> None:
        # The student's names are there, as the test has left them.
        for name in self.names:
            self.link.namespace.pop(name, None)
        self.names, self.known, self.seen, self.watched = {}, {}, {}, []

    def put_away(self) -> None:
        """What a test has put in the place of something of Python's own ends with it."""
        for name in self.over:
            self.link.namespace.pop(name, None)
            if name in self.known:
                self.link.ask("forget", name)
        self.over = frozenset()

    def give(self, names: list[str]) -> None:
        """Give a test's own names to the student's process, whose later cells may use them."""
        for name in names:
            if name in self.link.namespace:
                value = self.link.namespace[name]
                # What has no form there stays here, and its name is unknown there.
                with suppress(Exception):
                    if is_proxy(value) or is_data(value):
                        self.link.give(name, value)
