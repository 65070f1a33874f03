"""Lesson 11 computes what published code does: `transformers`, `tokenizers`, `regex` and `safetensors`."""

import hashlib
import re
import resource
import socketserver
import threading
from typing import Any
from unicodedata import category

import pytest
import regex
import safetensors.torch
import tokenizers
import torch
import transformers
from repository import notebook

from gradebox.notebook_exercises import CHECKS_CELL_ID, extract_reference_solutions, find_grade_id

LESSON = "11_your_code_runs_gpt2"
# The pattern of the published tokenizer, in the syntax of `regex`.
PUBLISHED_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
NO_SPECIAL_TOKENS = {"bos_token_id": None, "eos_token_id": None}
TEXTS = [
    "The cat's hat, the cat on the mat: they'll see!  \n\n it's 12½ cm²",
    "café née — naïve 😀 猫猫 ثلاثة",
    "  spaces\tand\u00a0others   ",
    "snake_case __init__ don't DON'T",
]


@pytest.fixture(scope="module")
def lesson() -> dict[str, Any]:
    """The names that the given cells, the checks cell and the reference solutions define."""
    source, names = notebook("source", LESSON), {"__name__": "__main__"}
    solutions = extract_reference_solutions(source)
    for cell in source.cells:
        name = find_grade_id(cell) or ""
        if name.startswith(("imports", "given", CHECKS_CELL_ID)) or name in solutions:
            exec(solutions.get(name, cell.source), names)
    return names


def published_form(model: transformers.GPT2LMHeadModel) -> dict[str, torch.Tensor]:
    """The weights under the names of the published file, which also contains the causal masks."""
    config, state = model.config, model.transformer.state_dict()
    mask = torch.ones(1, 1, config.n_positions, config.n_positions).tril()
    return state | {f"h.{n}.attn.bias": mask for n in range(config.n_layer)}


@pytest.fixture(params=[(61, 16, 12, 3, 2), (37, 9, 20, 5, 1), (23, 12, 8, 2, 11)], ids=str)
def reference(request) -> transformers.GPT2LMHeadModel:
    vocab, positions, size, heads, layers = request.param
    config = transformers.GPT2Config(
        vocab_size=vocab,
        n_positions=positions,
        n_embd=size,
        n_head=heads,
        n_layer=layers,
        attn_implementation="eager",
        **NO_SPECIAL_TOKENS,
    )
    torch.manual_seed(vocab)
    model = transformers.GPT2LMHeadModel(config).eval()
    with torch.no_grad():
        for weight in model.parameters():  # as initialized, biases are 0 and all logits small
            weight.add_(torch.randn_like(weight) / 4)
    return model


def test_logits_and_weights_are_those_of_transformers(lesson, reference):
    config = reference.config
    tokens = torch.randint(config.vocab_size, (3, config.n_positions))
    with torch.no_grad():
        logits, patterns = lesson["load_gpt2"](published_form(reference), config.n_head)(tokens)
        theirs = reference(tokens, output_attentions=True)
    torch.testing.assert_close(logits, theirs.logits, rtol=0, atol=1e-4)
    torch.testing.assert_close(patterns, list(theirs.attentions), rtol=0, atol=1e-5)


def test_logits_with_a_cache_are_those_of_transformers(lesson, reference):
    config, cache, made = reference.config, None, []
    tokens = torch.randint(config.vocab_size, (2, config.n_positions))
    model = lesson["load_gpt2"](published_form(reference), config.n_head)
    with torch.no_grad():
        for part in (tokens[:, :3], tokens[:, 3:4], tokens[:, 4:]):
            logits, cache = lesson["logits_with_cache"](model, part, cache)
            made.append(logits)
        torch.testing.assert_close(torch.cat(made, dim=1), reference(tokens).logits, rtol=0, atol=1e-4)


def test_the_hand_written_checkpoint_is_one_for_transformers(lesson):
    checkpoint = lesson["copying_checkpoint"]()
    sizes = {"vocab_size": 20, "n_positions": 30, "n_embd": 90, "n_head": 3, "n_layer": 2}
    theirs = transformers.GPT2LMHeadModel(transformers.GPT2Config(**sizes, **NO_SPECIAL_TOKENS)).eval()
    weights = {name: one for name, one in checkpoint.items() if not name.endswith(".attn.bias")}
    theirs.transformer.load_state_dict(weights)
    block = torch.randperm(20, generator=torch.Generator().manual_seed(3))[:15]
    tokens = block.repeat(2)[None]
    with torch.no_grad():
        logits, patterns = lesson["load_gpt2"](checkpoint, 3)(tokens)
        torch.testing.assert_close(logits, theirs(tokens).logits, rtol=0, atol=1e-4)
    assert logits[0, 15:-1].argmax(dim=-1).tolist() == tokens[0, 16:].tolist()
    scores = lesson["induction_scores"](patterns, 15)
    assert scores[1, 2] > 0.99 and scores.flatten().sort().values[-2] < 0.1


def test_pieces_are_those_of_the_published_pattern(lesson):
    # \x1c to \x1f are white space for `re` only; unassigned characters depend on the version of Unicode.
    numbers = [*range(0x3400), *range(0x3400, 0xD800, 50), *range(0xF900, 0x30000, 10)]
    known = [one for one in map(chr, numbers) if one not in "\x1c\x1d\x1e\x1f" and category(one) != "Cn"]
    texts = [*TEXTS, *(f"a{one}1 {one}{one}b  {one}" for one in known)]
    other = [t for t in texts if lesson["split_into_pieces"](t) != regex.findall(PUBLISHED_PATTERN, t)]
    assert other == []


