"""The judge's side: the tests run here, and what only the student's process has is a proxy.

A proxy can be called, has attributes and items, and can be iterated over; each of these asks the
student's process, and only data comes back (see `protocol.py`). Nothing that the student wrote runs here.
"""

import io
import secrets
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import cloudpickle
import numpy as np

from gradebox.code.names import changed_in_place, given_names, mentioned_names
from gradebox.judge import modules, server, settings
from gradebox.judge.functions import FUNCTIONS, importable, signature
from gradebox.judge.lookups import called_at_once
from gradebox.judge.names import needed, with_modules
from gradebox.judge.protocol import (
    LONGEST_TEXT,
    Channel,
    Closed,
    Malformed,
    Node,
    Packer,
    Unpacker,
    changed_since,
    from_words,
    in_words,
    take_over,
)
from gradebox.judge.signs import BROKEN, RUN_BY_BOTH, SUBMISSIONS, TAMPERED

ALLOWED = {"__name__", "__doc__", "__qualname__"}
# Questions about the student's names, rather than about what they stand for.
ABOUT_NAMES = {"names", "give", "forget"}


class Broken(BaseException):
    """The student's process can't be asked any more. It passes any `except Exception` of a test."""


class Tampered(Broken):
    """The student's process has sent what it never sends by itself."""


