"""A Jupyter server of a test's own, on this machine only, with all its files in the test's folder."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

# JupyterLab asks everybody once about news, in a box over the page, and the network about newer versions.
SETTINGS = {"fetchNews": "false", "checkForUpdates": False}
# What an instructor has beside JupyterLab, on the server and on the page, and a student has not.
ON_THE_SERVER = [
    "jupyterlab_jupytext",
    *(
        f"nbgrader.server_extensions.{name}"
        for name in ("formgrader", "validate_assignment", "assignment_list", "course_list")
    ),
]
ON_THE_PAGE = ["@jupyter/nbgrader", "jupyterlab-jupytext"]


def responds(url: str) -> bool:
    """Whether a server accepts requests: its file with the address comes before."""
    try:
        with urlopen(f"{url}api"):
            return True
    except OSError:
        return False


@contextmanager
def jupyter(served: Path, home: Path, instructor: bool, *options: str, **more: bool) -> Iterator[str]:
    """The address of a Jupyter server for a folder, which asks for no token.

    home: a folder for its settings, data and log. instructor: whether it has nbgrader's own pages, as an
    instructor's has. options: of the command. more: further extensions.
    """
    extensions = {"jupyterlab": True} | dict.fromkeys(ON_THE_SERVER, instructor) | more
    write_json(
        home / "CONFIG/lab/user-settings/@jupyterlab/apputils-extension/notification.jupyterlab-settings",
        SETTINGS,
    )
    if not instructor:
        write_json(
            home / "CONFIG/labconfig/page_config.json",
            {"disabledExtensions": dict.fromkeys(ON_THE_PAGE, True)},
        )
    command = [sys.executable, "-m", "jupyter_server", "--no-browser", "--port=0", "--ip=127.0.0.1"]
    command += [
        "--IdentityProvider.token=",
        "--ServerApp.allow_root=True",
        "--ServerApp.disable_check_xsrf=True",
    ]
    command += [f"--ServerApp.jpserver_extensions={extensions}", *options]
    folders = {f"JUPYTER_{name}_DIR": str(home / name) for name in ("DATA", "RUNTIME", "CONFIG")}
    # Kernels write what was typed into theirs.
    environment = os.environ | folders | {"IPYTHONDIR": str(home / "IPYTHON")}
    with (home / "log").open("w") as log:
        server = subprocess.Popen(command, cwd=served, env=environment, stdout=log, stderr=log)
    try:
        until = time.monotonic() + 600
        while not (url := address(home / "RUNTIME")) or not responds(url):
            assert server.poll() is None and time.monotonic() < until, (home / "log").read_text()
            time.sleep(0.1)
        yield url
    finally:
        server.terminate()
        server.wait()


def write_json(path: Path, content: dict) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(content))


def address(runtime: Path) -> str | None:
    """What the server's file in a folder gives as its address; None until it does."""
    for path in runtime.glob("jpserver-*.json"):
        try:
            return json.loads(path.read_text())["url"]
        except ValueError:
            # A moment ago it was made, and is still empty, or half of it is there.
            return None
    return None
