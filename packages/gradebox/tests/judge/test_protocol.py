"""Values reach the judge unchanged, and any other bytes are data or are refused."""

import builtins
import json
import math
import socket
import struct
import threading
from collections import Counter, OrderedDict
from itertools import accumulate, pairwise

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from gradebox.judge import codec
from gradebox.judge.codec import Decoder, Encoder
from gradebox.judge.handle_permission import HandlePermission
from gradebox.judge.handles import Handle, NotJudgeable
from gradebox.judge.instructor_notebook_facts import NotebookFacts
from gradebox.judge.rpc_client import Broken, JudgeClient, NotAValue
from gradebox.kernel.frames import (
    BUFFER_LENGTH,
    FRAME_PREFIX,
    MAX_BUFFER_COUNT,
    MAX_HEADER_SIZE,
    ConnectionClosedError,
    FrameSocket,
    MalformedMessageError,
)

TORCHS = (torch.dtype, torch.Size, torch.device)


def refuse(value, encoder):
    raise TypeError(f"{type(value).__name__} is no data")


def unknown(node, decoder):
    raise MalformedMessageError("a value has no known type")


def channel(link: socket.socket) -> FrameSocket:
    return FrameSocket(link, MAX_HEADER_SIZE, MAX_BUFFER_COUNT)


def over(value):
    """The value as it arrives at the other end of a socket."""
    encoder = Encoder(refuse)
    node = encoder.encode(value)
    here, there = socket.socketpair()
    with here, there:
        sender = threading.Thread(
            target=channel(here).send_with_buffers, args=({"value": node}, encoder.buffers)
        )
        sender.start()
        header, buffers = channel(there).receive()
        sender.join()
    return Decoder(buffers, unknown).decode(header["value"])


def framed(values: list) -> bytes:
    """Values as frames, one directly after another."""
    frames = []
    for value in values:
        encoder = Encoder(refuse)
        node = encoder.encode(value)
        frames.append(frame(json.dumps({"value": node}).encode(), *map(bytes, encoder.buffers)))
    return b"".join(frames)


def next_value(frames: FrameSocket):
    header, buffers = frames.receive()
    return Decoder(buffers, unknown).decode(header["value"])


LARGE = np.arange(100_000.0)


@pytest.mark.parametrize(
    "values",
    [
        [1, "two", np.arange(3.0)],
        [LARGE, 1, LARGE, 2],
        [1, np.arange(8_000.0), np.arange(9_000.0), [LARGE, np.zeros(3), LARGE], None],
        [[], np.zeros(0), "x" * 70_000, 3],
    ],
)
@pytest.mark.parametrize("pieces", [[], [1] * 50, [7, 20_000, 1, 65_536, 3]])
def test_frames_arrive_one_by_one_however_they_come(values, pieces):
    whole = framed(values)
    places = [0, *accumulate(pieces), len(whole)]
    here, there = socket.socketpair()

    def send() -> None:
        for start, end in pairwise(places):
            here.sendall(whole[start:end])

    with here, there:
        sender = threading.Thread(target=send)
        sender.start()
        frames = channel(there)
        assert same([next_value(frames) for _ in values], values)
        sender.join()
        here.close()
        with pytest.raises(ConnectionClosedError):
            frames.receive()


def test_bytes_that_nobody_has_read_are_noticed():
    here, there = socket.socketpair()
    with here, there:
        frames = channel(there)
        assert not frames.waiting()
        here.sendall(framed([1, 2]))
        assert frames.waiting() and next_value(frames) == 1
        assert frames.waiting() and next_value(frames) == 2
        assert not frames.waiting()
        here.sendall(framed([3])[:-1])
        here.close()
        with pytest.raises(ConnectionClosedError):
            frames.receive()
        # A part of a frame counts, too.
        assert frames.waiting()


def same(one, other) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray | np.generic):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return len(one) == len(other) and all(map(same, one.items(), other.items()))
    if isinstance(one, float):
        return struct.pack("d", one) == struct.pack("d", other)
    return one == other


NUMBERS = st.sampled_from("?bBhHiIlLqQefdgFD").flatmap(
    lambda kind: arrays.arrays(kind, arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4))
)
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary() | NUMBERS
)
DATA = st.recursive(
    LEAVES,
    lambda parts: (
        st.lists(parts, max_size=4)
        | st.lists(parts, max_size=4).map(tuple)
        | st.dictionaries(st.text() | st.integers() | st.booleans(), parts, max_size=4)
    ),
    max_leaves=20,
)


