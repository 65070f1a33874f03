"""Write back what a call changes in the arrays and tensors among its arguments.

The other process works on copies. Lists, dicts and other containers are not written back.
"""

import sys
from typing import Any

import numpy as np

from gradebox.judge.codec import Decoder, Encoder, Node, is_column_major, mapping_type
from gradebox.kernel.frames import MalformedMessageError

# State of each mutable value of a message: the data of an array, or the objects in a container.
ArgumentStates = list[Any]


def list_container_items(thing: Any) -> list[Any]:
    """Return the objects in a container, for comparison by identity rather than equality."""
    if isinstance(thing, dict):
        kind = mapping_type(thing)
        return [*kind.keys(thing), *kind.values(thing)]
    return list(thing.ravel() if isinstance(thing, np.ndarray) else thing)


def snapshot_arguments(decoder: Decoder) -> ArgumentStates:
    """Return the state of all mutable values in a message."""
    return [
        bytes(decoder.buffers[decoder.places[number]])
        if number in decoder.places
        else list_container_items(thing)
        for number, thing in enumerate(decoder.kept)
    ]


def list_current_arguments(before: ArgumentStates, decoder: Decoder) -> dict[int, Any]:
    """Return by number the mutable values of a message that equal those of the other process.

    Changed arrays are included, since their changes are written back. If a container has changed, a result
    that refers to a container of the message must be sent as a copy.
    """
    changed = any(
        has_contents_changed(decoder.kept[number], state)
        for number, state in enumerate(before)
        if number not in decoder.places
    )
    return {
        number: thing for number, thing in enumerate(decoder.kept) if number in decoder.places or not changed
    }


def has_contents_changed(thing: Any, before: list[Any]) -> bool:
    now = list_container_items(thing)
    return len(now) != len(before) or any(one is not other for one, other in zip(now, before))


def encode_changed_arguments(before: ArgumentStates, decoder: Decoder, encoder: Encoder) -> list[Node]:
    """Return the arrays that have changed since the snapshot, as pairs of number and node."""
    found: list[Node] = []
    for number, state in enumerate(before):
        if number in decoder.places:
            data = decoder.buffers[decoder.places[number]]
            if data != state:
                found.append([number, {"is": "bytes", "at": encoder.buffer(bytes(data))}])
    return found


def apply_changed_arguments(changed: Node, decoder: Decoder) -> None:
    """Apply the other process's changes to the arrays of a request. Raises MalformedMessageError."""
    if type(changed) is not list:
        raise MalformedMessageError("the changed arguments are not a list")
    for number, node in changed:
        thing, data = decoder.get_by_number(number, decoder.asked), decoder.decode(node)
        if type(data) is not bytes:
            raise MalformedMessageError("the data of a changed array are not bytes")
        overwrite_array_bytes(thing, data)


def overwrite_array_bytes(thing: Any, data: bytes) -> None:
    """Overwrite the data of an array or a tensor in place."""
    if isinstance(thing, np.ndarray):
        if len(data) == thing.nbytes and thing.flags.writeable:
            order: Any = "F" if is_column_major(thing) else "C"
            thing[...] = np.frombuffer(data, thing.dtype).reshape(thing.shape, order=order)
    elif type(thing).__module__.partition(".")[0] == "torch":
        torch = sys.modules["torch"]
        if len(data) == thing.numel() * thing.element_size():
            thing.data.copy_(torch.frombuffer(bytearray(data), dtype=thing.dtype).reshape(thing.shape))
