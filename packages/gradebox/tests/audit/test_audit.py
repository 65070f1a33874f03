"""The audit is audited: exercises with bad tests are planted, and it must report each of them."""

import json
import re
from pathlib import Path

import jupytext
import nbformat
import pytest
from typer.testing import CliRunner

from gradebox import app
from gradebox.answer_runner.answer_tasks import AnswerTask
from gradebox.answer_runner.run_answers import run_answers
from gradebox.audit.audit_results import UNSEEN, FindingKind, NotebookAudit
from gradebox.audit.equivalent_mutants_file import EQUIVALENTS_FILE
from gradebox.audit.mutants import generate_mutants
from gradebox.audit.run_audit import run_audit
from gradebox.course import Course, CourseError
from gradebox.execute.lesson import Lesson

LESSON = "planted"
CONFIG = 'c = get_config()\nc.CourseDirectory.course_id = "planted"\nc.Execute.preload = ["numpy"]\n'
SOLUTION = (
    '"solution": true, "grade": false, "locked": false, "points": 0, "schema_version": 3, "task": false'
)
TEST = '"solution": false, "grade": true, "locked": true, "points": 2, "schema_version": 3, "task": false'
SOFTMAX = """\
def shares(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
"""
HONEST = """\
assert np.allclose(shares(np.log([[1.0, 3.0], [4.0, 1.0]])), [[0.25, 0.75], [0.8, 0.2]]), "wrong shares"
### BEGIN HIDDEN TESTS
assert not np.isnan(shares(np.array([[1e4, 1e4], [0.0, 0.0]]))).any(), "exp overflows"
assert np.allclose(shares(np.log([[[1.0, 3.0]], [[2.0, 2.0]]])), [[[0.25, 0.75]], [[0.5, 0.5]]]), "three axes"
assert shares(np.zeros((2, 3))).dtype == float, "an array of floats is expected"
### END HIDDEN TESTS
"""
RIGHT = """\
# %% right: with torch-like names
def shares(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)
"""
WRONG = """\
# %% wrong: down the columns says="wrong shares"
def shares(scores):
    powers = np.exp(scores - scores.max(axis=0, keepdims=True))
    return powers / powers.sum(axis=0, keepdims=True)

# %% wrong: equal shares says="wrong shares"
def shares(scores):
    return np.ones_like(scores) / scores.shape[-1]

# %% wrong: no maximum subtracted says="exp overflows" visible=false
def shares(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
"""
# A right answer in 32 bits has no 64: the honest test asks for that, so this exercise allows no such input.
ALLOWED = '[inputs]\nshares = ["strided", "column-major"]\n'


def planted(
    root: Path,
    test: str = HONEST,
    solution: str = SOFTMAX,
    answers: str = RIGHT + WRONG,
    declared: str = ALLOWED,
    more: str = "",
) -> Course:
    """A course with one lesson and one exercise."""
    body = "\n".join(
        [
            '# %% nbgrader={"grade_id": "imports", "solution": false, "grade": false, "locked": true, '
            '"points": 0, "schema_version": 3, "task": false}\nimport numpy as np\n',
            f'# %% nbgrader={{"grade_id": "shares", {SOLUTION}}}\n'
            f"### BEGIN SOLUTION\n{solution}### END SOLUTION\n",
            f'# %% nbgrader={{"grade_id": "shares-test", {TEST}}}\n{test}',
            more,
        ]
    )
    (root / "source" / LESSON).mkdir(parents=True)
    nbformat.write(jupytext.reads(body, fmt="py:percent"), root / "source" / LESSON / f"{LESSON}.ipynb")
    (root / "answers" / LESSON).mkdir(parents=True)
    (root / "answers" / LESSON / "shares.py").write_text(answers)
    if declared:
        (root / "answers" / LESSON / EQUIVALENTS_FILE).write_text(declared)
    (root / "nbgrader_config.py").write_text(CONFIG)
    return Course(root)


