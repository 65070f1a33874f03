"""Write back what a call changes in its arguments: the other process works on copies.

Arrays and tensors are sent back as bytes, containers with the parts that they have afterwards.
"""

import sys
from typing import Any

import numpy as np

from gradebox.judge.codec import Decoder, Encoder, Node, by_column
from gradebox.kernel.frames import Malformed

# Each container, with its own methods: a subclass may have other ones.
CONTAINERS: tuple[Any, ...] = (dict, set, list)


def contents(thing: Any) -> list[Any]:
    """Return the objects in a container, themselves: other objects may be equal to them."""
    if isinstance(thing, dict):
        return [*dict.keys(thing), *dict.values(thing)]
    return list(thing.ravel() if isinstance(thing, np.ndarray) else thing)


def snapshot(decoder: Decoder) -> list[Any]:
    """Return the state of all mutable values in a message, for `changes`."""
    return [
        bytes(decoder.buffers[decoder.places[number]]) if number in decoder.places else contents(thing)
        for number, thing in enumerate(decoder.kept)
    ]


def differs(thing: Any, before: list[Any]) -> bool:
    now = contents(thing)
    return len(now) != len(before) or any(one is not other for one, other in zip(now, before, strict=True))


def changes(before: list[Any], decoder: Decoder, encoder: Encoder) -> list[Node]:
    """Return the arguments that have changed since `snapshot`, as pairs of number and node."""
    found: list[Node] = []
    for number, was in enumerate(before):
        thing = decoder.kept[number]
        if number in decoder.places:
            now = decoder.buffers[decoder.places[number]]
            if now != was:
                found.append([number, {"is": "bytes", "at": encoder.buffer(bytes(now))}])
        elif differs(thing, was):
            # Encode the contents rather than a reference to the caller's own object.
            own = encoder.shared.pop(id(thing))
            found.append([number, encoder.encode(thing)])
            encoder.shared[id(thing)] = own
    return found


def write_back(changed: Node, decoder: Decoder, containers: bool = True) -> bool:
    """Change the arguments here as they were changed there. Raises Malformed.

    containers: whether lists, dicts and sets are changed, too. Where the reference never changes any, a test
    may compute the expected result from them. Returns True if a container was sent.
    """
    seen = False
    if type(changed) is not list:
        raise Malformed("the changed arguments are not a list")
    for number, node in changed:
        thing, now = decoder.one_of(number, decoder.asked), decoder.decode(node)
        if type(now) is bytes:
            put_bytes(thing, now)
            continue
        seen = True
        if containers:
            put(thing, now)
    return seen


def put(thing: Any, now: Any) -> None:
    """Give a container the contents of another one of its type."""
    for kind in CONTAINERS:
        if isinstance(thing, kind) and isinstance(now, kind):
            kind.clear(thing)
            (kind.extend if kind is list else kind.update)(thing, now)
            return
    if isinstance(thing, np.ndarray) and type(now) is np.ndarray and thing.shape == now.shape:
        thing[...] = now


def put_bytes(thing: Any, data: bytes) -> None:
    """Overwrite the numbers of an array or a tensor."""
    if isinstance(thing, np.ndarray):
        if len(data) == thing.nbytes and thing.flags.writeable:
            order: Any = "F" if by_column(thing) else "C"
            thing[...] = np.frombuffer(data, thing.dtype).reshape(thing.shape, order=order)
    elif type(thing).__module__.partition(".")[0] == "torch":
        torch = sys.modules["torch"]
        if len(data) == thing.numel() * thing.element_size():
            thing.data.copy_(torch.frombuffer(bytearray(data), dtype=thing.dtype).reshape(thing.shape))
