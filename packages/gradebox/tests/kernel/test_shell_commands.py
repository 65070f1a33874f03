"""Shell lines and idioms of Colab do not end a cell: the code below them runs, in the sandbox, too."""

import shutil
import time

import pytest
from helpers import SAMPLE, WHOLE, cell, graded, record, record_tests, solves, with_settings, write_notebook
from kernel_runs import printed_by, run
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.converters import Autograde

from gradebox.course import Course
from gradebox.kernel import zygote_client
from gradebox.notebook_metadata import OK, TIMED_OUT, read_ending
from gradebox.release.release_lessons import write_student_version

pytestmark = pytest.mark.skipif(
    not zygote_client.can_fork_kernels(), reason="this system has no process descriptors"
)
WITHOUT_NETWORK = "There is no network during grading"
UNKNOWN = "no-such-package-of-anybody"


@pytest.fixture(params=["full", "none"])
def isolation(request) -> str:
    if request.param == "full" and not WHOLE:
        pytest.skip("this machine has no whole sandbox")
    return request.param


def shown(isolation: str, *sources: str, timeout: int = 60) -> list[str]:
    """What cells print, each of which runs to its end: its last line is code."""
    cells = [new_code_cell(f"{source}\nprint('below')") for source in sources]
    nb = run(new_notebook(cells=cells), isolation=isolation, timeout=timeout)
    for each in nb.cells:
        assert read_ending(each) == OK, (each.source, each.outputs)
        assert all(output.output_type == "stream" for output in each.outputs)
        # stderr is displayed as stdout, as in a terminal.
        assert {output.name for output in each.outputs} <= {"stdout"}, each.outputs
    texts = [printed_by(each) for each in nb.cells]
    assert all(text.endswith("below\n") for text in texts), texts
    return [text.removesuffix("below\n") for text in texts]


def test_code_below_a_command_runs(isolation):
    lines = ["!echo out; echo err >&2", "%mkdir folder", "%ls", "!cat no-such-file", "!no-such-program", "!"]
    out, _, folder, cat, program, _ = shown(isolation, *lines)
    assert out == "out\nerr\n" and "folder" in folder
    assert "No such file" in cat and "not found" in program


def test_the_exit_code_is_kept(isolation):
    codes = ["!exit 3", "!kill -9 $$", "!exit 3 | cat", "%ls no-such-folder"]
    assert shown(isolation, *(f"{line}\nprint(_exit_code)" for line in codes[:3])) == ["3\n", "-9\n", "0\n"]
    assert shown(isolation, f"{codes[3]}\nprint(_exit_code > 0)")[0].endswith("True\n")


def test_output_comes_in_its_order_and_can_be_captured(isolation):
    program = "print(1); import sys; print(2, file=sys.stderr); print(3)"
    first, unseen, kept, word, bad = shown(
        isolation,
        f"import sys\nprint(0)\n!{{sys.executable}} -c '{program}'\nprint(4)",
        "from IPython.utils.capture import capture_output\nwith capture_output() as kept:\n    !echo unseen",
        "print(repr(kept.stdout))",
        "word = 'value'\n!echo $word {word.upper()}",
        r"!printf 'caf\303\251 \377\n'",
    )
    assert first == "0\n1\n2\n3\n4\n"
    assert unseen == "" and kept == "'unseen\\n'\n"
    assert word == "value VALUE\n" and bad == "café \N{REPLACEMENT CHARACTER}\n"


def test_other_ways_to_run_programs_work_as_before(isolation):
    texts = shown(
        isolation,
        "x = !echo one; echo two\nprint(x)",
        "y = %sx echo three\nprint(y)",
        "import os\nprint(os.system('echo four'))",
        "get_ipython().run_cell_magic('bash', '', 'echo five')",
    )
    assert texts[:2] == ["['one', 'two']\n", "['three']\n"]
    assert sorted(texts[2].split()) == ["0", "four"] and texts[3] == "five\n"


def test_a_program_in_the_background_does_not_hold_the_cell(isolation):
    began = time.monotonic()
    texts = shown(isolation, "!sleep 300 &", "!sleep 300 & echo started", timeout=20)
    assert texts == ["", "started\n"] and time.monotonic() - began < 30


def test_a_command_gets_no_input(isolation):
    assert shown(isolation, '!read answer; echo "<$answer>"', timeout=20) == ["<>\n"]


def test_a_command_without_end_is_interrupted_with_its_children(isolation):
    late, alive = run(
        new_notebook(
            cells=[
                new_code_cell("!(sleep 3; touch late) & sleep 300\nnever = True"),
                new_code_cell(
                    "import os, time\ntime.sleep(4)\nprint(os.path.exists('late'), 'never' in globals())"
                ),
            ]
        ),
        isolation=isolation,
        timeout_func=lambda cell: 1 if "never = True" in cell.source else 60,
    ).cells
    assert read_ending(late) == TIMED_OUT
    assert printed_by(alive) == "False False\n"


