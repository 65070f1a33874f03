"""Imports go one way, from commands down to a course and its notebooks, and never in a circle."""

import ast
from graphlib import TopologicalSorter

from helpers import PROJECT

PACKAGE = PROJECT / "src" / "gradebox"
# From the top down. What is on one line knows nothing of its neighbours; a folder's own modules may.
LAYERS = (
    "__main__",
    "app",
    "course_setup grade_commands",
    "audit parity watch site",
    "lms",
    "class_report manual_grading",
    "release reports preprocessors console",
    "answer_runner erasure",
    "autograde",
    "execute",
    "judge",
    "kernel",
    "sandbox csv_table class_list forgotten_students",
    "sanitize course check_engine notebook_json",
    "submission_archives course_secret exercise_selection",
    "static_analysis notebook_exercises notebook_metadata safe_submission_files",
    "due_date_settings",
    "gradebook_transactions setting_names",
    "stub_heavy_packages path_and_home printable_text atomic_write checks_cell spreadsheet_formulas dates "
    "withdrawn_features",
)
LAYER = {name: number for number, names in enumerate(LAYERS) for name in names.split()}
MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in PACKAGE.rglob("*.py")
    if path.parent != PACKAGE or path.stem != "__init__"
}


def imported(module: str) -> set[str]:
    """The modules of this package that one imports, at its beginning or later."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "gradebox":
            above = node.module.partition(".")[2]
            names = {f"{above}.{alias.name}".strip(".") for alias in node.names}
            found |= {name if name in MODULES else above for name in names}
        elif isinstance(node, ast.Import):
            found |= {a.name.partition(".")[2] for a in node.names if a.name.startswith("gradebox.")}
    assert found <= MODULES.keys() | {""}, found
    return found - {""}


def test_all_imports_go_down():
    for module in MODULES:
        folder = module.split(".")[0]
        for other in imported(module):
            below = other.split(".")[0]
            assert folder == below or LAYER[folder] < LAYER[below], f"{module} imports {other}"


def test_no_module_imports_itself_by_way_of_others():
    TopologicalSorter({module: imported(module) - {module} for module in MODULES}).prepare()


def test_every_folder_says_what_it_is_for():
    for path in PACKAGE.rglob("__init__.py"):
        said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert said and said.splitlines()[0].endswith("."), path
