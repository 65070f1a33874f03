"""How `make` makes the environment: where torch comes from, on which Python, and what stops or interrupts it.

A real pip installs from real indexes on this machine, into scratch environments; what it installs is tiny.
"""

import hashlib
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import venv
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from repository import REPOSITORY

PIN = re.search(r"^torch==(\S+)$", (REPOSITORY / "requirements.txt").read_text(), re.MULTILINE)[1]
pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux has torch in two sizes"),
    pytest.mark.slow,
]

# A package without dependencies that builds without a build system.
PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
"""
BACKEND = """
import zipfile

def build_editable(folder, config_settings=None, metadata_directory=None):
    name = "gradebox-1-py3-none-any.whl"
    with zipfile.ZipFile(f"{folder}/{name}", "w") as wheel:
        for file, text in (
            ("METADATA", "Metadata-Version: 2.1\\nName: gradebox\\nVersion: 1\\n"),
            ("WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"),
            ("RECORD", ""),
        ):
            wheel.writestr(f"gradebox-1.dist-info/{file}", text)
    return name
"""


def write_wheel(folder: Path, name: str, version: str, *needs: str, tag: str = "py3-none-any") -> Path:
    """A distribution of one line."""
    path = folder / f"{name}-{version}-{tag}.whl"
    path.parent.mkdir(parents=True, exist_ok=True)
    about = [
        "Metadata-Version: 2.1",
        f"Name: {name}",
        f"Version: {version}",
        *(f"Requires-Dist: {n}" for n in needs),
    ]
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{info}/METADATA", "\n".join((*about, "")))
        wheel.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n")
        wheel.writestr(f"{name}.py", f"version = {version!r}\n")
        wheel.writestr(f"{info}/RECORD", "")
    return path


class Index:
    """An index on this machine, made as PyTorch's is. asked: the paths that it was asked for."""

    def __init__(self, folder: Path):
        self.folder, self.asked = folder, []
        (folder / "whl" / "torch").mkdir(parents=True)
        asked = self.asked

        class Handler(SimpleHTTPRequestHandler):
            def log_message(self, *arguments) -> None:
                asked.append(self.path)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/whl"

    def hold(self, *wheels: Path) -> str:
        """Write the page that lists these; the address of the index."""
        links = []
        for wheel in wheels:
            digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
            quoted = wheel.name.replace("+", "%2B")
            links.append(f'<a href="/whl/{quoted}#sha256={digest}">{wheel.name}</a><br/>')
        page = self.folder / "whl" / "torch" / "index.html"
        page.write_text("\n".join(("<!DOCTYPE html><html><body>", *links, "</body></html>")))
        return self.address


@pytest.fixture
def index(tmp_path) -> Iterator[Index]:
    index = Index(tmp_path / "index")
    yield index
    index.server.shutdown()
    index.server.server_close()


@pytest.fixture
def silent() -> Iterator[str]:
    """An index that lets itself be called and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/whl"


@pytest.fixture
def absent() -> str:
    """An index that isn't there."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"http://127.0.0.1:{server.getsockname()[1]}/whl"


