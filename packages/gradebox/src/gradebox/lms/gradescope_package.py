"""Makes the zip of a Gradescope autograder: one lesson, gradebox itself, and what sets them up there.

What runs there is in `gradescope_run.py`. The same course gives the same bytes. Nothing of a student's is in
it.
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
from gradebox.course import Course, CourseError
from gradebox.course_secret import SECRET_FILE, load_course_secret
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.isolation import UNCONTAINED_LEVELS
from gradebox.release import notebook_requirements
from gradebox.submission_files import is_hidden

# Gradescope's words for when students see something.
VISIBILITIES = ("visible", "after_due_date", "after_published", "hidden")
SETTINGS_FILE = "gradescope.json"
SETUP_SCRIPTS = ("setup.sh", "run_autograder")
# What a course may have put elsewhere, or on another machine, is in its usual place on Gradescope.
STEP_FOLDERS = ("source", "release", "submitted", "autograded", "feedback")
LOCATION_TRAITS = ("root", "db_url", "directory_structure", *(f"{step}_directory" for step in STEP_FOLDERS))
CONFIG_FOOTER = """
# On Gradescope, all of the course's folders and its gradebook are where nbgrader has them if nothing is said.
for _name in "{names}".split():
    c.CourseDirectory.pop(_name, None)
"""
# nbgrader itself passes over what goes wrong in there.
LOAD_CONFIG_CODE = (
    "from traitlets.config import PyFileConfigLoader as Loader; Loader('nbgrader_config.py').load_config()"
)
# A zip can't be older.
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class AutograderSettings:
    """What a package is for, and when students see what: see WHEN."""

    lesson: str
    points: str = "visible"
    words: str = "visible"


def write_autograder_zip(course: Course, settings: AutograderSettings, output: Path) -> None:
    """Write the zip for a lesson. Raises CourseError if it can't be made, with what to do."""
    for option, when in (("--points", settings.points), ("--words", settings.words)):
        if when not in VISIBILITIES:
            raise CourseError(f"{option} can't be {when!r}: it is one of {', '.join(VISIBILITIES)}")
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
    """The files of a package, by their paths in it. Raises CourseError."""
    (lesson,) = course.select_assignments([settings.lesson])
    for name in course.notebooks(lesson):
        course.release_path(lesson, name)
    isolation = Execute(parent=course.app).isolation
    if isolation in UNCONTAINED_LEVELS:
        raise CourseError(
            f'c.Execute.isolation is "{isolation}": on Gradescope, student code would run as root beside the '
            'hidden tests; set it to "auto" or "full" in nbgrader_config.py'
        )
    yield SETTINGS_FILE, (json.dumps(asdict(settings), indent=2) + "\n").encode()
    yield "requirements.txt", build_autograder_requirements(course, lesson).encode()
    yield "course/nbgrader_config.py", build_configuration(course).encode()
    # Another course's secret would tell what this one's hidden tests draw; one made from it tells nothing.
    own = hmac.digest(
        load_course_secret(course.root).encode(), f"gradescope\0{lesson}".encode(), "sha256"
    ).hex()
    yield f"course/{SECRET_FILE}", own.encode()
    # The gradebook is made there, and its tests with it.
    templates = InstantiateTests(parent=course.app).autotest_filename
    if (course.root / templates).is_file():
        yield f"course/{templates}", (course.root / templates).read_bytes()
    for step in ("source", "release"):
        for path, content in iter_visible_files(course.path(step, lesson)):
            yield f"course/{step}/{lesson}/{path}", content
    ours = Path(gradebox.__file__).parent
    for path, content in iter_visible_files(ours):
        yield f"gradebox/{path}", content
    for program in SETUP_SCRIPTS:
        yield program, (ours / "lms" / program).read_bytes()


def iter_visible_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The files in a folder and the folders in it, by relative path, but for hidden ones and caches."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and not any(is_hidden(part) or part == "__pycache__" for part in parts):
            yield "/".join(parts), path.read_bytes()


def build_configuration(course: Course) -> str:
    """The course's nbgrader_config.py as it is for Gradescope. Raises CourseError if it can't go there."""
    text = (course.root / "nbgrader_config.py").read_text(encoding="utf-8")
    address = course.app.config.CourseDirectory.get("db_url")
    if isinstance(address, str):
        # It may hold a password.
        text = text.replace(address, "")
    text += CONFIG_FOOTER.format(names=" ".join(LOCATION_TRAITS))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "nbgrader_config.py").write_text(text, encoding="utf-8")
        # In a process of its own, which has not read the course's, and what that may have imported.
        run = subprocess.run(
            [sys.executable, "-P", "-c", LOAD_CONFIG_CODE], cwd=folder, capture_output=True, text=True
        )
    if run.returncode:
        why = (run.stderr.strip().splitlines() or ["it ends the process"])[-1]
        raise CourseError(
            f"nbgrader_config.py needs something that would not be on Gradescope ({why}): "
            "let it need nothing beside it"
        )
    return text


def build_autograder_requirements(course: Course, lesson: str) -> str:
    """What gradebox and the lesson import, one line each: as the course pins it, else as it is installed."""
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
    """A library in the version that is installed here, if it is."""
    try:
        return Requirement(f"{name}=={metadata.version(name).partition('+')[0]}")
    except metadata.PackageNotFoundError:
        return Requirement(name)
