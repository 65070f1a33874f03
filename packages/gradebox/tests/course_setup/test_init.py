"""`gradebox init`: one line in a course's settings, which can be taken out again without a trace."""

import os
from pathlib import Path

import pytest
from helpers import cell, gradebox, small_lesson, write_notebook

from gradebox import configure
from gradebox.course import Course, CourseError
from gradebox.course_setup.config_edit import CONFIG_LINE_PATTERN, add_config_line, remove_config_line
from gradebox.course_setup.init_command import describe_custom_steps
from gradebox.execute.execute_preprocessor import Execute

PLAIN = b"c = get_config()\nc.CourseDirectory.course_id = 'plain'\n"
STOCK = "nbgrader.preprocessors"


def a_course(root: Path, settings: bytes | None = PLAIN) -> Path:
    """A plain course of nbgrader's, with these settings."""
    write_notebook(root / "source" / "hw" / "hw.ipynb", small_lesson())
    if settings is not None:
        (root / "nbgrader_config.py").write_bytes(settings)
    return root


def everything(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "settings",
    [
        PLAIN,
        PLAIN.rstrip(b"\n"),
        PLAIN.replace(b"\n", b"\r\n"),
        PLAIN.replace(b"\n", b"\r\n").removesuffix(b"\r\n"),
        b"",
        b"# nothing here\n",
        b"settings = get_config()\nsettings.NbGrader.course_id = 'other name'\n",
        "# -*- coding: latin-1 -*-\nc = get_config()\n# Übungen\n".encode("latin-1"),
        b"c = get_config()\nif True:\n    c.CourseDirectory.course_id = 'indented'",
    ],
)
def test_the_line_is_put_in_and_taken_out_to_the_byte(tmp_path, settings):
    root = a_course(tmp_path, settings)
    before = everything(root)
    line = add_config_line(root)
    assert line and (root / "nbgrader_config.py").read_bytes().count(line.encode()) == 1
    steps = Course(root).app.config.Autograde.autograde_preprocessors
    assert steps[0] == "gradebox.preprocessors.Execute"
    # What one course changes of its lists is no other's.
    steps.clear()
    assert Course(root).app.config.Autograde.autograde_preprocessors
    assert add_config_line(root) is None
    assert not remove_config_line(root)
    assert everything(root) == before


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_what_is_written_below_the_line_counts_and_stays(tmp_path, newline):
    unended = PLAIN.rstrip(b"\n").replace(b"\n", newline)
    root = a_course(tmp_path, unended)
    add_config_line(root)
    path = root / "nbgrader_config.py"
    more = b"c.Execute.timeout = 61" + newline
    path.write_bytes(path.read_bytes() + more)
    assert Course(root).app.config.Execute.timeout == 61
    remove_config_line(root)
    assert path.read_bytes() == unended + newline + more


def test_settings_that_are_made_for_the_line_go_with_it(tmp_path):
    root = a_course(tmp_path, None)
    before = everything(root)
    assert add_config_line(root) and Course(root).assignments == ["hw"]
    assert remove_config_line(root) and everything(root) == before


def test_a_file_that_was_made_for_the_line_and_then_written_to_stays(tmp_path):
    root = a_course(tmp_path, None)
    add_config_line(root)
    path = root / "nbgrader_config.py"
    path.write_bytes(path.read_bytes() + b"c.Execute.timeout = 60\n")
    assert not remove_config_line(root)
    assert b"timeout" in path.read_bytes() and not CONFIG_LINE_PATTERN.search(path.read_bytes())