@pytest.fixture(scope="module")
def empty_environment(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("empty") / "venv"
    venv.create(folder, with_pip=True, symlinks=True)
    return folder


class Fresh:
    """A course that was just copied to a machine where pip finds torch with CUDA in a folder."""

    def __init__(self, root: Path, house: Path):
        self.root = root
        (root / "environment").mkdir(parents=True)
        for name in ("Makefile", "environment/make.sh", "environment/install_torch.py"):
            shutil.copy(REPOSITORY / name, root / name)
        (root / "requirements.txt").write_text(f"torch=={PIN}\n")
        package = root / "packages" / "gradebox"
        package.mkdir(parents=True)
        (package / "pyproject.toml").write_text(PROJECT)
        (package / "backend.py").write_text(BACKEND)
        write_wheel(house, "torch", PIN, "nvidia-all==1", "torch-needs")
        write_wheel(house, "nvidia_all", "1")
        write_wheel(house, "torch_needs", "1")
        plain = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
        for name in ("TORCH_INDEX", "PYTHON", "VENV", "MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
            plain.pop(name, None)
        self.environment = {
            **plain,
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(house),
        }

    def make(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
        """The environment alone."""
        return subprocess.run(
            ["make", ".venv/ready", *arguments],
            cwd=self.root,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
        )

    def installed(self) -> dict[str, str]:
        """The version of every distribution, besides pip and setuptools."""
        found = self.root.glob(".venv/lib/*/site-packages/*.dist-info")
        pairs = dict(path.name.removesuffix(".dist-info").split("-") for path in found)
        return {name: version for name, version in pairs.items() if name not in ("pip", "setuptools")}


@pytest.fixture
def fresh(tmp_path, empty_environment) -> Fresh:
    """With an environment that has pip only: making that takes most of the time."""
    fresh = Fresh(tmp_path / "a course", tmp_path / "house")
    shutil.copytree(empty_environment, fresh.root / ".venv", symlinks=True)
    return fresh


WITH_CUDA = {"torch": PIN, "nvidia_all": "1", "torch_needs": "1", "gradebox": "1"}
WITHOUT_CUDA = {"torch": f"{PIN}+cpu", "torch_needs": "1", "gradebox": "1"}


def cpu_torch(index: Index, version: str = f"{PIN}+cpu", **options: str) -> Path:
    return write_wheel(index.folder / "whl", "torch", version, "torch-needs", **options)


def test_torch_comes_without_cuda_where_pytorchs_index_answers(fresh, index):
    others = (
        cpu_torch(index, "99.0+cpu"),
        cpu_torch(index, PIN),
        cpu_torch(index, tag="cp35-cp35m-manylinux1_x86_64"),
        cpu_torch(index, tag="py3-none-win_amd64"),
    )
    address = index.hold(*others, cpu_torch(index))
    made = fresh.make(f"PYTORCH_INDEX={address}")
    assert made.returncode == 0, made.stderr
    assert f"torch {PIN}+cpu from {address}, without CUDA" in made.stdout
    # What torch needs came from where pip looks: the index has torch only.
    assert fresh.installed() == WITHOUT_CUDA
    assert [path for path in index.asked if path.endswith(".whl")] == [
        f"/whl/torch-{PIN}%2Bcpu-py3-none-any.whl"
    ]
    index.asked.clear()
    again = fresh.make(f"PYTORCH_INDEX={address}")
    assert again.returncode == 0 and "torch" not in again.stdout
    (fresh.root / "requirements.txt").write_text(f"torch=={PIN}\ntorch-needs\n")
    changed = fresh.make(f"PYTORCH_INDEX={address}")
    assert changed.returncode == 0 and "torch " not in changed.stdout, "torch was there already"
    assert not index.asked


@pytest.mark.parametrize("kind", ["silent", "absent", "unknown", "for_others"])
def test_without_an_answer_torch_is_what_pip_finds(fresh, request, kind):
    if kind == "for_others":
        index = request.getfixturevalue("index")
        address = index.hold(cpu_torch(index, tag="cp35-cp35m-manylinux1_x86_64"))
    else:
        address = "http://index.invalid/whl" if kind == "unknown" else request.getfixturevalue(kind)
    made = fresh.make(f"PYTORCH_INDEX={address}")
    assert made.returncode == 0, made.stderr
    (line,) = (line for line in made.stdout.splitlines() if line.startswith("torch "))
    assert line.startswith(f"torch {PIN} from {fresh.environment['PIP_FIND_LINKS']}, with CUDA")
    assert address in line
    why = {"silent": "longer than 3 seconds", "for_others": f"no torch=={PIN} for Python"}
    assert why.get(kind, "") in line
    assert fresh.installed() == WITH_CUDA


def test_a_named_index_is_taken(fresh, index, silent):
    address = index.hold(cpu_torch(index))
    made = fresh.make(f"PYTORCH_INDEX={silent}", f"TORCH_INDEX={address}/")
    assert made.returncode == 0, made.stderr
    assert fresh.installed() == WITHOUT_CUDA


@pytest.mark.parametrize("kind", ["silent", "absent", "for_others", "no_page", "no_address", "password"])
def test_a_named_index_that_has_no_torch_is_not_replaced(fresh, index, request, kind):
    address = index.hold(cpu_torch(index, tag="cp35-cp35m-manylinux1_x86_64"))
    address = {
        "for_others": address,
        "no_page": f"{address}/elsewhere",
        "no_address": "pytorch",
        "password": "http://me:secret@127.0.0.1/whl",
    }.get(kind) or request.getfixturevalue(kind)
    made = fresh.make(f"TORCH_INDEX={address}")
    assert made.returncode != 0
    said = [line for line in made.stderr.splitlines() if not line.startswith("make")]
    assert len(said) == 1 and said[0].startswith("TORCH_INDEX: "), made.stderr
    assert "TORCH_INDEX=" in said[0] and "secret" not in said[0]
    assert not fresh.installed() and not (fresh.root / ".venv" / "ready").exists()


def test_no_index_is_asked_if_none_is_named(fresh, index):
    made = fresh.make(f"PYTORCH_INDEX={index.hold(cpu_torch(index))}", TORCH_INDEX="")
    assert made.returncode == 0, made.stderr
    assert not index.asked and fresh.installed() == WITH_CUDA


def test_what_was_being_installed_when_pip_was_stopped_is_installed_again(fresh, index):
    address = index.hold(cpu_torch(index))
    assert fresh.make(f"TORCH_INDEX={address}").returncode == 0
    (module,) = fresh.root.glob(".venv/lib/*/site-packages/torch.py")
    (info,) = fresh.root.glob(".venv/lib/*/site-packages/torch-*.dist-info")
    module.unlink()
    (info / "INSTALLER").unlink()
    (fresh.root / ".venv" / "ready").unlink()
    made = fresh.make(f"TORCH_INDEX={address}")
    assert made.returncode == 0, made.stderr
    assert module.exists() and fresh.installed() == WITHOUT_CUDA


@pytest.mark.parametrize("gone", ["bin/python", "lib/*/site-packages/pip"])
def test_a_broken_environment_is_made_anew(fresh, index, gone):
    """As after an upgrade of the system's Python, or an interruption."""
    (path,) = (fresh.root / ".venv").glob(gone)
    path.rename(path.with_name("gone"))
    made = fresh.make(f"TORCH_INDEX={index.hold(cpu_torch(index))}")
    assert made.returncode == 0, made.stderr
    assert fresh.installed() == WITHOUT_CUDA


@pytest.fixture
def programs(tmp_path) -> Callable[[str, str], Path]:
    """A folder of programs: call it with a name and the lines of a script."""
    folder = tmp_path / "programs"
    folder.mkdir()

    def write(name: str, lines: str) -> Path:
        path = folder / name
        path.write_text(f"#!/bin/sh\n{lines}\n")
        path.chmod(0o755)
        return folder

    # What the system has, but no Python.
    for name in ("sh", "make", "cat", "cmp", "dirname", "rm", "sed"):
        (folder / name).symlink_to(shutil.which(name))
    return write


def test_a_newer_python_is_found_by_itself(fresh, programs, absent):
    shutil.rmtree(fresh.root / ".venv")
    programs("python3", "exit 1")
    path = programs("python3.12", f'echo taken >&2\nexec "{sys.executable}" "$@"')
    made = fresh.make(f"TORCH_INDEX={absent}", PATH=str(path))
    assert "taken" in made.stderr and "TORCH_INDEX: " in made.stderr


@pytest.mark.parametrize("named", [[], ["PYTHON=python3"], ["PYTHON=/nonexistent/python3"]])
def test_without_a_python_it_says_so(fresh, programs, named):
    shutil.rmtree(fresh.root / ".venv")
    # Even if there would be one: who names a Python wants that one.
    if named:
        programs("python3.12", f'exec "{sys.executable}" "$@"')
    made = fresh.make(*named, PATH=str(programs("python3", "exit 1")))
    sentence, *_ = made.stderr.splitlines()
    assert made.returncode != 0 and sentence.startswith("Python 3.11 to 3.14 is needed")
    assert not (fresh.root / ".venv").exists()


def test_a_python_that_makes_no_environments_is_named_and_leaves_none(fresh, programs):
    shutil.rmtree(fresh.root / ".venv")
    path = programs("python3", f'case "$2" in *ensurepip*) exit 1;; esac\nexec "{sys.executable}" "$@"')
    made = fresh.make(PATH=str(path))
    sentence, *_ = made.stderr.splitlines()
    package = "python{}.{}-venv".format(*sys.version_info)
    assert made.returncode != 0 and package in sentence
    assert not (fresh.root / ".venv").exists()


@pytest.mark.parametrize("home", ["", "/nonexistent"])
def test_a_user_without_a_home_gets_one_in_the_course(fresh, index, home):
    made = fresh.make(f"TORCH_INDEX={index.hold(cpu_torch(index))}", HOME=home)
    assert made.returncode == 0 and not made.stderr
    assert (fresh.root / ".home").is_dir()
    assert not fresh.make(HOME=str(fresh.root)).stderr