def audited(course: Course, **options) -> NotebookAudit:
    (one,) = run_audit(course, [LESSON], **options)
    return one


def kinds(one: NotebookAudit) -> set[str]:
    return {finding.kind for finding in one.findings}


def passing(one: NotebookAudit) -> set[str]:
    """The wrong answers that keep full marks."""
    return {finding.answer for finding in one.findings if finding.kind == FindingKind.PASSES}


def survivors(one: NotebookAudit) -> set[str]:
    """The changed lines of unlisted survivors."""
    found = [survivor for exercise in one.exercises.values() for survivor in exercise.survivors]
    return {survivor.becomes for survivor in found if survivor.reason is None}


def test_an_honest_test_has_no_findings(tmp_path):
    one = audited(planted(tmp_path))
    assert one.findings == []
    exercise = one.exercises["shares"]
    assert (exercise.right, exercise.wrong, exercise.told[UNSEEN]) == (2, 3, 1)
    assert exercise.mutants > 30 and exercise.caught == exercise.mutants
    assert exercise.inputs == 4 and exercise.alarms == 0


def test_a_test_of_0_points_is_judged_by_whether_it_fails(tmp_path):
    def audit_without_points(name: str, **parts: str) -> NotebookAudit:
        course = planted(tmp_path / name, **parts)
        path = course.path("source", LESSON) / f"{LESSON}.ipynb"
        path.write_text(path.read_text().replace('"points": 2', '"points": 0'))
        return audited(course)

    one = audit_without_points("honest")
    assert one.findings == [] and one.exercises["shares"].caught == one.exercises["shares"].mutants > 30
    one = audit_without_points("weak", test="assert shares(np.zeros((2, 3))).shape == (2, 3), 'shape'\n")
    assert passing(one) == {"down the columns", "equal shares", "no maximum subtracted"}


def test_a_test_that_asserts_nothing_is_reported(tmp_path):
    one = audited(planted(tmp_path, test="result = shares(np.zeros((2, 2)))\n"))
    assert passing(one) == {"down the columns", "equal shares", "no maximum subtracted"}
    assert any("sum(axis=0" in line for line in survivors(one))


def test_a_test_that_checks_only_the_shape_is_reported(tmp_path):
    one = audited(planted(tmp_path, test="assert shares(np.zeros((2, 3))).shape == (2, 3), 'shape'\n"))
    assert passing(one) == {"down the columns", "equal shares", "no maximum subtracted"}
    assert any("sum(axis=0" in line for line in survivors(one))


def test_a_test_with_saturated_inputs_is_reported(tmp_path):
    """With scores so far apart that every share is 0 or 1, hardly anything matters."""
    test = "assert np.allclose(shares(np.array([[900.0, 0.0], [0.0, 900.0]])), np.eye(2)), 'wrong shares'\n"
    one = audited(planted(tmp_path, test=test))
    assert "down the columns" in passing(one)
    assert any("max(axis=0" in line for line in survivors(one))


def test_a_test_that_compares_the_answer_with_itself_is_reported(tmp_path):
    test = "x = np.log([[1.0, 3.0], [4.0, 1.0]])\nassert np.allclose(shares(x), shares(x.copy())), 'shares'\n"
    one = audited(planted(tmp_path, test=test))
    assert passing(one) == {"down the columns", "equal shares", "no maximum subtracted"}
    assert survivors(one)


# Tests that ask too little, each with the cheat that it lets through.
BLUNT = {
    "zeros of the right shape": "assert shares(np.zeros((2, 3))).shape == (2, 3)",
    "returns 0": "assert np.all(shares(np.zeros((2, 3))) - shares(np.zeros((2, 3))) == 0)",
    "changes what it was given to 0": "x = np.zeros((2, 3)) + 1\nassert np.all(shares(x) == x * 2)",
    "remembers its first answer": "assert np.allclose(shares(np.zeros((1, 4))), 0.25)",
    "returns its first argument": "for row in shares(np.zeros((0, 3))):\n    assert row.sum() == 1",
    # The numbers of the visible part can be typed in.
    "nan of the right shape": "assert np.allclose(shares(np.zeros((1, 4))), 0.25)\n### BEGIN HIDDEN TESTS\n"
    "assert shares(np.eye(2)).shape == (2, 2)\n### END HIDDEN TESTS",
    "True at first": "shown = [shares(n) for n in range(9)]\nassert shown == [True] * 4 + [False] * 5",
}


