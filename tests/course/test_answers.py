"""Right answers get full marks and wrong ones fail by name, each as a notebook of its own, by gradebox."""

import shutil

import pytest
from helpers import grade_id, graded, hand_in, points_of, with_settings
from repository import LESSONS, REPOSITORY, SAMPLED, notebook

from gradebox.audit.run_audit import run_audit
from gradebox.autograde.discover_submissions import read_submission
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.course import Course, CourseError
from gradebox.notebook_exercises import extract_reference_solutions, insert_answers, map_tests_to_solutions
from gradebox.release import read_answers_folder


def difference(result, answer: read_answers_folder.Answer, source) -> str | None:
    """What is not as the answer's title says, or None."""
    points = points_of(source)
    failed = {test for test in points if result.scores[test] != points[test]}
    if failed != set(answer.fails):
        return "; ".join(f"{test}: {result.failures.get(test)}" for test in failed ^ set(answer.fails))
    if any(result.scores[test] != 0 for test in failed):
        return "a failed test has points"
    if not answer.right:
        own = next(test for test in map_tests_to_solutions(source)[answer.exercise] if test in failed)
        failure = result.failures[own]
        if answer.says not in failure.message:
            return f"{own} says {failure.message!r}, not {answer.says!r}"
        if answer.advice and failure.visible and failure.message.splitlines()[-1] != answer.advice:
            return f"{own} says {failure.message!r}, not {answer.advice!r}"
        if failure.visible != answer.visible:
            return f"{own}: visible={failure.visible}: {failure.message}"
    return None


def class_of(
    course: Course, lesson: str, known: list[read_answers_folder.Answer]
) -> dict[str, read_answers_folder.Answer]:
    """Grade a class in which every student has one exercise by an answer, and the rest by the reference."""
    source, empty = notebook("source", lesson), notebook("release", lesson)
    students = {f"answer{number:03d}": answer for number, answer in enumerate(known)}
    for student, answer in students.items():
        nb = insert_answers(empty, extract_reference_solutions(source) | {answer.exercise: answer.source})
        # As if the student had deleted every cell that isn't graded or given: only these decide.
        nb.cells = [cell for cell in nb.cells if grade_id(cell)]
        hand_in(course, lesson, student, nb)
    outcomes = autograde_submissions(
        course, [read_submission(course, lesson, student) for student in students], workers=2
    )
    assert [outcome.problem for outcome in outcomes if outcome.problem] == []
    return students


@pytest.mark.parametrize("lesson", SAMPLED)
def test_an_answer_of_each_kind_does_what_its_title_says(this_course, tmp_path, lesson):
    """Of each exercise the first that is right, fails visibly, fails hidden. The audit tries all of them."""
    course = Course(shutil.copytree(this_course, tmp_path / "course"))
    source = notebook("source", lesson)
    kinds: dict[tuple, read_answers_folder.Answer] = {}
    for answer in read_answers_folder.read_answers(REPOSITORY / "answers" / lesson, source):
        if not answer.prose:
            kinds.setdefault((answer.exercise, answer.right, answer.visible), answer)
    students = class_of(course, lesson, list(kinds.values()))
    wrong = {
        f"{answer.exercise}: {answer.title}": difference(graded(course, lesson, student), answer, source)
        for student, answer in students.items()
    }
    assert {title: found for title, found in wrong.items() if found} == {}


@pytest.mark.parametrize("lesson", SAMPLED)
def test_with_second_chances_a_wrong_answer_costs_only_its_own_points(this_course, tmp_path, lesson):
    """Of each exercise, the answer that makes most of the others' tests fail."""
    course = with_settings(
        Course(shutil.copytree(this_course, tmp_path / "course")), "c.Execute.second_chances = True"
    )
    source = notebook("source", lesson)
    tests, points = map_tests_to_solutions(source), points_of(source)
    known = [a for a in read_answers_folder.read_answers(REPOSITORY / "answers" / lesson, source) if a.fails]
    far = [
        max(
            (a for a in known if a.exercise == exercise),
            key=lambda a: len(set(a.fails) - set(tests[exercise])),
        )
        for exercise in tests
    ]
    students = class_of(course, lesson, [a for a in far if set(a.fails) - set(tests[a.exercise])])
    # Where each test brings all that it needs, no answer costs another exercise anything.
    assert bool(students) == any(cell.metadata.get("builds_on") for cell in source.cells)
    for student, answer in students.items():
        scores = graded(course, lesson, student).scores
        lost = {test for test in points if scores[test] != points[test]}
        assert lost == set(answer.fails) & set(tests[answer.exercise]), answer.title


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_exercise_has_right_and_wrong_answers(lesson):
    source = notebook("source", lesson)
    known = read_answers_folder.read_answers(REPOSITORY / "answers" / lesson, source)
    for exercise in map_tests_to_solutions(source):
        assert sum(a.exercise == exercise and a.right for a in known) >= 3, exercise
        assert sum(a.exercise == exercise and not a.right for a in known) >= 3, exercise