def test_a_package_that_can_not_be_installed_is_said_soon(isolation):
    began = time.monotonic()
    lines = [f"!pip install {UNKNOWN}", f"%pip install -q {UNKNOWN}", f"%conda install {UNKNOWN}"]
    lines += [f"%mamba install {UNKNOWN}", f"%uv pip install {UNKNOWN}", f"!git clone file:///{UNKNOWN}"]
    texts = shown(isolation, *lines)
    # Two starts of pip, on a machine that is busy.
    assert time.monotonic() - began < 60
    assert all(len(text) > 10 for text in texts)
    if isolation == "full":
        assert all(WITHOUT_NETWORK in text for text in texts), texts


def test_pip_is_the_one_of_the_kernel(isolation):
    (text,) = shown(isolation, "%pip --version\nimport sys\nprint(sys.prefix)")
    version, *_, prefix = text.splitlines()
    assert prefix in version


def test_colab_is_stubbed_and_the_cell_goes_on(isolation):
    mount, upload, other, nested = shown(
        isolation,
        "from google.colab import drive\ndrive.mount('/content/drive')",
        "import os, google.colab\nfrom google.colab import files as f, output, userdata\n"
        "print(f.upload(), repr(userdata.get('KEY')))\noutput.clear()\ngoogle.colab.files.download('x')",
        "from google.colab.patches import cv2_imshow as show\nfrom google import colab\nshow([1])",
        "def begin():\n    if True:\n        import google.colab.drive as d\n        d.mount('x')\nbegin()",
    )
    assert mount == "google.colab.drive.mount() is not available during grading. The cell continues.\n"
    assert "{} ''" in upload and "files.download() is not available" in upload
    assert "cv2_imshow() is not available" in other and nested == mount


def test_a_notebook_still_detects_that_it_is_not_in_colab(isolation):
    texts = shown(
        isolation,
        "from google.colab import drive",
        "try:\n    import google.colab\n    print(True)\nexcept ImportError:\n    print(False)",
        "import sys\nprint('google.colab' in sys.modules)",
        "from contextlib import suppress\nwith suppress(ImportError):\n    import google.colab\n    print(1)",
    )
    assert texts == ["", "False\n", "False\n", ""]


def test_the_real_package_is_imported_if_there_is_one():
    package = "import os, sys\nos.makedirs('google/colab')\nopen('google/colab/__init__.py', 'w').close()\n"
    package += "with open('google/colab/drive.py', 'w') as file:\n    file.write('real = True')\n"
    texts = shown(
        "none", f"{package}sys.path.insert(0, '.')", "from google.colab import drive\nprint(drive.real)"
    )
    assert texts == ["", "True\n"]


@pytest.mark.parametrize("line", ["widget", "qt", "Qt5", "notebook", "tk", "ipympl", "auto", ""])
def test_an_interactive_backend_becomes_inline(line, isolation):
    source = f"%matplotlib {line}\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nafter = 1"
    nb = run(new_notebook(cells=[new_code_cell(source), new_code_cell("after")]), isolation=isolation)
    assert [read_ending(each) for each in nb.cells] == [OK, OK]
    assert any("image/png" in output.get("data", {}) for output in nb.cells[0].outputs)


def test_a_backend_without_a_screen_is_kept():
    assert shown("none", "%matplotlib agg\nimport matplotlib\nprint(matplotlib.get_backend())") == ["agg\n"]


GIVEN = "!mkdir data\n%conda install numpy\nimport os\nTWO = 2 if os.path.isdir('data') else None"
SOLUTION = "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION"
TEST = "assert double(TWO) == 4\n### BEGIN HIDDEN TESTS\nassert double(3) == 6\n### END HIDDEN TESTS"
BEGINNINGS = {
    "pip": f"!pip install {UNKNOWN}",
    "quiet-pip": "%pip install -q numpy",
    "conda": "%conda install numpy",
    "screen": "!nvidia-smi\n%matplotlib widget",
    "folder": "%mkdir new\n%cd new",
    "colab": "from google.colab import drive\ndrive.mount('/content/drive')\n%cd /content/drive/MyDrive",
}


def test_points_are_kept_below_such_lines(tmp_path):
    # The judge runs the commands of given cells; a test with commands runs in the student's process.
    cells = [
        cell("given", "given", GIVEN),
        cell("solution", "double", SOLUTION),
        cell("test", "double-test", TEST),
        cell("test", "command-test", f"!exit 1\n{TEST}"),
    ]
    judged = {name: mode.judged for name, mode in record_tests(new_notebook(cells=cells)).items()}
    assert judged == {"double-test": True, "command-test": False}
    write_notebook(tmp_path / "source" / "hw" / "hw.ipynb", cells)
    shutil.copy(SAMPLE / "nbgrader_config.py", tmp_path)
    course = with_settings(Course(tmp_path), 'c.Execute.preload = ["numpy"]')
    write_student_version(course, "hw")
    record(course, "hw")
    for student, lines in BEGINNINGS.items():
        solves(course, student, double=f"{lines}\ndef double(x):\n    return 2 * x")
        assert course.convert(Autograde, "hw", student) is None
        assert graded(course, "hw", student).scores == {"double-test": 2, "command-test": 2}, student