@pytest.mark.parametrize("cheat", BLUNT)
def test_a_test_that_a_generic_cheat_passes_is_reported(tmp_path, cheat):
    course = planted(tmp_path, test=BLUNT[cheat], answers=RIGHT)
    one = audited(course, mutants=False)
    assert cheat in {finding.answer for finding in one.findings if finding.kind == FindingKind.CHEATED}


AGAIN = f"""\
# %% nbgrader={{"grade_id": "again", {SOLUTION}}} builds_on=BUILDS
### BEGIN SOLUTION
def again(scores):
    return CODE
### END SOLUTION

# %% nbgrader={{"grade_id": "again-test", {TEST}}}
assert np.allclose(again(np.log([[1.0, 3.0], [4.0, 1.0]])), [[0.25, 0.75], [0.8, 0.2]])
assert np.allclose(again(np.zeros((3, 5))), 0.2)
"""
ANEW = "np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)"


@pytest.mark.parametrize(
    "builds, code, kind",
    [
        ('["shares"]', ANEW, FindingKind.CHEATED),
        ("[]", ANEW, None),
        ("[]", "shares(scores)", FindingKind.BUILDS),
    ],
)
def test_exercises_that_must_not_call_each_other_are_reported(tmp_path, builds, code, kind):
    more = AGAIN.replace("BUILDS", builds).replace("CODE", code)
    one = audited(planted(tmp_path, answers=RIGHT, more=more), mutants=False)
    found = [(finding.exercise, finding.kind) for finding in one.findings]
    assert found == ([("again", kind)] if kind else [])


@pytest.mark.parametrize(
    "said, told",
    [
        ("f'with {got[0, 0]}, expected 0.5'", True),
        ("f'the shape is {got.shape}'", True),
        ("f'in two parts\\nthe shape is {got.shape}'", False),
        ("'the shares of 4.125 are known'", False),
    ],
)
def test_a_message_that_shows_hidden_numbers_to_students_is_reported(tmp_path, said, told):
    hidden = f"got = shares(np.zeros((3, 2)))\nassert np.allclose(got, 0.5), {said}"
    test = HONEST.replace("### END", f"{hidden}\n### END").replace('"wrong shares"', '"wrong shares (4.125)"')
    mistake = (
        '# %% wrong: of two says="" visible=false\ndef shares(scores):\n    if scores.shape == (3, 2):\n'
        "        return scores + 0.7\n"
        "    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))\n"
        "    return powers / powers.sum(axis=-1, keepdims=True)\n"
    ).replace('says=""', 'says="s"')
    one = audited(planted(tmp_path, test=test, answers=RIGHT + WRONG + mistake), mutants=False)
    assert kinds(one) == ({FindingKind.TELLS} if told else set())


def test_a_right_answer_that_loses_points_is_reported(tmp_path):
    test = HONEST + "assert isinstance(shares(np.zeros((1, 2))), np.ndarray), 'no array'\n"
    lists = "\n# %% right: lists\n" + SOFTMAX.replace("return ", "return list(").rstrip() + ")\n"
    one = audited(planted(tmp_path, test=test, answers=RIGHT + WRONG + lists), mutants=False)
    assert {(finding.kind, finding.answer) for finding in one.findings} >= {(FindingKind.LOSES, "lists")}