def test_answers_that_fit_no_exercise_are_named(tmp_path):
    source = notebook("source", LESSONS[0])
    (tmp_path / "no-such.py").write_text("# %% right: anything\nx = 1\n")
    with pytest.raises(CourseError, match="no-such"):
        read_answers_folder.read_answers(tmp_path, source)


def read_one(folder, text):
    """The answers to the lesson's first exercise, if these are all."""
    source = notebook("source", LESSONS[0])
    exercise = next(iter(map_tests_to_solutions(source)))
    (folder / f"{exercise}.py").write_text(text, encoding="utf-8")
    return read_answers_folder.read_answers(folder, source)


@pytest.mark.parametrize(
    "title, complaint",
    [
        ("maybe: unsure", "titled"),
        ("wrong: without words", "words of a test's message"),
        ('wrong: other test says="x" fails=["no-such-test"]', "no-such-test"),
    ],
)
def test_a_malformed_answer_is_named(tmp_path, title, complaint):
    with pytest.raises(CourseError, match=complaint):
        read_one(tmp_path, f"# %% {title}\nx = 1\n")


def test_an_answer_may_say_only_what_it_changes_of_another(tmp_path):
    known = read_one(
        tmp_path,
        """\
# %% wrong: before its base says="x" of="two lines"
# was:     y = 2 * x
# becomes: y = 3 * x

# %% right: two lines
def f(x):
    y = 2 * x
    return y

# %% base
def f(x):
    return x + x

# %% right: of the base of="base"
# was:     return x + x
# becomes: return 2 * x

# %% right: one line of="two lines" visible=false
# was:     y = 2 * x
# was:     return y
# becomes: return 2 * x
""",
    )
    assert [(answer.title, answer.right, answer.visible, answer.source) for answer in known] == [
        ("before its base", False, True, "def f(x):\n    y = 3 * x\n    return y"),
        ("two lines", True, True, "def f(x):\n    y = 2 * x\n    return y"),
        ("of the base", True, True, "def f(x):\n    return 2 * x"),
        ("one line", True, False, "def f(x):\n    return 2 * x"),
    ]


@pytest.mark.parametrize("of", ["", ' of="reference"'])
def test_a_change_is_of_the_reference_if_it_names_no_other(tmp_path, of):
    solution = next(iter(extract_reference_solutions(notebook("source", LESSONS[0])).values()))
    last = solution.splitlines()[-1].strip()
    [answer] = read_one(tmp_path, f"# %% right: changed{of}\n# was: {last}\n# becomes: pass\n")
    assert answer.source == solution.replace(last, "pass")


WHOLE = "# %% right: whole\nx = 1\n"
CHANGE = "# was: x = 1\n# becomes: x = 2\n"


@pytest.mark.parametrize(
    "text, complaint",
    [
        (
            f'{WHOLE}# %% right: new of="whole"\n# was: y\n# becomes: z\n',
            "'new', of 'whole': the base does not contain `y`",
        ),
        (
            f'{WHOLE}# %% right: new of="whole"\n{CHANGE}x = 3\n',
            "'new', of 'whole': expected only .* lines, got `x = 3`",
        ),
        (f'{WHOLE}# %% right: new of="other"\n{CHANGE}', "'new': of='other' is not an answer in this file"),
        (f'# %% right: new of="new"\n{CHANGE}', "'new': of='new' is itself a change"),
        (
            f'# %% right: new of="old"\n{CHANGE}# %% right: old of="new"\n{CHANGE}',
            "'new': of='old' is itself a change",
        ),
        ('# %% right: new of="whole"\nx = 2\n' + WHOLE, "'new': of=… is only for an answer with"),
        (f"{WHOLE}{WHOLE}", "the title 'whole' is already used"),
        ("# %% right: reference\nx = 1\n", "the title 'reference' is already used"),
        ("# %% right: base\nx = 1\n", "the title 'base' is already used"),
        (f"# %% base\nx = 1\n{WHOLE}", "no answer uses the base"),
    ],
)
def test_a_change_of_nothing_is_named(tmp_path, text, complaint):
    with pytest.raises(CourseError, match=complaint) as error:
        read_one(tmp_path, text)
    assert str(error.value).startswith(str(tmp_path)) and "\n" not in str(error.value)


# `gradebox audit` is tested with gradebox; this is what it finds here.
@pytest.mark.slow
def test_the_mutants_of_an_exercise_are_caught_or_listed():
    (one,) = run_audit(Course(REPOSITORY), [LESSONS[0]], exercise="attention-scores")
    assert one.findings == []
    assert one.exercises["attention-scores"].mutants > 10