def test_what_a_link_points_to_is_written_and_modes_stay(tmp_path):
    root = a_course(tmp_path / "course", None)
    shared = tmp_path / "shared.py"
    shared.write_bytes(PLAIN)
    shared.chmod(0o640)
    (root / "nbgrader_config.py").symlink_to(shared)
    add_config_line(root)
    assert CONFIG_LINE_PATTERN.search(shared.read_bytes()) and (root / "nbgrader_config.py").is_symlink()
    assert shared.stat().st_mode & 0o777 == 0o640
    remove_config_line(root)
    assert shared.read_bytes() == PLAIN


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (b"c = get_config(\n", "nbgrader_config.py, line 1, can't be read: SyntaxError"),
        (b"c = get_config()\nimport nowhere\n", "nbgrader_config.py, line 2, can't be read: ModuleNotFound"),
    ],
)
def test_settings_that_can_not_be_read_are_said_and_left_as_they_are(tmp_path, settings, said):
    root = a_course(tmp_path, settings)
    done = gradebox(root, "init")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1, done.stderr
    assert said in done.stderr
    assert everything(root).keys() == {"nbgrader_config.py", "source/hw/hw.ipynb"}
    assert (root / "nbgrader_config.py").read_bytes() == settings


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_settings_that_can_not_be_written_are_said(tmp_path):
    root = a_course(tmp_path)
    root.chmod(0o555)
    with pytest.raises(CourseError, match="can't be written"):
        add_config_line(root)
    root.chmod(0o755)


def test_where_there_is_no_course_or_no_line_that_is_said(tmp_path):
    done = gradebox(tmp_path, "init")
    assert done.returncode == 2 and "not a course" in done.stderr and "quickstart" in done.stderr
    assert list(tmp_path.iterdir()) == []
    by_hand = b"import gradebox\nc = get_config()\ngradebox.configure(c)\n"
    root = a_course(tmp_path, by_hand)
    assert "already" in gradebox(root, "init", "--no-check").stdout
    done = gradebox(root, "init", "--remove")
    assert done.returncode == 2 and "no line" in done.stderr
    assert (root / "nbgrader_config.py").read_bytes() == by_hand


# As e2xgrader's documentation has it, and other ways in which courses have steps of their own.
OWN_STEPS = f"""
import sys
from nbgrader.preprocessors import ClearSolutions, NbGraderPreprocessor, OverwriteCells, SaveAutoGrades

c = get_config()

class Own(NbGraderPreprocessor):
    def preprocess(self, nb, resources):
        nb.metadata["own"] = True
        return nb, resources

class OwnCells(OverwriteCells):
    pass

here = sys.modules.setdefault("own_steps", type(sys)("own_steps"))
for one in (Own, OwnCells):
    one.__module__ = "own_steps"
    setattr(here, one.__name__, one)

c.Autograde.sanitize_preprocessors = [
    "{STOCK}.ClearOutput", "{STOCK}.DeduplicateIds", "{STOCK}.OverwriteKernelspec", "own_steps.OwnCells",
    "{STOCK}.CheckCellMetadata", Own,
]
c.Autograde.autograde_preprocessors = ["{STOCK}.Execute", "{STOCK}.SaveAutoGrades", "own_steps.Own"]
c.GenerateAssignment.preprocessors.insert(0, "own_steps.Own")
c.HTMLExporter.filters = {{"shout": str.upper}}
c.Execute.extra_arguments = ["--log-level=INFO"]
"""


def test_steps_of_a_course_stay_at_their_places_and_are_named(tmp_path):
    root = a_course(tmp_path, OWN_STEPS.encode())
    add_config_line(root)
    config = Course(root).app.config
    ours = "gradebox.preprocessors"
    steps = [
        step if isinstance(step, str) else step.__name__ for step in config.Autograde.sanitize_preprocessors
    ]
    assert steps == [
        *(f"{STOCK}.ClearOutput", f"{ours}.Repair", f"{STOCK}.OverwriteKernelspec", "own_steps.OwnCells"),
        *(f"{STOCK}.CheckCellMetadata", "Own", f"{ours}.Begin", f"{ours}.RequireReference"),
    ]
    assert config.Autograde.autograde_preprocessors == [
        *(f"{ours}.Execute", f"{ours}.Pictures", f"{ours}.SaveAutoGrades", "own_steps.Own", f"{ours}.Stamp")
    ]
    released = config.GenerateAssignment.preprocessors
    assert released[:3] == ["own_steps.Own", f"{ours}.Lessons", f"{STOCK}.IncludeHeaderFooter"]
    assert f"{ours}.Links" in released
    assert set(config.HTMLExporter.filters) == {
        *("shout", "ansi2html", "clean_html", "markdown2html", "strip_files_prefix")
    }
    assert config.Execute.extra_arguments == ["--log-level=INFO"]
    said = list(describe_custom_steps(config))
    assert any(
        "sanitize_preprocessors" in line and "own_steps.OwnCells, own_steps.Own" in line for line in said
    )
    # And they are done.
    assert gradebox(root, "release").returncode == 0
    write_notebook(root / "submitted" / "ann" / "hw" / "hw.ipynb", small_lesson())
    graded = gradebox(root, "autograde")
    assert graded.returncode == 0, graded.stdout + graded.stderr
    assert '"own": true' in (root / "autograded" / "ann" / "hw" / "hw.ipynb").read_text()