@pytest.mark.parametrize(
    "was, becomes, what",
    [
        ('says="wrong shares"', 'says="not these words"', "not 'not these words'"),
        ('says="exp overflows" visible=false', 'says="exp overflows"', "only a hidden assert"),
        ('says="wrong shares"', 'says="wrong shares" visible=false', "a visible assert"),
        ('fails=["shares-test"]', 'fails=["other-test"]', "passes other-test"),
    ],
)
def test_a_wrong_answer_that_fails_otherwise_is_reported(tmp_path, was, becomes, what):
    more = f'# %% nbgrader={{"grade_id": "other-test", {TEST}}}\nassert True\n'
    # With a second test cell, each answer has to name the one that fails.
    answers = re.sub(r"^(# %% wrong: [^=]*) says=", r'\1 fails=["shares-test"] says=', WRONG, flags=re.M)
    answers = answers.replace(was, becomes, 1)
    course = planted(tmp_path, answers=RIGHT + answers, more=more)
    # The second cell asks nothing.
    findings = audited(course, mutants=False).findings
    found = [finding for finding in findings if finding.kind != FindingKind.CHEATED]
    assert [finding.kind for finding in found] == [FindingKind.OTHERWISE]
    assert what in found[0].what


def test_an_assert_after_the_hidden_ones_is_visible(tmp_path):
    test = HONEST + "assert shares(np.zeros((1, 1))) == 1, 'one share'\n"
    mistake = """
# %% wrong: half of it, if there is one says="one share"
def shares(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True) * (0.5 if scores.size == 1 else 1)
"""
    one = audited(planted(tmp_path, test=test, answers=RIGHT + WRONG + mistake), mutants=False)
    assert one.findings == []


def test_points_for_a_part_are_not_full_marks(tmp_path):
    """nbgrader takes a number at the end of a test cell for points."""
    one = audited(
        planted(tmp_path, test="float(np.allclose(shares(np.zeros((1, 2))), 0.5))\n"), mutants=False
    )
    assert {finding.answer for finding in one.findings if finding.kind == FindingKind.LOSES} == {
        "reference",
        "with torch-like names",
    }


LOOP = """\
def shares(scores):
    total, place = 0.0, 0
    while place < len(scores):
        total = total + scores[place]
        place = place + 1
    return scores / total
"""
LOOP_TEST = "assert np.allclose(shares(np.array([1.0, 3.0, 4.0])), [0.125, 0.375, 0.5]), 'wrong shares'\n"


@pytest.mark.slow
def test_a_mutant_that_never_ends_is_stopped_and_counts_as_caught(tmp_path):
    one = audited(planted(tmp_path, LOOP_TEST, LOOP, '# %% wrong: as it is says="x"\npass\n', ""))
    exercise = one.exercises["shares"]
    assert exercise.endless >= 1
    assert exercise.caught + len(exercise.survivors) == exercise.mutants
    assert FindingKind.HARNESS not in kinds(one)


def test_a_process_that_dies_is_an_error_of_the_audit_and_no_catch(tmp_path):
    deadly = '\n# %% wrong: ends the process says="x"\nimport os\nos._exit(1)\n'
    one = audited(planted(tmp_path, answers=RIGHT + WRONG + deadly), mutants=False)
    assert [(finding.kind, finding.answer) for finding in one.findings] == [
        (FindingKind.HARNESS, "ends the process")
    ]


IMPORTS = f"""\
# %% nbgrader={{"grade_id": "whole", {SOLUTION}}} builds_on=[]
import numbers
### BEGIN SOLUTION
def whole(x):
    return round(x)
### END SOLUTION

# %% nbgrader={{"grade_id": "whole-test", {TEST}}}
assert isinstance(whole(1.25), numbers.Number) and whole(2.75) == 3
"""


def test_tests_in_another_process_have_the_imports_that_they_have_when_students_are_graded(tmp_path):
    course = planted(tmp_path, more=IMPORTS)
    lesson = Lesson(course.source(LESSON, LESSON))
    task = AnswerTask(0, "whole", lesson.solutions["whole"], ("whole-test",), judged=True)
    (result,) = run_answers(lesson, [task], ())
    assert result.attempts["whole-test"].passed, result


