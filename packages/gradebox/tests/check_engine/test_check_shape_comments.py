"""`follow_shapes` finds comments on shapes that are false, and no others."""

import re

import pytest
import torch
from shapes import named, of

from gradebox.check_engine import check_shape_comments
from gradebox.check_engine.check_shape_comments import follow_shapes, followed
from gradebox.release.generate_checks_cell import wrap_modules_in_function

LAYER = """
class Layer(nn.Module):
    def __init__(self, input_size, hidden, heads):
        super().__init__()
        self.heads, self.__size = heads, hidden // heads
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))

    @torch.no_grad()
    def forward(self, x, mask=None):  # [batch, seq, input_size]
        '''Every line
says what it makes.'''
        batch, seq, _ = x.shape
        assert (x == x).all(), f"{x.sum()}"
        q, k = self.q(x), self.k(x)  # [batch, seq, hidden]
        split = lambda t: t.view(batch, seq, self.heads, -1).mT  # [batch, seq, size, heads]
        split_to_heads = lambda t: split(t).permute(0, 3, 1, 2)  # [batch, heads, seq, size]
        q, k, v = (split_to_heads(part) for part in (q, k, self.v(x)))  # [batch, heads, seq, size]
        scores = q @ k.mT / self.__size**0.5  # [batch, heads, seq, seq]
        turned = scores.mT  # [batch, heads, seq, seq]
        scores += torch.zeros(seq, seq)  # [batch, heads, seq, seq]
        rows = []
        for i in range(seq):
            rows.append(scores[:, :, i].softmax(-1))  # [batch, heads, seq]
        weights = torch.stack(rows, dim=2)  # [batch, heads, seq, seq]
        each = [part * 2 for part in v.unbind(1)]  # (batch, seq, size)
        total = sum(each)  # [batch, seq, hidden // heads]
        merged = (
            (weights @ v)  # [batch, heads, seq, size]
            .transpose(1, 2)  # [batch, seq, heads, size]
            .flatten(2)  # [batch, seq, heads * size]
        )
        again = torch.cat(  # [batch, 2 * seq, hidden]
            [merged, merged],
            dim=1,
        )
        if again.shape[1] > seq:
            again = again[:, :seq]  # [batch, seq, hidden]
        if mask is None:
            return again, weights  # [batch, seq, hidden], [batch, heads, seq, seq]
        return again  # [batch, seq, hidden]
"""
SIZES = [
    {"batch": 2, "seq": 4, "input_size": 7, "heads": 3, "size": 5, "hidden": 15},
    {"batch": 3, "seq": 6, "input_size": 5, "heads": 2, "size": 4, "hidden": 8},
]


def verdicts(text: str, **options) -> list[tuple[str, str, str]]:
    layer = named(text)["Layer"]
    return followed(
        *(
            (
                sizes,
                layer(sizes["input_size"], sizes["hidden"], sizes["heads"]),
                torch.ones(sizes["batch"], sizes["seq"], sizes["input_size"]),
                options,
            )
            for sizes in SIZES
        )
    )


def test_true_comments_are_true_wherever_they_stand():
    found = verdicts(LAYER)
    assert of("FALSE", found) == of("none", found) == of("stop", found) == []
    assert len(of("true", found)) == LAYER.count("# [") + LAYER.count("# (") - 1
    last = verdicts(LAYER, mask=1)[-1]
    assert last == ("true", "    return again  # [batch, seq, hidden]", "[2, 4, 15] and [3, 6, 8]")


COMMENTED = [line.strip() for line in LAYER.splitlines() if re.search(r"# [\[(]", line)]


@pytest.mark.parametrize("line", COMMENTED)
def test_a_comment_that_is_made_false_is_found(line):
    """Two of its names change places; one is another; one is missing; a number is true of one input only."""
    code, _, comment = line.partition("  # ")
    first, *rest = re.findall(r"[\[(](.*?)[\])]", comment)[0].split(", ")
    second = rest[0]
    for other in (
        [second, first, *rest[1:]],
        [first, "hidden + 1", *rest[1:]],
        rest,
        ["1", first, *rest],
        ["2", *rest],
    ):
        false = comment.replace(", ".join([first, *rest]), ", ".join(other), 1)
        found = verdicts(
            LAYER.replace(line, f"{code}  # {false}"), **({"mask": 1} if "return again  " in line else {})
        )
        assert [one.partition("  # ")[0] for one in of("FALSE", found)] == [code], false


@pytest.mark.parametrize(
    "line", [line for line in COMMENTED if not line.startswith(("def", "(weights", ".trans"))]
)
def test_a_line_without_one_is_shown_with_what_it_makes(line):
    code = line.partition("  # ")[0]
    options = {"mask": 1} if "return again  " in line else {}
    found = of("none", verdicts(LAYER.replace(line, code), **options))
    assert len(found) == (0 if code in ("return again", "return again, weights") else 1)
    assert all("[2, " in one and " and [3, " in one for one in found)


