"""What the parts of the judge's end of the channel know of it (see `link.py`)."""

from collections.abc import Callable
from typing import Any, Protocol

from gradebox.judge.data import Packer, Unpacker
from gradebox.judge.kinds import Class, Line
from gradebox.judge.known import Known
from gradebox.judge.protocol import Node


class Asker(Protocol):
    """Asks the student's process. Its attributes and methods are those of `Link`."""

    namespace: dict[str, Any]
    notebook: Known
    broken: Any
    proxies: dict[int, Any]
    methods: dict[Any, None]
    below: dict[Class, type]

    def ask(self, do: str, *what: Any) -> Any: ...

    def give(self, name: str, value: Any) -> None: ...

    def known(self, one: Class) -> type | None: ...

    def class_of(self, line: Line) -> type | None: ...

    def found(self, one: Class) -> type | None: ...

    def is_courses(self, kind: type) -> bool: ...

    def travels(self, line: Line) -> bool: ...

    def pack_beyond(self, value: Any, packer: Packer) -> Node: ...

    def unpack_beyond(self, node: Node, unpacker: Unpacker | None) -> Any: ...

    def function(self, value: Callable) -> Node: ...

    def tampered(self, what: str) -> BaseException: ...

    def note_unable(self, what: str) -> BaseException: ...