def test_what_a_test_can_not_be_judged_for_is_said(tmp_path):
    solution, test, *rest = small_lesson()
    test.source = (
        "assert double.__code__.co_argcount == 1\nimport threading\nassert threading.active_count() < 0"
    )
    write_notebook(tmp_path / "source" / "hw" / "hw.ipynb", [solution, test, *rest])
    (tmp_path / "nbgrader_config.py").write_bytes(PLAIN)
    done = gradebox(tmp_path, "init")
    assert done.returncode == 1 and "double-test" in done.stdout, done.stdout + done.stderr


def second_chances(root: Path) -> bool:
    return Execute(parent=Course(root).app).second_chances


def test_second_chances_are_off_in_an_adopted_course_unless_its_settings_turn_them_on(tmp_path):
    root = a_course(tmp_path / "plain")
    said = gradebox(root, "init", "--no-check").stdout
    assert "second_chances=False" in said and "Second chances are off, as in nbgrader" in said
    assert not second_chances(root)
    own = a_course(tmp_path / "own", PLAIN + b"c.Execute.second_chances = True\n")
    assert "are off" not in gradebox(own, "init", "--no-check").stdout and second_chances(own)
    below = a_course(tmp_path / "below")
    add_config_line(below)
    with (below / "nbgrader_config.py").open("a") as settings:
        settings.write("c.Execute.second_chances = True\n")
    assert second_chances(below)


def test_second_chances_are_on_where_a_course_calls_configure_itself(tmp_path):
    root = a_course(tmp_path, b"import gradebox\nc = get_config()\ngradebox.configure(c)\n")
    assert second_chances(root)
    with pytest.raises(TypeError):
        configure(Course(root).app.config, False)  # type: ignore[misc]


@pytest.mark.parametrize(
    "call", ["get_config()", "get_config(), second_chances=True", "get_config(), second_chances=False"]
)
def test_a_line_of_an_earlier_version_or_with_another_value_is_taken_out(tmp_path, call):
    line = f"import gradebox; gradebox.configure({call})  # Graded by gradebox.\n".encode()
    root = a_course(tmp_path, PLAIN + line)
    assert add_config_line(root) is None and not remove_config_line(root)
    assert (root / "nbgrader_config.py").read_bytes() == PLAIN


def test_a_later_test_gets_no_points_for_an_earlier_mistake_in_an_adopted_course(tmp_path):
    later = "def four(x):\n    ### BEGIN SOLUTION\n    return double(double(x))\n    ### END SOLUTION"
    lesson = [
        *small_lesson()[:2],
        cell("solution", "four", later),
        cell("test", "four-test", "assert four(3) == 12"),
    ]
    root = a_course(tmp_path)
    write_notebook(root / "source" / "hw" / "hw.ipynb", lesson)
    add_config_line(root)
    assert gradebox(root, "release", "--no-check").returncode == 0
    lesson[0].source, lesson[2].source = (
        "def double(x):\n    return 3 * x",
        "def four(x):\n    return double(double(x))",
    )
    write_notebook(root / "submitted" / "ann" / "hw" / "hw.ipynb", lesson)
    graded = gradebox(root, "autograde")
    assert graded.returncode == 0, graded.stdout + graded.stderr
    with Course(root).gradebook() as gradebook:
        assert gradebook.find_submission("hw", "ann").score == 0
