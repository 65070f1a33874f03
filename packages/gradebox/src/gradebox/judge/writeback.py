"""Write back what a call changes in its arguments: the other process works on copies.

Arrays and tensors are sent back as bytes, containers with their contents after the call.
"""

import sys
from collections import OrderedDict
from typing import Any

import numpy as np

from gradebox.judge.codec import Decoder, Encoder, Node, is_column_major, mapping_type
from gradebox.kernel.frames import MalformedMessageError

# Types whose own methods are called, since a subclass may override them.
CONTAINER_TYPES: tuple[Any, ...] = (OrderedDict, dict, set, list)


def list_container_items(thing: Any) -> list[Any]:
    """Return the objects in a container, for comparison by identity rather than equality."""
    if isinstance(thing, dict):
        kind = mapping_type(thing)
        return [*kind.keys(thing), *kind.values(thing)]
    return list(thing.ravel() if isinstance(thing, np.ndarray) else thing)


def snapshot_arguments(decoder: Decoder) -> list[Any]:
    """Return the state of all mutable values in a message, for `encode_changed_arguments`."""
    return [
        bytes(decoder.buffers[decoder.places[number]])
        if number in decoder.places
        else list_container_items(thing)
        for number, thing in enumerate(decoder.kept)
    ]


def has_contents_changed(thing: Any, before: list[Any]) -> bool:
    now = list_container_items(thing)
    return len(now) != len(before) or any(one is not other for one, other in zip(now, before))


def encode_changed_arguments(before: list[Any], decoder: Decoder, encoder: Encoder) -> list[Node]:
    """Return the arguments that have changed since the snapshot, as pairs of number and node."""
    found: list[Node] = []
    for number, was in enumerate(before):
        thing = decoder.kept[number]
        if number in decoder.places:
            now = decoder.buffers[decoder.places[number]]
            if now != was:
                found.append([number, {"is": "bytes", "at": encoder.buffer(bytes(now))}])
        elif has_contents_changed(thing, was):
            # Encode the contents rather than a reference to the caller's own object.
            own = encoder.shared.pop(id(thing))
            found.append([number, encoder.encode(thing)])
            encoder.shared[id(thing)] = own
    return found


def apply_changed_arguments(changed: Node, decoder: Decoder, containers: bool = True) -> bool:
    """Apply the changes of the other process to the arguments in this process.

    Return True if a container was sent. containers: True to change lists, dicts and sets, too. If the
    reference never changes a container, a test may compute the expected result from its own containers.
    Raises MalformedMessageError.
    """
    seen = False
    if type(changed) is not list:
        raise MalformedMessageError("the changed arguments are not a list")
    for number, node in changed:
        thing, now = decoder.get_by_number(number, decoder.asked), decoder.decode(node)
        if type(now) is bytes:
            overwrite_array_bytes(thing, now)
            continue
        seen = True
        if containers:
            replace_contents(thing, now)
    return seen


def replace_contents(thing: Any, now: Any) -> None:
    """Replace the contents of a container with those of another container of the same type."""
    for kind in CONTAINER_TYPES:
        if isinstance(thing, kind) and isinstance(now, kind):
            kind.clear(thing)
            (kind.extend if kind is list else kind.update)(thing, now)
            return
    if isinstance(thing, np.ndarray) and type(now) is np.ndarray and thing.shape == now.shape:
        thing[...] = now


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
