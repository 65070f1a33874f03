"""What a kernel sends is read as data, and no more of it than can be kept."""

import socket
import threading

import pytest
from helpers import cell
from hypothesis import given
from hypothesis import strategies as st

from gradebox.kernel.frames import (
    FRAME_PREFIX,
    MAX_FRAME_SIZE,
    ConnectionClosedError,
    FrameSocket,
    MalformedMessageError,
    pack_frame,
)

PARTS = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
FRAMES = st.lists(st.dictionaries(st.text(max_size=5), PARTS, max_size=3), max_size=5)


@pytest.fixture
def ends():
    ours, theirs = socket.socketpair()
    yield FrameSocket(ours), theirs
    ours.close()
    theirs.close()


def read_from(data: bytes) -> list[dict]:
    """The frames in what somebody has sent before they went."""
    ours, theirs = socket.socketpair()
    sending = threading.Thread(target=lambda: (theirs.sendall(data), theirs.close()))
    sending.start()
    frames, found = FrameSocket(ours), []
    try:
        while True:
            found.append(frames.receive()[0])
    except ConnectionClosedError:
        return found
    finally:
        ours.close()
        sending.join()


@given(FRAMES)
def test_frames_come_as_they_were_sent(sent):
    assert read_from(b"".join(map(pack_frame, sent))) == sent


@given(st.binary(max_size=200))
def test_any_bytes_are_frames_or_refused(data):
    try:
        assert all(type(frame) is dict for frame in read_from(data))
    except MalformedMessageError:
        pass


@pytest.mark.parametrize(
    "text",
    [b"[1]", b"1", b"nothing", b'{"a": ' + b"[" * 100_000, b'{"n": ' + b"9" * 10_000 + b"}", b"\xff\xfe"],
    ids=["list", "number", "text", "deep", "long number", "no text"],
)
def test_what_is_no_frame_is_refused(ends, text):
    frames, theirs = ends
    theirs.sendall(FRAME_PREFIX.pack(len(text), 0) + text)
    with pytest.raises(MalformedMessageError):
        frames.receive()[0]


def test_a_frame_that_is_too_large_is_refused_before_it_comes(ends):
    frames, theirs = ends
    theirs.sendall(FRAME_PREFIX.pack(MAX_FRAME_SIZE + 1, 0))
    with pytest.raises(MalformedMessageError, match="larger than the limit"):
        frames.receive()[0]


def test_a_kernel_sends_no_buffers(ends):
    frames, theirs = ends
    theirs.sendall(pack_frame({}, [b"1"]) + b"1")
    with pytest.raises(MalformedMessageError, match="larger than the limit"):
        frames.receive()[0]


def test_who_takes_nothing_keeps_nobody_waiting(ends):
    frames, theirs = ends
    with pytest.raises(ConnectionClosedError, match="does not read its socket"):
        frames.send({"source": "x" * 2**24}, 0.2)
    theirs.close()
    with pytest.raises(ConnectionClosedError):
        frames.send({"source": "x"}, 0.2)


def test_texts_that_no_file_can_hold_travel(ends):
    frames, theirs = ends
    theirs.sendall(pack_frame({"text": "\ud800 \x00", "what": object}))
    assert frames.receive()[0]["text"] == "\ud800 \x00"


def test_a_large_message_is_cut_and_the_cell_goes_on(played):
    nb = played(
        cell("solution", "a", "print('a' * 20_000_000)\n'b'"),
        cell("solution", "b", "from IPython.display import HTML\nHTML('b' * 20_000_000)"),
        cell("solution", "c", "'still here'"),
    )
    texts = ["".join(output.get("text", "") for output in one.outputs) for one in nb.cells]
    assert "was cut" in texts[0] and len(texts[0]) < 2**21 and nb.cells[0].outputs[-1].data
    assert "was cut" in texts[1]
    assert nb.cells[2].outputs[0].data["text/plain"] == "'still here'"
