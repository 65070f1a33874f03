"""Entry point of `run_autograder` and `setup.sh` on Gradescope: `python -m gradebox.lms [--prepare]`."""

import sys
import time


def main() -> int:
    """Grade the submission, or prepare the package (see `gradescope_run.py`). Returns an exit status."""
    begun = time.monotonic()
    # This import comes first, because it halves the time of the other imports.
    import gradebox.stub_heavy_packages  # noqa: F401
    from gradebox.lms.gradescope_run import main
    from gradebox.path_and_home import ensure_home

    ensure_home()
    return main("--prepare" in sys.argv[1:], begun)


if __name__ == "__main__":
    sys.exit(main())
