"""What a call does to its arguments: the other process has copies, and what it changes comes back.

Arrays and tensors travel as the bytes that they have afterwards, containers as the parts that they have then.
"""

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from operator import is_
from types import SimpleNamespace
from typing import Any

import numpy as np

from gradebox.judge import tables
from gradebox.judge.data import Packer, Unpacker, by_column
from gradebox.judge.protocol import Malformed, Node

Before = dict[int, Any]


def noted(unpacker: Unpacker) -> Before:
    """What everything is that came and can be changed, by its number, for `changed_since`."""
    found: Before = {}
    for number, thing in enumerate(unpacker.kept):
        if number in unpacker.places:
            found[number] = bytes(unpacker.buffers[unpacker.places[number]])
        else:
            found[number] = parts(thing)
    return found


def parts(thing: Any) -> Any:
    """What is in a container: the very objects, for others may be equal to them. A table is copied."""
    if isinstance(thing, SimpleNamespace):
        thing = vars(thing)
    if isinstance(thing, dict):
        return [*thing.keys(), *thing.values()]
    if isinstance(thing, np.ndarray):
        return list(thing.ravel())
    if isinstance(thing, set):
        return set(thing)
    return list(thing) if isinstance(thing, list | deque) else thing.copy()


def is_changed(thing: Any, before: Any) -> bool:
    if isinstance(before, set):
        return bool(thing != before)
    if isinstance(before, list):
        now = parts(thing)
        return len(now) != len(before) or not all(map(is_, now, before))
    return not tables.same(thing, before)


def changed_since(before: Before, unpacker: Unpacker, packer: Packer) -> list[Node]:
    """Of what came, all that is not as it was before, for the other side to take over."""
    found: list[Node] = []
    for number, was in before.items():
        thing = unpacker.kept[number]
        if number in unpacker.places:
            # A bytearray is no view of its buffer.
            now = thing if type(thing) is bytearray else unpacker.buffers[unpacker.places[number]]
            if now != was:
                found.append([number, packer.buffer(bytes(now))])
        elif is_changed(thing, was):
            # That it is the asking side's own is known; what is in it now is the news.
            asked = packer.asked.pop(id(thing))
            # What is in itself by now can't be sent.
            with suppress(ValueError):
                found.append([number, packer.pack(thing)])
            packer.asked[id(thing)] = asked
    return found


def unpacked(changed: Node, unpacker: Unpacker) -> list[tuple[int, Any]]:
    """What `changed_since` said. Raises Malformed."""
    found = []
    if type(changed) is not list:
        raise Malformed("what was changed is no list")
    for one in changed:
        if type(one) is not list or len(one) != 2 or type(one[0]) is not int:
            raise Malformed("what was changed has something else than pairs")
        number, now = one
        if not 0 <= number < len(unpacker.asked):
            raise Malformed("a part of what was changed is missing")
        found.append((number, unpacker.buffers[now] if type(now) is int else unpacker.unpack(now)))
    return found


def take_over(changed: list[tuple[int, Any]], kept: Sequence[Any], containers: bool = True) -> None:
    """Change the arguments here that were changed there. containers: whether also other than arrays."""
    for number, now in changed:
        thing = kept[number]
        if not containers and not isinstance(now, bytearray | np.ndarray):
            continue
        if isinstance(now, bytearray) and not isinstance(thing, list | dict | set | deque):
            put_bytes(thing, now)
        elif isinstance(thing, dict) and isinstance(now, dict):
            # A Counter would add up, and another subclass may do as it likes.
            dict.clear(thing)
            dict.update(thing, now)
        elif type(thing) is type(now) is SimpleNamespace:
            vars(thing).clear()
            vars(thing).update(vars(now))
        elif isinstance(thing, set) and isinstance(now, set):
            set.clear(thing)
            set.update(thing, now)
        elif isinstance(thing, list) and isinstance(now, list):
            list.__setitem__(thing, slice(None), now)
        elif isinstance(thing, deque) and isinstance(now, deque):
            deque.clear(thing)
            deque.extend(thing, now)
        elif isinstance(thing, np.ndarray) and isinstance(now, np.ndarray):
            if thing.dtype == now.dtype and thing.shape == now.shape and thing.flags.writeable:
                thing[...] = now
        elif type(thing).__module__.startswith("pandas") and type(thing) is type(now):
            tables.become(thing, now)


def put_bytes(thing: Any, data: bytearray) -> None:
    if isinstance(thing, bytearray):
        thing[:] = data
    elif isinstance(thing, np.ndarray):
        if len(data) == thing.nbytes and thing.flags.writeable:
            order: Any = "F" if by_column(thing) else "C"
            thing[...] = np.frombuffer(data, thing.dtype).reshape(thing.shape, order=order)
    elif type(thing).__module__.partition(".")[0] == "torch":
        import torch

        if len(data) == thing.numel() * thing.element_size():
            thing.data.copy_(torch.frombuffer(data, dtype=thing.dtype).reshape(thing.shape))
