"""Containers behind a student's object that a test changes, as in `net.layers.append(3)`.

The judge has a copy of `net.layers`. Where the reference's test needs it (see `required_operations.py`), the
student's process numbers each mutable value that it sends, and the judge sends changed ones back with its
next request. A value that is fetched again becomes the same object here.
"""

from typing import Any

import numpy as np

from gradebox.judge.codec import Decoder, Encoder, Node
from gradebox.judge.writeback import has_contents_changed, list_container_items
from gradebox.kernel.frames import MalformedMessageError


class ContainerTracker:
    """The judge's copies during one test. copies: by number, each with its contents when it was received."""

    def __init__(self) -> None:
        self.copies: dict[int, tuple[Any, Any]] = {}

    def shared(self) -> dict[int, Node]:
        """Return the nodes that stand for the student's own objects where copies are passed, by id."""
        return {id(thing): {"is": "object", "number": number} for number, (thing, _) in self.copies.items()}

    def changes(self, encoder: Encoder) -> list[Node]:
        """Return the copies that the test has changed, as pairs of number and node."""
        found: list[Node] = []
        for number, (thing, before) in list(self.copies.items()):
            if has_state_changed(thing, before):
                own = encoder.shared.pop(id(thing))
                found.append([number, encoder.encode(thing)])
                encoder.shared[id(thing)] = own
                self.copies[number] = thing, capture_state(thing)
        return found

    def changed(self) -> bool:
        return any(has_state_changed(thing, before) for thing, before in self.copies.values())

    def track(self, numbers: Node, decoder: Decoder) -> None:
        """Remember what has just been received. Raises Malformed."""
        if type(numbers) is not list or any(type(one) is not int for one in numbers):
            raise MalformedMessageError("mutable values have no numbers")
        for number, thing in zip(numbers, decoder.kept, strict=False):
            self.copies[number] = thing, capture_state(thing)


def capture_state(thing: Any) -> Any:
    """Return what to compare a copy with."""
    if isinstance(thing, list | dict | set) or (isinstance(thing, np.ndarray) and thing.dtype == object):
        return list_container_items(thing)
    return thing.tobytes() if isinstance(thing, np.ndarray) else None


def has_state_changed(thing: Any, before: Any) -> bool:
    if type(before) is bytes:
        return bool(thing.tobytes() != before)
    return before is not None and has_contents_changed(thing, before)