def test_inputs_that_an_exercise_allows_must_do_and_others_need_not(tmp_path):
    one = audited(planted(tmp_path, declared=""), mutants=False)
    assert kinds(one) == {FindingKind.ALARM}
    assert {finding.what.split(":")[0] for finding in one.findings} == {"float32"}
    assert one.exercises["shares"].alarms == 2


UNUSED = SOFTMAX.replace("    return", "    rows = len(scores) + 0\n    return")
EQUIVALENT = """
[[equivalent]]
exercise = "shares"
answer = "reference"
was = "rows = len(scores) + 0"
becomes = [{}]
reason = "Nothing uses this number."
"""


def listed(lines: set[str]) -> str:
    return ALLOWED + EQUIVALENT.format(", ".join(json.dumps(line) for line in sorted(lines)))


def test_an_equivalent_is_listed_once_and_stays_valid_when_its_line_moves(tmp_path):
    found = survivors(audited(planted(tmp_path / "first", solution=UNUSED)))
    assert "rows = len(scores) - 0" in found and "pass" in found
    moved = UNUSED.replace(
        "    rows = len(scores) + 0", "    # How many?\n\n    rows = (len(scores)\n            +  0)"
    )
    one = audited(planted(tmp_path / "second", solution=moved, declared=listed(found)))
    assert one.findings == []
    assert {survivor.reason for survivor in one.exercises["shares"].survivors} == {
        "Nothing uses this number."
    }


def test_a_line_that_chooses_freely_is_listed_once_for_all_that_it_becomes(tmp_path):
    free = listed(set()).replace("becomes = []\n", "")
    one = audited(planted(tmp_path / "first", solution=UNUSED, declared=free))
    assert one.findings == [] and one.exercises["shares"].survivors
    gone = audited(planted(tmp_path / "second", declared=free))
    assert kinds(gone) == {FindingKind.STALE}


def test_an_equivalent_that_is_none_any_more_is_reported(tmp_path):
    found = survivors(audited(planted(tmp_path / "first", solution=UNUSED)))
    more = 'assert "rows" not in shares.__code__.co_varnames or shares.__code__.co_consts, "?"\n'
    gone = audited(planted(tmp_path / "second", declared=listed(found)))
    assert kinds(gone) == {FindingKind.STALE} and len(gone.findings) == len(found)
    strict = HONEST + 'assert "rows" in shares.__code__.co_varnames, "count the rows"\n' + more
    caught = audited(planted(tmp_path / "third", strict, UNUSED, WRONG, listed(found)))
    assert FindingKind.STALE in kinds(caught)
    assert "'pass'" in next(
        f.what for f in caught.findings if f.kind == FindingKind.STALE and "pass" in f.what
    )


@pytest.mark.parametrize(
    "declared, complaint",
    [
        ("[[equivalent]]\nexercise = 1\n", "KeyError"),
        ("not toml", "TOML"),
        (listed({"pass"}) + EQUIVALENT.format('"pass"'), "listed twice"),
        ('[inputs]\nshares = ["float13"]\n', "float32, float64"),
        ('[inputs]\nno-such = ["float32"]\n', "unknown exercise 'no-such'"),
    ],
)
def test_a_list_that_can_not_be_used_is_one_clear_sentence(tmp_path, declared, complaint):
    with pytest.raises(CourseError, match=re.escape(complaint)):
        audited(planted(tmp_path, declared=declared))


