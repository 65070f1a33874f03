"""Build the zip of a Gradescope autograder: one lesson, gradebox itself, and the setup scripts.

`gradescope_run.py` runs on Gradescope. The same course produces the same bytes. The zip contains no student
data.
"""

import hmac
import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

from nbgrader.preprocessors import InstantiateTests
from packaging.requirements import Requirement

import gradebox
from gradebox.atomic_write import write_atomically
from gradebox.autograde.release_history import HISTORY_FILE
from gradebox.course import Course, CourseError
from gradebox.course_secret import SECRET_FILE, load_course_secret
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.isolation import UNCONTAINED_LEVELS
from gradebox.release import notebook_requirements
from gradebox.safe_submission_files import is_hidden

# Gradescope's values for when students see a result.
VISIBILITIES = ("visible", "after_due_date", "after_published", "hidden")
SETTINGS_FILE = "gradescope.json"
SETUP_SCRIPTS = ("setup.sh", "run_autograder")
# Settings that may point outside of the course's folder. On Gradescope, the default locations apply.
STEP_FOLDERS = ("source", "release", "submitted", "autograded", "feedback")
LOCATION_TRAITS = ("root", "db_url", "directory_structure", *(f"{step}_directory" for step in STEP_FOLDERS))
CONFIG_FOOTER = """
# On Gradescope, the course's folders and its gradebook are in nbgrader's default locations.
for _name in "{names}".split():
    c.CourseDirectory.pop(_name, None)
"""
# nbgrader itself ignores errors in the configuration file.
LOAD_CONFIG_CODE = (
    "from traitlets.config import PyFileConfigLoader as Loader; Loader('nbgrader_config.py').load_config()"
)
# The earliest date that a zip supports.
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class AutograderSettings:
    """Settings of a package: the lesson, and the visibility of points and messages (see VISIBILITIES)."""

    lesson: str
    points: str = "visible"
    words: str = "visible"


def write_autograder_zip(course: Course, settings: AutograderSettings, output: Path) -> None:
    """Write the zip for a lesson. Raises CourseError if the zip can't be built, with a remedy."""
    for option, when in (("--points", settings.points), ("--words", settings.words)):
        if when not in VISIBILITIES:
            raise CourseError(f"{option} can't be {when!r}: expected one of {', '.join(VISIBILITIES)}")
    files = dict(iter_package_files(course, settings))
    try:
        with write_atomically(output) as new, zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in sorted(files):
                entry = zipfile.ZipInfo(name, ZIP_EPOCH)
                entry.external_attr = (0o755 if name in SETUP_SCRIPTS else 0o644) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, files[name])
    except OSError as error:
        raise CourseError(f"{output} can't be written: {error.strerror or error}") from None


def iter_package_files(course: Course, settings: AutograderSettings) -> Iterator[tuple[str, bytes]]:
    """Yield the paths and contents of a package's files. Raises CourseError."""
    (lesson,) = course.select_assignments([settings.lesson])
    for name in course.notebooks(lesson):
        course.release_path(lesson, name)
    isolation = Execute(parent=course.app).isolation
    if isolation in UNCONTAINED_LEVELS:
        raise CourseError(
            f'c.Execute.isolation is "{isolation}": on Gradescope, student code would run as root next to '
            'the hidden tests; set "auto" or "full" in nbgrader_config.py'
        )
    yield SETTINGS_FILE, (json.dumps(asdict(settings), indent=2) + "\n").encode()
    yield "requirements.txt", build_autograder_requirements(course, lesson).encode()
    yield "course/nbgrader_config.py", build_configuration(course).encode()
    # The course's secret would reveal the random numbers of its hidden tests. A derived secret does not.
    own = hmac.digest(
        load_course_secret(course.root).encode(), f"gradescope\0{lesson}".encode(), "sha256"
    ).hex()
    yield f"course/{SECRET_FILE}", own.encode()
    # The gradebook and the tests are created on Gradescope, which needs the test templates.
    for name in (InstantiateTests(parent=course.app).autotest_filename, HISTORY_FILE):
        if (course.root / name).is_file():
            yield f"course/{name}", (course.root / name).read_bytes()
    for step in ("source", "release"):
        for path, content in iter_visible_files(course.path(step, lesson)):
            yield f"course/{step}/{lesson}/{path}", content
    ours = Path(gradebox.__file__).parent
    for path, content in iter_visible_files(ours):
        yield f"gradebox/{path}", content
    for program in SETUP_SCRIPTS:
        yield program, (ours / "lms" / program).read_bytes()


def iter_visible_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield relative path and content of all files below a folder, except hidden files and caches."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and not any(is_hidden(part) or part == "__pycache__" for part in parts):
            yield "/".join(parts), path.read_bytes()


def build_configuration(course: Course) -> str:
    """Return nbgrader_config.py for Gradescope. Raises CourseError if the result can't be loaded."""
    text = (course.root / "nbgrader_config.py").read_text(encoding="utf-8")
    address = course.app.config.CourseDirectory.get("db_url")
    if isinstance(address, str):
        # The address of a database may contain a password.
        text = text.replace(address, "")
    text += CONFIG_FOOTER.format(names=" ".join(LOCATION_TRAITS))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "nbgrader_config.py").write_text(text, encoding="utf-8")
        # Use a new process, which has not loaded the course's file or its imports.
        run = subprocess.run(
            [sys.executable, "-P", "-c", LOAD_CONFIG_CODE], cwd=folder, capture_output=True, text=True
        )
    if run.returncode:
        why = (run.stderr.strip().splitlines() or ["the process exited"])[-1]
        raise CourseError(
            f"nbgrader_config.py can't be loaded alone, as on Gradescope ({why}): "
            "remove dependencies on other files"
        )
    return text


def build_autograder_requirements(course: Course, lesson: str) -> str:
    """Return requirements.txt with the libraries of gradebox and of the lesson.

    Versions are those that the course pins, or else the installed versions.
    """
    pins = notebook_requirements.read_pinned_versions(course)
    needed = notebook_requirements.parse_requirements(
        notebook_requirements.find_libraries(course.sources(lesson).values())
    )
    needed |= notebook_requirements.parse_requirements(
        one for one in metadata.requires("gradebox") or [] if "extra ==" not in one
    )
    lines = []
    for name, one in sorted(needed.items()):
        pin = pins.get(name) or pin_installed_version(name)
        pin.extras |= one.extras
        lines.append(f"{pin}\n")
    return "".join(lines)


def pin_installed_version(name: str) -> Requirement:
    """Return the requirement of a library, pinned to the installed version if there is one."""
    try:
        return Requirement(f"{name}=={metadata.version(name).partition('+')[0]}")
    except metadata.PackageNotFoundError:
        return Requirement(name)