@pytest.mark.parametrize("text", TEXTS)
def test_tokens_are_those_of_the_tokenizers_package(lesson, text):
    vocab, byte_ids, merges = lesson["read_tokenizer"](lesson["small_merges"])
    shown = lesson["printable_bytes"]()
    names = ["".join(shown[byte] for byte in token) for token in vocab[:-1]]
    theirs = tokenizers.Tokenizer(
        tokenizers.models.BPE(
            vocab={name: n for n, name in enumerate(names)},
            merges=[(names[left], names[right]) for left, right in merges],
        )
    )
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    theirs.decoder = tokenizers.decoders.ByteLevel()
    ids = lesson["encode"](text, byte_ids, merges)
    assert ids == theirs.encode(text).ids
    assert lesson["decode"](ids, vocab) == theirs.decode(ids) == text
    assert lesson["decode"](ids[:-1], vocab) == theirs.decode(ids[:-1])


def test_read_safetensors_reads_files_of_the_package(lesson):
    tensors = {"a": torch.randn(3, 4), "b.weight": torch.randn(5), "c": torch.randn(1, 1, 2, 2)}
    data = safetensors.torch.save(tensors, metadata={"format": "pt"})
    found = lesson["read_safetensors"](bytearray(data))
    assert found.keys() == tensors.keys()
    for name, value in tensors.items():
        assert torch.equal(found[name], value)
    with pytest.raises(ValueError, match="F16"):
        lesson["read_safetensors"](bytearray(safetensors.torch.save({"a": torch.zeros(2).half()})))


@pytest.fixture
def published(lesson, tmp_path, monkeypatch):
    """A folder with small files in the published format, from which the lesson downloads."""
    folder = tmp_path / "published"
    folder.mkdir()
    (folder / "merges.txt").write_text(lesson["small_merges"], encoding="utf-8")
    data = safetensors.torch.save(lesson["copying_checkpoint"]())
    # The published file has 548,105,171 bytes, 548,090,880 of them numbers. So these begin at byte 14,291,
    # which is not a multiple of 4. The package writes multiples of 8; a space moves the numbers.
    length = int.from_bytes(data[:8], "little")
    data = (length + 1).to_bytes(8, "little") + data[8 : 8 + length] + b" " + data[8 + length :]
    (folder / "model.safetensors").write_bytes(data)
    hashes = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}
    (tmp_path / "temporary").mkdir()
    monkeypatch.setitem(lesson, "GPT2_FILES", folder.as_uri() + "/")
    monkeypatch.setitem(lesson, "GPT2_HASHES", hashes)
    monkeypatch.setattr(lesson["tempfile"], "gettempdir", lambda: str(tmp_path / "temporary"))
    return folder


def test_the_download_returns_weights_that_run_and_is_kept(lesson, published):
    checkpoint, merges = lesson["download_gpt2"]()
    assert merges == lesson["small_merges"]
    block = torch.randperm(20)[:10]
    logits, _ = lesson["load_gpt2"](checkpoint, 3)(block.repeat(2)[None])
    assert logits[0, 10:-1].argmax(dim=-1).tolist() == block[1:].tolist()
    for path in published.iterdir():
        path.unlink()
    assert lesson["download_gpt2"]()[1] == merges


def assert_one_sentence_and_no_file(lesson, tmp_path, capsys, says):
    assert lesson["download_gpt2"]() is None
    *progress, last = capsys.readouterr().out.splitlines()
    assert re.fullmatch(rf"GPT-2 could not be fetched, so the tiny model is used \(.*{says}.*\)\.", last)
    assert all(re.fullmatch(r"\S+: \d+ MB", line) for line in progress)
    assert [path.name for path in (tmp_path / "temporary").iterdir()] == []


def test_without_a_network_one_sentence_says_so(lesson, published, tmp_path, capsys):
    for path in published.iterdir():
        path.unlink()
    assert_one_sentence_and_no_file(lesson, tmp_path, capsys, "No such file")


def test_a_full_disk_is_said_in_one_sentence_and_left_as_it_was(lesson, published, tmp_path, capsys):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        assert_one_sentence_and_no_file(lesson, tmp_path, capsys, "File too large")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


HTTP = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (HTTP + b"Content-Type: text/html\r\n\r\n<html>Please log in</html>", "not the published file"),
        (HTTP + b"Content-Length: 1000\r\n\r\n#version: 0.2", "not the published file"),
        (HTTP + b"Transfer-Encoding: chunked\r\n\r\n400\r\n#version: 0.2", "IncompleteRead"),
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "404"),
        (b"220 ready\r\n", "220 ready"),
        (b"", "closed connection"),
    ],
    ids=["login page", "cut off", "cut off in a chunk", "not found", "not HTTP", "closed"],
)
def test_another_answer_is_said_in_one_sentence_and_not_kept(
    lesson, published, tmp_path, monkeypatch, capsys, answer, says
):
    class Server(socketserver.StreamRequestHandler):
        def handle(self):
            while self.rfile.readline().strip():
                pass
            self.wfile.write(answer)

    with socketserver.TCPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setitem(lesson, "GPT2_FILES", f"http://127.0.0.1:{server.server_address[1]}/")
        assert_one_sentence_and_no_file(lesson, tmp_path, capsys, says)
        server.shutdown()


def test_other_weights_are_refused_and_not_kept(lesson, published, tmp_path, capsys):
    (published / "model.safetensors").write_bytes(b"other weights")
    assert lesson["download_gpt2"]() is None
    assert "model.safetensors is not the published file" in capsys.readouterr().out
    assert [path.name for path in (tmp_path / "temporary").iterdir()] == ["gpt2-small-merges.txt"]
