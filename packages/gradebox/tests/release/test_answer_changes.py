"""Texts that say only what they change of another one."""

import pytest

from gradebox.release.answers_as_edits import ChangeError, apply_changes, is_change

BASE = """\
def attention(Q, K, V, mask=None):
    scores = Q @ K.T
    if mask is not None:
        scores = scores + mask

    weights = softmax(scores)
    if weights.ndim == 2:
        return weights @ V
    weights = weights[0]
    return weights @ V"""


@pytest.mark.parametrize(
    "text, was, becomes",
    [
        pytest.param(
            "# was:     scores = Q @ K.T\n# becomes: scores = K @ Q.T",
            "    scores = Q @ K.T",
            "    scores = K @ Q.T",
            id="one line",
        ),
        pytest.param(
            "# was: scores = scores + mask\n#becomes: scores = scores * mask",
            "        scores = scores + mask",
            "        scores = scores * mask",
            id="anywhere, if both are alike",
        ),
        pytest.param(
            "# was: if mask is not None:\n# was:     scores = scores + mask\n"
            "# becomes: scores = scores + mask",
            "    if mask is not None:\n        scores = scores + mask",
            "    scores = scores + mask",
            id="several lines, moved to the left",
        ),
        pytest.param(
            "# was: weights = softmax(scores)\n"
            "# becomes: if scores.size:\n# becomes:\n# becomes:     weights = softmax(scores)",
            "    weights = softmax(scores)",
            "    if scores.size:\n\n        weights = softmax(scores)",
            id="one that was alone, moved to the right, and an empty line",
        ),
        pytest.param(
            "# was:     scores = scores + mask\n# was:\n# was: weights = softmax(scores)\n"
            "# becomes: weights = scores",
            "        scores = scores + mask\n\n    weights = softmax(scores)",
            "    weights = scores",
            id="an empty line between others",
        ),
        pytest.param(
            "# was: scores = Q @ K.T\n# becomes:",
            "    scores = Q @ K.T\n",
            "",
            id="dropped",
        ),
        pytest.param(
            "# was: weights = weights[0]\n# was: return weights @ V\n# becomes: return V",
            "    weights = weights[0]\n    return weights @ V",
            "    return V",
            id="told from its double by a neighbour",
        ),
    ],
)
def test_lines_become_others(text, was, becomes):
    assert is_change(text)
    assert apply_changes(BASE, text) == BASE.replace(was, becomes) != BASE


def test_several_changes_are_all_of_the_base_in_any_order():
    text = """\
# was:     weights = weights[0]
# becomes: scores = Q @ K.T

# was:     scores = Q @ K.T
# becomes:
# was:     weights = softmax(scores)
# becomes: weights = weights[0]
"""
    assert apply_changes(BASE, text).splitlines() == [
        "def attention(Q, K, V, mask=None):",
        "    if mask is not None:",
        "        scores = scores + mask",
        "",
        "    weights = weights[0]",
        "    if weights.ndim == 2:",
        "        return weights @ V",
        "    scores = Q @ K.T",
        "    return weights @ V",
    ]


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("# was: scores = K @ Q.T\n# becomes: pass", "the base does not contain `scores = K @ Q.T`"),
        ("# was: scores = Q\n# becomes: scores = K", "the base does not contain `scores = Q`"),
        (
            "# was: if mask is not None:\n# was: scores = scores + mask\n# becomes: pass",
            "the base does not contain `if mask is not None: …`",
        ),
        ("# was: return weights @ V\n# becomes: return V", "`return weights @ V` occurs 2 times"),
        (
            "# was: scores = Q @ K.T\n# becomes:   scores = Q @ K.T ",
            "the change of `scores = Q @ K.T` has no effect",
        ),
        (
            "# was: scores = Q @ K.T\n# becomes: pass\n"
            "# was: scores = Q @ K.T\n# was: if mask is not None:\n# becomes: if True:",
            "two changes replace the line `scores = Q @ K.T`",
        ),
        (
            "# was:         scores = scores + mask\n# becomes: scores = 0",
            "`scores = 0` must begin in the column of `scores = scores + mask`",
        ),
        ("# was: scores = Q @ K.T\n# becomes: pass\nx = 1", "lines, got `x = 1`"),
        ("# was: scores = Q @ K.T\n# is now:  pass", "lines, got `# is now:  pass`"),
        ("# becomes: pass", "the first line of a change must be `# was: …`"),
        ("# was: scores = Q @ K.T", "`scores = Q @ K.T` has no `# becomes: …`"),
        ("# was:\n# becomes: pass", "no code after `# was:`"),
    ],
)
def test_what_can_not_be_meant_so_is_said_in_a_sentence(text, complaint):
    with pytest.raises(ChangeError) as error:
        apply_changes(BASE, text)
    assert complaint in str(error.value) and "\n" not in str(error.value)


def test_only_lines_at_the_margin_say_what_changes():
    assert not is_change(BASE)
    assert not is_change("def f(x):\n    # was: x + 1\n    return x")
    assert not is_change("# It was: x + 1\nx = 1")