class Proxy:
    """An object of the student's process."""

    __slots__ = ("__weakref__", "_of_the_submission")

    def __init__(self, link: "Link", number: int):
        object.__setattr__(self, "_of_the_submission", (link, number))

    def _ask(self, do: str, *what: Any) -> Any:
        return self._of_the_submission[0].ask(do, self, *what)

    def __getattr__(self, name: str) -> Any:
        # Protocols of NumPy, torch, pickle and IPython would take addresses or code from there.
        if name not in ALLOWED and (name.startswith(("__", "_repr_", "_ipython_"))):
            raise AttributeError(name)
        if called_at_once(name, sys._getframe(1)):
            return Method(self, name)
        return self._ask("get", name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._ask("set", name, value)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("call", list(args), kwargs)

    def __getitem__(self, key: Any) -> Any:
        return self._ask("item", key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._ask("put", key, value)

    def __len__(self) -> int:
        return self._ask("length")

    def __bool__(self) -> bool:
        return self._ask("truth") is True

    def __iter__(self) -> Iterator[Any]:
        iterator = self._ask("iterate")
        while True:
            found = iterator._ask("next") if type(iterator) is Proxy else None
            if type(found) is not list:
                raise TypeError("this can't be iterated over")
            if not found:
                return
            yield found[0]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        data = self._ask("data")
        if type(data) is Proxy:
            raise TypeError("this can't be made an array")
        return np.array(data, dtype)

    def __repr__(self) -> str:
        return str(self._ask("text"))[:LONGEST_TEXT]

    def __reduce__(self) -> tuple:
        return server.own, (self._of_the_submission[1],)


class Method:
    """What a test looks up only to call it, which is one question if it asks for nothing else in between.

    If it does, as in `one.method(other.method())`, it is looked up ahead of that.
    """

    def __init__(self, of: Proxy, name: str):
        self.of, self.name = of, name
        self.link: Link = of._of_the_submission[0]
        self.link.methods[self] = None
        self.found: Any = None
        self.error: Exception | None = None
        self.looked_up = False

    def look_up(self) -> None:
        self.looked_up = True
        try:
            self.found = self.of._ask("get", self.name)
        except Exception as error:
            # It is the caller's, and not of whoever asks for something else.
            self.error = error

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.error:
            raise self.error
        if self.looked_up:
            return self.found(*args, **kwargs)
        self.link.methods.pop(self, None)
        return self.of._ask("method", self.name, list(args), kwargs)


class Link:
    """The judge's end of the channel.

    broken: why nothing can be asked any more. namespace: the names that tests know. own: those that only
    the instructor's cells may give a value to; a submission has no say in what they are. answered: names
    that students are asked to give a value to. watched: names that are the student's while a cell runs;
    known: what they stand for there, as far as was said; seen: what that was, of those that the cell changes
    in place. began: what was set when this cell began (see `settings.py`). given: whether the student's
    process has run this cell, too. methods: what is about to be called.
    """

    def __init__(self, link: socket.socket, namespace: dict[str, Any], own: set[str], answered: set[str]):
        self.channel, self.namespace, self.own = Channel(link), namespace, own
        self.answered = answered
        self.proxies: dict[int, Proxy] = {}
        self.functions: dict[int, Callable] = {}
        self.methods: dict[Method, None] = {}
        self.broken: Broken | None = None
        self.asked = self.tests = 0
        self.lent: dict[str, Any] = {}
        self.known: dict[str, Any] = {}
        self.seen: dict[str, Any] = {}
        self.watched: list[str] = []
        self.began, self.given = settings.current(), False

    def ask(self, do: str, *what: Any) -> Any:
        """Have the student's process do something.

        Raises what the student's code raises, as the built-in class that it is one of, or Broken.
        """
        if self.broken:
            raise self.broken
        self.look_up()
        if do not in ABOUT_NAMES:
            self.carry_over()
        packer = Packer(self.pack_beyond)
        node = packer.pack(list(what))
        self.asked += 1
        number = self.asked
        try:
            question = {"id": number, "do": do, "with": node, "set": settings.changed(self.began)}
            self.channel.send(question, packer.buffers)
            header, buffers = self.reply(number)
            take_over(header["changed"], buffers, packer.arrays)
            for module, found in packer.modules:
                modules.put_modes(module, found)
            if "value" in header:
                return Unpacker(buffers, self.unpack_beyond).unpack(header["value"])
            error = self.error(header["error"], header["trace"], header["where"])
        except Closed:
            self.broken = Broken("the submission's process has ended")
            raise self.broken from None
        except (Malformed, LookupError, TypeError, ValueError, AttributeError) as problem:
            # Words of ours only: those of other errors may repeat what was sent.
            clause = (
                str(problem) if type(problem) is Malformed else "a part of it is missing, or of another kind"
            )
            self.broken = Tampered(f"the submission's process has sent what can't be read: {clause}")
            raise self.broken from None
        except BaseException:
            # Interrupted, perhaps in the middle of a frame.
            self.broken = self.broken or Broken("a question to the submission's process was interrupted")
            raise
        raise error

    def look_up(self) -> None:
        """Look up what the code that runs is about to call, ahead of what happens now."""
        waiting, self.methods = self.methods, {}
        for method in waiting:
            method.look_up()

    def reply(self, number: int) -> tuple[dict[str, Node], list[bytearray]]:
        """The answer to this question; meanwhile functions that the test has passed may be called."""
        while True:
            header, buffers = self.channel.receive()
            if "call" in header:
                self.call(header, buffers)
            elif header["to"] != number or type(header["to"]) is not int:
                raise Malformed("an answer that nobody has asked for")
            else:
                return header, buffers

    def call(self, header: dict[str, Node], buffers: list[bytearray]) -> None:
        """Call a function that a test has passed, with data of the student's."""
        number, set_there = header["call"], header["set"]
        if type(number) is not int or number not in self.functions:
            raise Malformed("a call of a function that was not passed")
        unpacker = Unpacker(buffers, self.unpack_beyond)
        args, kwargs = unpacker.unpack(header["with"])
        if type(args) not in (list, tuple) or type(kwargs) is not dict:
            raise Malformed("a call without arguments")
        before = {at: bytes(buffers[at]) for at in unpacker.arrays}
        packer = Packer(self.pack_beyond)
        try:
            with settings.taken_over(set_there):
                value = self.functions[number](*args, **kwargs)
            said = {"value": packer.pack(value)}
        except Malformed:
            raise
        except Exception as error:
            packer, said = Packer(self.pack_beyond), {"error": in_words(error)}
        said["changed"] = changed_since(before, buffers, packer)
        self.channel.send(said, packer.buffers)

    def error(self, said: dict[str, Node], *notes: Node) -> BaseException:
        """The student's error, or Broken for one that no test can expect."""
        error = from_words(said)
        if not isinstance(error, Exception):
            # Its name is the submission's, and could be anything.
            return Broken("the submission raised what no test expects, such as SystemExit")
        if type(error).__name__ in (BROKEN, TAMPERED):
            return Broken("the submission raised an error of the judge's")
        trace, where = (note[:LONGEST_TEXT] if type(note) is str else "" for note in notes)
        error.add_note(f"{SUBMISSIONS}\n{trace}")
        # A lesson's `check` puts it into words.
        vars(error)["raised_in"] = where
        return error

    def pack_beyond(self, value: Any, packer: Packer) -> Node:
        if type(value) is Proxy and value._of_the_submission[0] is self:
            return {"is": "object", "number": value._of_the_submission[1]}
        if isinstance(value, FUNCTIONS) and not importable(value):
            # It stays here: what a test passes is part of the test.
            # A number that tells nothing: not which of a test's functions it is.
            number = secrets.randbits(62)
            self.functions[number] = value
            return {"is": "function", "number": number, "signature": signature(value)}
        file = io.BytesIO()
        cloudpickle.Pickler(file).dump(value)
        node: dict[str, Node] = {"is": "pickle", "at": packer.buffer(file.getvalue())}
        if not modules.is_module(value):
            return node
        packer.modules.append((value, found := modules.modes(value)))
        numbers = [packer.pack(tensor.data) for tensor in modules.tensors(value)]
        return {**node, "is": "module", "modes": packer.pack(found), "numbers": numbers}

    def unpack_beyond(self, node: Node, unpacker: Unpacker) -> Proxy:
        number, kind = node["number"], node["type"]
        if node["is"] != "object" or type(number) is not int or number < 0 or type(kind) is not str:
            raise Malformed("a part of it is of no known kind")
        if number not in self.proxies:
            self.proxies[number] = Proxy(self, number)
        return self.proxies[number]

    def close(self) -> None:
        """Let the student's process go."""
        self.channel.link.close()

    def before(self, source: str) -> None:
        """Ahead of a cell: lend it the names that it needs and that only the student's side has."""
        self.tests += 1
        self.began, self.given = settings.current(), RUN_BY_BOTH in source
        if self.channel.waiting() and not self.broken:
            self.broken = Tampered("the submission's process has sent what nobody has asked for")
        names = needed(source, self.namespace)
        names |= (mentioned_names(source) & self.answered) - self.namespace.keys() - given_names(source)
        wanted = sorted(names - self.own)
        try:
            found = self.ask("names", wanted) if wanted else {}
        except Broken:
            return
        if type(found) is not dict or not set(found) <= set(wanted):
            self.broken = Tampered("the submission's process has sent other names than were asked for")
            return
        self.lent = found
        self.namespace.update(found)
        if self.given:
            return
        here = self.answered & self.namespace.keys()
        self.known = {**{name: self.namespace[name] for name in here}, **found}
        self.seen = {name: self.content(name) for name in changed_in_place(source) & self.known.keys()}
        self.watched = sorted(self.known.keys() | self.answered)

    def content(self, name: str) -> Any:
        """What a name stands for, to see whether it was changed in place. None if it can't be said."""
        packer = Packer(self.pack_beyond)
        with suppress(Exception):
            return packer.pack(self.namespace[name]), [bytes(buffer) for buffer in packer.buffers]

    def carry_over(self) -> None:
        """Do to the student's names there what the test has done to them here."""
        for name in self.watched:
            if name not in self.namespace:
                if name in self.known:
                    del self.known[name]
                    self.ask("forget", name)
                continue
            value = self.namespace[name]
            changed = name not in self.known or self.known[name] is not value
            if changed or (name in self.seen and self.seen[name] != self.content(name)):
                self.known[name] = value
                if name in self.seen:
                    self.seen[name] = self.content(name)
                # Some values can't leave this process, such as generators.
                with suppress(Exception):
                    self.ask("give", name, value)

    def take_back(self) -> None:
        # The student's names are there, as the test has left them.
        for name in self.lent:
            self.namespace.pop(name, None)
        self.lent, self.known, self.seen, self.watched = {}, {}, {}, []

    def after(self) -> None:
        """Behind a cell: the student's process need not wait for more."""
        with suppress(Broken):
            if not self.broken:
                self.look_up()
                self.carry_over()
        self.take_back()
        if not self.given:
            # What a test sets ends with it, here as there.
            self.began.put()
        if self.broken:
            return
        try:
            self.channel.send({"done": self.tests}, [])
        except Closed:
            self.broken = self.broken or Broken("the submission's process has ended")


def begin(shell: Any, own: set[str], answered: set[str], descriptor: int) -> Link:
    """Take up the channel in an IPython shell, and stand by each of its cells."""
    end = socket.socket(fileno=descriptor)
    link = Link(end, shell.user_ns, with_modules(own), answered)

    def before(info: Any) -> None:
        link.before(shell.transform_cell(info.raw_cell))

    def after(result: Any) -> None:
        link.after()
        if link.broken and result.error_before_exec is None and not isinstance(result.error_in_exec, Broken):
            # Whatever the test made of it, nobody has answered.
            result.error_in_exec = link.broken

    shell.events.register("pre_run_cell", before)
    shell.events.register("post_run_cell", after)
    return link
