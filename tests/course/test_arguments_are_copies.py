"""Hidden tests give copies of their arguments, or compute what they expect before a submission gets them.

Otherwise a submission that overwrites its arguments with zeros, and returns zeros, would be right.
"""

import os
import subprocess
import sys

import pytest
from repository import LESSONS, REPOSITORY

PATHS = "tests", "environment", "packages/gradebox/tests"


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_expected_number_comes_from_arguments_that_a_submission_had(lesson):
    script = REPOSITORY / "tests" / "zeroing_submission.py"
    paths = os.pathsep.join(str(REPOSITORY / path) for path in PATHS)
    done = subprocess.run(
        [sys.executable, script, lesson],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    assert [line for line in done.stdout.splitlines() if line.startswith(lesson)] == []