@given(DATA)
def test_data_arrives_as_it_was(value):
    assert same(over(value), value)


@pytest.mark.parametrize(
    "value", [math.nan, -0.0, math.inf, 2**200, -(2**63) - 1, "\ud800", 1 + 2j, {1, "a"}, {frozenset({2}): 1}]
)
def test_odd_values_arrive_as_they_were(value):
    assert repr(over(value)) == repr(value)


@pytest.mark.parametrize("dtype", sorted(codec.TENSOR_DTYPES))
def test_tensors_arrive_as_they_were_but_without_their_graph(dtype):
    tensor = torch.arange(6).reshape(2, 3).to(getattr(torch, dtype))
    arrived = over(tensor.T)
    assert arrived.dtype == tensor.dtype and torch.equal(arrived, tensor.T)
    if tensor.is_floating_point():
        assert not over(tensor.requires_grad_()).requires_grad
    assert over(torch.empty(2, 0)).shape == (2, 0)
    assert over(torch.empty(10**9, 5, device="meta")).shape == (10**9, 5)


class Liar(float):
    def __eq__(self, other):
        return True

    __hash__ = float.__hash__

    def __float__(self):
        raise AssertionError("nobody may ask")


class LyingArray(np.ndarray):
    def __eq__(self, other):
        return True


class LyingList(list):
    def __iter__(self):
        return iter([1, 2, 3])


class LyingDict(dict):
    def items(self):
        return [("b", 2)]


@pytest.mark.parametrize(
    "value, plain",
    [
        (Liar(2.5), 2.5),
        (np.arange(3).view(LyingArray), np.arange(3)),
        (LyingList([7]), [7]),
        (LyingDict(a=1), {"a": 1}),
        (True, True),
        (np.float64(2.5), np.float64(2.5)),
    ],
)
def test_a_subclass_arrives_as_the_plain_thing(value, plain):
    assert same(over(value), plain)


def test_an_array_that_arrives_can_be_written_to_and_is_nobody_elses():
    array = np.arange(4.0)
    first, second = over([array, array.copy()])
    first[0] = 9
    assert second[0] == 0 and array[0] == 0


def test_what_is_there_twice_is_the_same_thing_on_the_other_side():
    array, inner = np.arange(4.0), [1]
    found = over([array, inner, {"a": array, "b": (inner, inner)}, torch.zeros(1)])
    assert found[0] is found[2]["a"] and found[1] is found[2]["b"][0] is found[2]["b"][1]
    # Small ones may have had the same address, one after the other.
    assert len({id(part) for part in over([[n] for n in range(100)])}) == 100


def test_other_values_are_not_sent():
    for value in (object(), np.array([object()]), {1: [print]}, print):
        with pytest.raises(TypeError, match="no data"):
            over(value)


def nested(depth: int) -> list:
    value: list = []
    for _ in range(depth):
        value = [value]
    return value


def laughs() -> list:
    value: list = ["ha"]
    for _ in range(40):
        value = [value, value]
    return value


def tuple_of(levels: int) -> tuple:
    value: tuple = ()
    for _ in range(levels):
        value = (value, value)
    return value


@pytest.mark.parametrize("value", [nested(1000), (tuple_of(30),)], ids=["deep", "many"])
def test_a_value_that_is_nested_too_deeply_or_too_large_is_not_sent(monkeypatch, value):
    monkeypatch.setattr(codec, "MAX_NODES", 10_000)
    with pytest.raises(ValueError, match="nested too deeply, or has too many parts"):
        over(value)


def test_a_list_that_contains_itself_arrives():
    endless: list = [1]
    endless.append(endless)
    found = over([endless, laughs()])
    assert found[0][1] is found[0] and found[0][0] == 1


def arrives(data: bytes):
    """The values that a judge decodes from bytes."""
    here, there = socket.socketpair()
    with there:
        with here:
            sender = threading.Thread(target=send_and_close, args=(here, data))
            sender.start()
            try:
                header, buffers = channel(there).receive()
                return {key: Decoder(buffers, unknown).decode(part) for key, part in header.items()}
            finally:
                there.close()
                sender.join()


def send_and_close(link: socket.socket, data: bytes) -> None:
    try:
        link.sendall(data)
        link.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def frame(header: bytes, *buffers: bytes) -> bytes:
    sizes = [len(buffer) for buffer in buffers]
    return b"".join(
        [FRAME_PREFIX.pack(len(header), len(sizes)), *map(BUFFER_LENGTH.pack, sizes), header, *buffers]
    )