LOOP = """
class Layer(nn.Module):
    def __init__(self, input_size, hidden, heads):
        super().__init__()
        self.q = nn.Linear(input_size, hidden)

    def forward(self, x):
        rows = []
        for one in x:  # STATED
            rows.append(self.q(one))  # [seq, hidden]
        return torch.stack(rows)  # [batch, seq, hidden]
"""


@pytest.mark.parametrize("stated", ["[seq, input_size]", "[batch, seq, input_size]"])
def test_a_comment_after_for_describes_the_variable_or_what_it_runs_over(stated):
    found = verdicts(LOOP.replace("STATED", stated))
    assert of("FALSE", found) == of("none", found) == of("stop", found) == []
    assert len(of("true", found)) == 3


@pytest.mark.parametrize("stated", ["[batch, input_size]", "[batch, seq, hidden]", "[seq]"])
def test_a_false_comment_after_for_is_found(stated):
    assert len(of("FALSE", verdicts(LOOP.replace("STATED", stated)))) == 1


def test_a_name_that_is_used_for_two_sizes_is_found():
    text = LAYER.replace("[batch, 2 * seq, hidden]", "[batch, long, hidden]").replace(
        "again[:, :seq]  # [batch, seq, hidden]", "again[:, :seq]  # [batch, long, hidden]"
    )
    (found,) = of("FALSE", verdicts(text))
    assert found.endswith("[2, 4, 15] and [3, 6, 8]: axis 1 has length 4, but long is 8")


def test_what_a_comment_says_that_is_no_shape_is_none():
    text = LAYER.replace("# [batch, 2 * seq, hidden]", "# twice as long")
    assert len(of("none", verdicts(text))) == 1
    text = LAYER.replace("# [batch, 2 * seq, hidden]", "# [batch × 2 seq]")
    (found,) = of("FALSE", verdicts(text))
    assert found.endswith("it has 3 axes, not 1")
    text = LAYER.replace("# [batch, 2 * seq, hidden]", "# [batch, two seq, hidden]")
    (found,) = of("unread", verdicts(text))
    assert found.endswith("'two seq' can't be evaluated")
    text = LAYER.replace("# [batch, 2 * seq, hidden]", "# [batch, seq?, hidden]")
    (found,) = of("unread", verdicts(text))
    assert found.endswith("'seq?' can't be read: write names or numbers")


def test_a_pair_with_one_comment_is_told_to_take_two():
    text = LAYER.replace("[batch, seq, hidden], [batch, heads, seq, seq]", "[batch, seq, hidden]")
    (found,) = of("FALSE", verdicts(text))
    assert found.endswith("it has 4 axes, not 3 (these are 2 tensors: write [...] for each)")


@pytest.mark.parametrize(
    "stated", ["[batch, 2·seq, hidden]", "[..., hidden]", "[batch, …, hidden]", "[batch, 2 * seq, ...]"]
)
def test_dots_stand_for_a_product_or_for_axes(stated):
    assert not of("FALSE", verdicts(LAYER.replace("[batch, 2 * seq, hidden]", stated)))


def test_a_name_that_comes_for_the_first_time_is_said_to_be_new():
    (found,) = (
        one
        for one in of("true", verdicts(LAYER.replace("[batch, 2 * seq, hidden]", "[batch, sek, hidden]")))
        if "new" in one
    )
    assert found.endswith("[2, 8, 15] and [3, 12, 8]: a new name: sek")


def test_the_size_of_something_is_no_shape():
    text = LAYER.replace(
        "batch, seq, _ = x.shape", "batch, seq, _ = x.shape  # [nothing]\n        n = x.size(-1)  # [n]"
    )
    assert not [
        one
        for kind in ("FALSE", "true", "none")
        for one in of(kind, verdicts(text))
        if "shape  #" in one or "size(" in one
    ]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("raise NotImplementedError()", "NotImplementedError"),
        ("x = x @ x", "RuntimeError: "),
        ("return self.nothing", "AttributeError: 'Layer' object has no attribute 'nothing'"),
    ],
)
def test_where_it_stops_is_shown(line, says):
    found = verdicts(LAYER.replace("batch, seq, _ = x.shape", line))
    ((stopped, why),) = {(at.strip(), shown) for verdict, at, shown in found if verdict == "stop"}
    assert stopped == line and why.startswith(says)


def test_a_function_is_followed_and_a_built_in_one_can_not_be(capsys):
    text = "def halves(x, parts=2):\n    return x.chunk(parts, -1)  # [rows, half]\n"
    runs = [({"rows": rows}, named(text)["halves"], torch.ones(rows, 2 * rows + 4)) for rows in (3, 5)]
    follow_shapes(*runs)
    assert capsys.readouterr().out.splitlines()[1:3] == [
        "true  |     return x.chunk(parts, -1)  # [rows, half]",
        "      |     → [3, 5] and [5, 7]: a new name: half",
    ]
    follow_shapes(({}, len, [1]))
    assert "can't be traced" in capsys.readouterr().out


def test_the_text_of_its_cell_needs_nothing_else():
    found = {"print": None, "__name__": "__main__"}
    exec(wrap_modules_in_function("make", (check_shape_comments,), "follow_shapes"), found)
    assert callable(found["make"]())