@pytest.mark.parametrize(
    "source, lines",
    [
        ("y = x.sum(axis=-1)", {"y = x.sum(axis=0)", "y = x.sum(axis=-2)"}),
        ("y = f(x, dim=0)", {"y = f(x, dim=-1)", "y = f(x, dim=-2)"}),
        ("y = a.T", {"y = a", "y = a.reshape(a.T.shape)"}),
        ("y = a.transpose(1, 2)", {"y = a", "y = a.reshape(a.transpose(1, 2).shape)"}),
        ("y = np.swapaxes(a, 0, 1)", {"y = a", "y = a.reshape(np.swapaxes(a, 0, 1).shape)"}),
        ("y = a.sum(1, keepdims=True)", {"y = a.sum(1)", "y = a.sum(1, keepdims=False)"}),
        ("y = a[:, None]", {"y = a"}),
        ("y = a / b", {"y = a", "y = a / b / b", "y = a * b"}),
        ("y = a @ b", {"y = b @ a"}),
        ("y = np.matmul(a, b)", {"y = np.matmul(b, a)"}),
        ("y = np.tril(a)", {"y = np.triu(a)", "y = np.tril(a, 1)", "y = np.tril(a, -1)"}),
        ("y = a.triu(1)", {"y = a.tril(1)", "y = a.triu(2)", "y = a.triu(0)"}),
        ("y = i < j", {"y = i <= j"}),
        ("y = a\nz = b", {"pass"}),
        ("y = np.zeros(3, dtype=float)", {"y = np.zeros(3, dtype='float16')"}),
        ("y = a.to(torch.float64)", {"y = a.to(torch.float32)"}),
        ("def f():\n    return a, b", {"return (b, a)"}),
        ("y = a.reshape(2, 3)", {"y = a"}),
        ("def f(x):\n    return x + 1", {"return (x + 1).detach()"}),
        ("def f(x):\n    return x, w", {"return (x.detach(), w)"}),
        ("def f(x):\n    y = np.zeros(3)", {"y = np.zeros(3, dtype=x.dtype)"}),
        ("y = self.q(x)", {"y = self.q(x).detach()"}),
        ("y = where(m, -np.inf, s)", {"y = where(m, -10000.0, s)"}),
        ("y = x.masked_fill(m, float('-inf'))", {"y = x.masked_fill(m, -10000.0)"}),
    ],
)
def test_operators_make_the_slips_of_array_code(source, lines):
    assert lines <= {mutant.becomes for mutant in generate_mutants(source)}


def test_a_function_that_draws_gets_a_mutant_that_resets_the_generator():
    mutants = generate_mutants("def f(x):\n    return dropout(x)")
    assert any("manual_seed(0)" in mutant.source for mutant in mutants)
    assert not any("manual_seed" in mutant.source for mutant in generate_mutants("def f(x):\n    return x"))


def test_a_mutant_differs_in_one_place_and_each_comes_once():
    found = generate_mutants("x = a + b\ny = a + b\nx = a + b")
    assert len({mutant.source for mutant in found}) == len(found)
    same = [mutant.nth for mutant in found if (mutant.was, mutant.becomes) == ("x = a + b", "x = a - b")]
    assert same == [0, 1]


def test_the_command_writes_a_table_and_json_and_says_if_something_is_wrong(tmp_path):
    course = planted(tmp_path / "bad", test="assert shares(np.zeros((2, 3))).shape == (2, 3), 'shape'\n")
    run = CliRunner().invoke(app.app, ["audit", "--course", str(course.root), "--output", "report"])
    assert run.exit_code == 1
    assert "a wrong answer keeps full marks: 3" in run.output
    (one,) = json.loads((course.root / "report" / "audit.json").read_text())
    assert {finding["kind"] for finding in one["findings"]} >= {FindingKind.PASSES, FindingKind.SURVIVES}
    # Lines for equivalent.toml.
    survivors = one["exercises"]["shares"]["survivors"]
    assert any("powers.sum(axis=0, keepdims=True)" in survivor["becomes"] for survivor in survivors)

    good = planted(tmp_path / "good")
    run = CliRunner().invoke(app.app, ["audit", LESSON, "--exercise", "shares", "--course", str(good.root)])
    assert run.exit_code == 0, run.output


def test_there_is_nothing_to_audit_without_answers(tmp_path):
    course = planted(tmp_path)
    with pytest.raises(CourseError, match="no answers to 'other'"):
        run_audit(course, [LESSON], exercise="other")