PLAIN = (type(None), bool, int, float, complex, str, bytes, torch.Tensor, range, slice)
# Values of these libraries are data, too.
LIBRARIES = {"decimal", "fractions", "datetime", "pathlib", "pandas"}
VIEWS = (type({}.keys()), type({}.values()), type({}.items()))


def is_plain(value) -> bool:
    if type(value) in VIEWS:
        return all(map(is_plain, value))
    if issubclass(type(value), Handle) or value is ...:
        return True
    if isinstance(value, Counter | OrderedDict):
        return all(is_plain(pair) for pair in value.items())
    if isinstance(value, tuple) and hasattr(type(value), "_fields"):
        return all(map(is_plain, value))
    if isinstance(value, np.dtype):
        return True
    if type(value).__module__.partition(".")[0] in LIBRARIES or type(value) in TORCHS:
        return True
    if isinstance(value, list | tuple | set | frozenset):
        return type(value) in (list, tuple, set, frozenset) and all(map(is_plain, value))
    if isinstance(value, dict):
        return type(value) is dict and all(is_plain(pair) for pair in value.items())
    if isinstance(value, np.ndarray | np.generic):
        if value.dtype == object:
            return all(map(is_plain, value.ravel()))
        return type(value) in (np.ndarray, value.dtype.type) and value.dtype.kind in "biufcSUmMV"
    return type(value) in PLAIN


@given(st.binary(max_size=300))
def test_any_bytes_are_data_or_refused(data):
    try:
        assert is_plain(arrives(data))
    except (MalformedMessageError, ConnectionClosedError):
        pass


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda parts: (
        st.lists(parts, max_size=4)
        | st.dictionaries(
            st.sampled_from(["is", "of", "at", "type", "shape", "hex", "on", "x"]), parts, max_size=5
        )
    ),
    max_leaves=15,
)
KINDS = st.sampled_from(
    [*codec.NODE_DECODERS, *codec.STANDARD_DECODERS, "object", "pickle", "function", "_x"]
)
LINE = st.lists(
    st.lists(st.sampled_from(["__main__", "builtins", "int", "Exception", "A"]), min_size=2, max_size=2),
    min_size=1,
    max_size=3,
)
NODES = st.fixed_dictionaries(
    {"is": KINDS},
    optional={
        "at": st.integers(-2, 3) | JSON,
        "type": st.sampled_from(
            ["<f8", "float32", "bool", "|b1", "O", "V8", "<U2", "(2,)f8", "i4,i4", "M8[s]"]
        )
        | JSON,
        "shape": st.lists(st.integers(-1, 2**62) | st.integers(0, 3), max_size=3) | JSON,
        "on": st.sampled_from(["cpu", "meta", "cuda"]) | JSON,
        "of": st.lists(JSON, max_size=3) | JSON,
        "hex": st.text(max_size=20) | JSON,
        "order": st.just("F") | JSON,
        "fixed": st.booleans() | JSON,
        "name": st.text(max_size=3) | JSON,
        "fields": st.lists(st.text("ab", max_size=2), max_size=2) | JSON,
        "number": st.integers(-1, 3) | JSON,
        "class": LINE | JSON,
        "can": st.integers(-1, 2**70) | JSON,
        "error": LINE | JSON,
    },
)


TYPES = ["<f8", ">i2", "|b1", "<c16", "<M8[s]", "<U2", "|S3", "|V8", "|V0", "|O", "i4,i4", "(2,)f8"]


@st.composite
def sized(draw) -> tuple[dict, bytes]:
    """The node of an array of any type, some of which are no data, and as many bytes as it says."""
    dtype = np.dtype(draw(st.sampled_from(TYPES)))
    shape = draw(st.lists(st.integers(0, 3), max_size=3))
    size = math.prod(shape) * dtype.itemsize
    text = draw(st.sampled_from(TYPES)) if draw(st.booleans()) else dtype.str
    node = {"is": draw(st.sampled_from(["array", "scalar"])), "type": text, "shape": shape, "at": 0}
    return node, draw(st.binary(min_size=size, max_size=size))


@given(sized())
def test_an_array_of_any_type_is_data_or_refused(whole):
    node, data = whole
    try:
        assert is_plain(arrives(frame(json.dumps({"value": node}).encode(), data)))
    except MalformedMessageError:
        pass


@given(st.lists(NODES | JSON, max_size=4), st.lists(st.binary(max_size=24), max_size=3))
def test_any_message_is_data_or_refused(nodes, buffers):
    header = json.dumps({"value": nodes}).encode()
    try:
        assert is_plain(arrives(frame(header, *buffers)))
    except (MalformedMessageError, ConnectionClosedError):
        pass


