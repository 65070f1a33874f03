"""What the forms of values have of what packs and unpacks them (see `data.py`): each form needs only this."""

from collections.abc import Callable, Iterable, Set
from typing import Any, Protocol

from gradebox.judge.protocol import Node


class Packs(Protocol):
    """Its methods are those of `Packer`."""

    beyond: Callable[[Any, Any], Node]
    libraries: Set[str]

    def plain(self, value: Any, depth: int) -> Node: ...

    def each(self, parts: Iterable[Any], depth: int) -> list[Node]: ...

    def container(self, value: Any, parts: Iterable[Any], depth: int) -> list[Node]: ...

    def pairs(self, value: Any, items: Iterable[tuple[Any, Any]], depth: int) -> list[Node]: ...

    def take_note_of_plain(self, value: Any) -> None: ...

    def buffer(self, data: Any) -> int: ...


class Unpacks(Protocol):
    """Its methods are those of `Unpacker`."""

    kept: list[Any]
    buffers: list[bytearray]
    classes: Callable[[str, str], type | None]
    libraries: Set[str]

    def begin(self, thing: Any) -> tuple[int, int, int]: ...

    def end(self, begun: tuple[int, int, int], depth: int) -> None: ...

    def keep_at(self, thing: Any, node: Node) -> None: ...

    def parts_of(self, nodes: Node, depth: int) -> list[Any]: ...

    def pairs_of(self, nodes: Node, depth: int) -> list[tuple[Any, Any]]: ...

    def fill(self, found: Any, nodes: Node, depth: int) -> Any: ...

    def fill_pairs(self, found: Any, nodes: Node, depth: int) -> Any: ...

    def shape(self, node: Node) -> tuple[int, ...]: ...

    def place(self, node: Node) -> int: ...
