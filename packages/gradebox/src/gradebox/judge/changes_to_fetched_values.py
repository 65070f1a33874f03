"""Track in-place changes that a test makes to values of a student's object, as in `net.layers.append(3)`.

The judge has a copy of `net.layers`. If the reference's test needs tracking (see
`operations_of_reference.py`), the student's process numbers each mutable value that it sends. The judge
sends changed values back with its next request. The copy of a value that is fetched again replaces the
earlier copy.
"""

from typing import Any

import numpy as np

from gradebox.judge.codec import Decoder, Encoder, Node
from gradebox.judge.writeback import has_contents_changed, list_container_items
from gradebox.kernel.frames import MalformedMessageError


class ContainerTracker:
    """Tracker of the judge's copies during one test.

    copies: by number, each copy with a snapshot of its contents when received.
    """

    def __init__(self) -> None:
        self.copies: dict[int, tuple[Any, Any]] = {}

    def shared(self) -> dict[int, Node]:
        """Return nodes of the student's own objects, to send in place of copies, by id of the copy."""
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
        """Track the mutable values of a reply. Raises MalformedMessageError."""
        if type(numbers) is not list or any(type(one) is not int for one in numbers):
            raise MalformedMessageError("the numbers of mutable values are not a list of integers")
        for number, thing in zip(numbers, decoder.kept):
            self.copies[number] = thing, capture_state(thing)


def capture_state(thing: Any) -> Any:
    """Return a snapshot of the contents of a copy, for `has_state_changed`."""
    if isinstance(thing, (list, dict, set)) or (isinstance(thing, np.ndarray) and thing.dtype == object):
        return list_container_items(thing)
    return thing.tobytes() if isinstance(thing, np.ndarray) else None


def has_state_changed(thing: Any, before: Any) -> bool:
    if type(before) is bytes:
        return bool(thing.tobytes() != before)
    return before is not None and has_contents_changed(thing, before)