@given(DATA, st.data())
def test_a_message_with_one_byte_changed_is_data_or_refused(value, draw):
    encoder = Encoder(refuse)
    node = encoder.encode(value)
    data = bytearray(frame(json.dumps({"value": node}).encode(), *map(bytes, encoder.buffers)))
    data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    try:
        assert is_plain(arrives(bytes(data)))
    except (MalformedMessageError, ConnectionClosedError):
        pass


ASKED = 7
# A test without a record, and one that may use values only.
PERMISSIONS = (HandlePermission(), HandlePermission(False))


def answered(data: bytes, permission: HandlePermission = PERMISSIONS[0]) -> None:
    """Send these bytes in reply to a judge's request: it receives data, or raises as it should."""
    here, there = socket.socketpair()
    with here, there:
        there.settimeout(5)
        there.sendall(data)
        there.shutdown(socket.SHUT_WR)
        client = judge(here, NotebookFacts(libraries=frozenset({"pandas"})))
        client.permission, client.asked = permission, ASKED - 1
        client.functions = {0: lambda *args, **kwargs: assert_plain(args, kwargs)}
        try:
            assert_plain(client.send_request("call", [np.zeros(3)], {}))
        except (NotJudgeable, NotAValue):
            assert client.ended
        except Broken as error:
            assert client.broken or str(error).startswith("the submission raised")
        except Exception as error:
            assert type(error).__module__ in ("builtins", "__main__") and not client.broken


def judge(link: socket.socket, facts: NotebookFacts) -> JudgeClient:
    """A judge's end of a channel, without its audit hook, which stays in a process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.addaudithook", lambda hook: None)
        return JudgeClient(link, {}, facts)


class NoData(BaseException):
    """Something has arrived that is no data. No test catches it by accident."""


def assert_plain(*values) -> None:
    if not all(map(is_plain, values)):
        raise NoData(repr(values))


HEADERS = st.fixed_dictionaries(
    {},
    optional={
        "to": st.just(ASKED) | JSON,
        "value": NODES | JSON,
        "changed": st.lists(st.lists(st.integers(-1, 3), max_size=3), max_size=3) | JSON,
        "error": JSON
        | st.fixed_dictionaries(
            {
                "classes": st.sampled_from(dir(builtins)).map(lambda name: [["builtins", name]]) | LINE,
                "message": st.text(max_size=5),
                "shown": st.text(max_size=5),
            },
            optional={"args": JSON, "number": JSON},
        ),
        "unable": st.booleans() | JSON,
        "drawn": JSON,
        "trace": JSON,
        "where": JSON,
        "call": st.integers(-1, 1) | JSON,
        "with": st.tuples(st.lists(NODES, max_size=2), st.dictionaries(st.text(), NODES)) | JSON,
    },
)


@given(
    st.lists(HEADERS, max_size=3), st.lists(st.binary(max_size=24), max_size=3), st.sampled_from(PERMISSIONS)
)
def test_any_reply_is_data_or_an_error_or_breaks_the_channel(headers, buffers, permission):
    answered(b"".join(frame(json.dumps(header).encode(), *buffers) for header in headers), permission)


@pytest.mark.parametrize(
    "data",
    [
        FRAME_PREFIX.pack(2**32 - 1, 0),
        FRAME_PREFIX.pack(10, 2**32 - 1),
        FRAME_PREFIX.pack(2, 2) + 2 * BUFFER_LENGTH.pack(2**60) + b"{}",
        frame(b"[" * 10**5),
        frame(b"[]"),
        frame(b'{"value": {"is": "array", "type": "<f8", "shape": [1000000000], "at": 0}}', b"12345678"),
        frame(b'{"value": {"is": "array", "type": "|O", "shape": [1], "at": 0}}', b"12345678"),
        frame(b'{"value": [{"is": "bytes", "at": 0}, {"is": "bytes", "at": 0}]}', b"12345678"),
        frame(b'{"value": {"is": "int", "hex": "' + b"f" * (10**6 + 1) + b'"}}'),
        frame(b'{"value": {"is": "set", "of": [[]]}}'),
    ],
)
def test_a_frame_whose_parts_do_not_match_is_refused(data):
    with pytest.raises((MalformedMessageError, ConnectionClosedError)):
        arrives(data)


def test_a_closed_channel_is_not_an_invalid_frame():
    with pytest.raises(ConnectionClosedError):
        arrives(b"")
    with pytest.raises(ConnectionClosedError):
        arrives(FRAME_PREFIX.pack(100, 0) + b"too short")
