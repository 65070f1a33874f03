"""Comments on shapes: those of the course are true, and none of a right answer is called false."""

import ast
import re
from functools import cache

import pytest
import torch
from repository import LESSONS, REPOSITORY, notebook
from shapes import named, of, run

from gradebox.check_engine.check_shape_comments import followed
from gradebox.notebook_exercises import CHECKS_CELL_ID, extract_reference_solutions, find_grade_id
from gradebox.release import read_answers_folder
from gradebox.release.generate_checks_cell import build_checks_code


def layers_in(text: str) -> set[str]:
    """The torch classes that a cell defines."""
    classes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef)]
    return {one.name for one in classes if "nn.Module" in map(ast.unparse, one.bases)}


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_follows_all_its_torch_classes_and_their_comments_are_true(lesson, capsys):
    source = notebook("source", lesson)
    solutions, layers, found = extract_reference_solutions(source), set(), {"__name__": "__main__"}
    for cell in source.cells:
        name = find_grade_id(cell)
        text = solutions.get(name, cell.source)
        if cell.cell_type != "code" or "%" in text[:1]:
            continue
        own = layers_in(text)
        layers |= own if name in solutions else set()
        if (name or "").startswith(("imports", "given", CHECKS_CELL_ID)) or name in solutions or own:
            run(text, found)
        elif "follow_shapes(" in text:
            run(text, found)
            said = capsys.readouterr().out
            assert "true  |" in said and said.endswith(" 0 FALSE, 0 without a comment (none)\n"), said
            layers -= {one for one in layers if f"{one}(" in text}
    assert not layers, "these are not followed"


@cache
def variables() -> dict:
    """The variables of a notebook after its checks cell."""
    found = named("")
    exec(build_checks_code({}, "", "check_shape_comments(")[0], found)
    return found


def problem_of(exercise: str, layer: str, source: str) -> str:
    """What the graded test of comments says about an answer; "" if it gives the point."""
    for text in (extract_reference_solutions(notebook("source", LESSON)) | {exercise: source}).values():
        run(text, variables())
    runs = []
    for sizes, _, *given in runs_of(layer, None):
        made_with = sizes["input_size"], sizes["hidden"]
        made_with += (sizes["num_heads"], True) if "num_heads" in sizes else ()
        runs.append((sizes, made_with, *given))
    try:
        variables()["check_shape_comments"](layer, *runs)
    except AssertionError as error:
        return str(error)
    return ""


def runs_of(layer: str, found: dict | None) -> list[tuple]:
    """Two runs of one of lesson 04's classes, without any two sizes alike.

    found: the notebook's names; None for runs without layers.
    """
    runs = []
    for batch, seq, given, heads, size in [(2, 5, 7, 3, 4), (3, 7, 10, 2, 4)]:
        sizes = {"batch": batch, "seq": seq, "input_size": given, "hidden": heads * size}
        x = torch.randn(batch, seq, given)
        if layer == "SelfAttention":
            runs.append((sizes, found and found[layer](given, heads * size), x))
        else:
            sizes |= {"num_heads": heads, "head_size": size}
            options = {"lengths": [seq - 1, seq, 2][:batch], "return_attention": True}
            made = found and found[layer](given, heads * size, heads, causal=True)
            runs.append((sizes, made, x, options))
    return runs


LESSON = "04_causal_multi_head"
RIGHT = [
    answer
    for answer in read_answers_folder.read_answers(
        REPOSITORY / "answers" / LESSON, notebook("source", LESSON)
    )
    if answer.right and answer.exercise in ("self-attention", "multi-head")
]


@pytest.mark.parametrize("answer", RIGHT, ids=[f"{one.exercise}: {one.title}" for one in RIGHT])
def test_right_answers_in_any_style_raise_no_false_alarm(answer):
    """Also when each line has the comment that it should have; and then each false one is found."""
    earlier = (
        "\n".join(extract_reference_solutions(notebook("source", LESSON)).values())
        if answer.exercise == "multi-head"
        else ""
    )
    layer = "SelfAttention" if answer.exercise == "self-attention" else "MultiHeadSelfAttention"

    def verdicts_of(source: str) -> list[tuple[str, str, str]]:
        given = f"import numpy as np\n{earlier}\n{source}" if earlier else source
        return followed(*runs_of(layer, named(given)))

    found = verdicts_of(answer.source)
    assert of("FALSE", found) == of("stop", found) == []
    assert "has no comment" in problem_of(answer.exercise, layer, answer.source)
    commented = answer.source
    for verdict, line, shown in found:
        if verdict == "none":
            first, second = (
                [one[1:-1].split(", ") for one in re.findall(r"\[.*?\]", run)] for run in shown.split(" and ")
            )
            sizes = [sizes for sizes, *_ in runs_of(layer, named(answer.source))]
            shapes = [
                [called(*pair, sizes) for pair in zip(*both, strict=True)]
                for both in zip(first, second, strict=True)
            ]
            commented = commented.replace(
                line.strip(), line.strip() + "  # " + ", ".join(f"[{', '.join(s)}]" for s in shapes), 1
            )
    found = verdicts_of(commented)
    assert of("FALSE", found) == of("none", found) == []
    assert problem_of(answer.exercise, layer, commented) == ""
    for _, line, _ in [one for one in found if one[0] == "true"]:
        code, _, comment = line.strip().partition("  # [")
        false = commented.replace(line.strip(), f"{code}  # [7, {comment}", 1)
        assert [one.partition("  # ")[0] for one in of("FALSE", verdicts_of(false))] == [code]
        assert "the comment is false" in problem_of(answer.exercise, layer, false)


def called(one: str, other: str, sizes: list[dict]) -> str:
    """A name that has these sizes in the two runs, or a product of two; else an expression of both."""
    products = [
        {**known, **{f"{a} * {b}": known[a] * known[b] for a in known for b in known}, "1": 1, "3": 3}
        for known in sizes
    ]
    return next(
        (name for name in products[0] if [str(p[name]) for p in products] == [one, other]),
        f"new_{one}_{other}",
    )
