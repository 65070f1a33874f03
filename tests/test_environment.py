"""How `make` makes the environment: where torch comes from, on which Python, and what stops or interrupts it.

Real pip and uv install from indexes on this machine, into scratch environments; what they install is tiny.
"""

import hashlib
import os
import re
import shutil
import ssl
import subprocess
import sys
import threading
import venv
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import metadata
from pathlib import Path

import pytest
from repository import REPOSITORY

PIN = re.search(r"^torch==(\S+)$", (REPOSITORY / "requirements.txt").read_text(), re.MULTILINE)[1]
# PyTorch's index, whose address uv knows, and one for everything else.
PYTORCH, PUBLIC = "download.pytorch.org", "index.example"
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


def write_wheel(folder: Path, name: str, version: str, *needs: str) -> Path:
    """A distribution of one line."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
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
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{name}.py", f"version = {version!r}\n")
        wheel.writestr(f"{info}/RECORD", "")
    return path


class Index:
    """Two indexes on this machine, over TLS: one by the name of PyTorch's, one for everything else.

    Instead of the internet: a proxy that leads every connection to this server, and a trusted certificate.
    asked: the paths that were asked for.
    """

    def __init__(self, folder: Path):
        self.folder, self.asked = folder, []
        certificate, key = folder / "certificate.pem", folder / "key.pem"
        folder.mkdir()
        names = f"subjectAltName=DNS:{PYTORCH},DNS:{PUBLIC}"
        command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test"
        command += f" -addext {names} -addext basicConstraints=critical,CA:FALSE"
        subprocess.run(
            [*command.split(), "-keyout", key, "-out", certificate], check=True, capture_output=True
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        index = self

        class Handler(SimpleHTTPRequestHandler):
            def do_CONNECT(self) -> None:
                self.send_response(200)
                self.end_headers()
                self.connection = context.wrap_socket(self.connection, server_side=True)
                self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)
                self.close_connection = False

            def log_message(self, *arguments) -> None:
                index.asked.append(self.path)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        proxy = f"http://127.0.0.1:{self.server.server_port}"
        self.environment = {
            "HTTPS_PROXY": proxy,
            "SSL_CERT_FILE": str(certificate),
            "UV_DEFAULT_INDEX": f"https://{PUBLIC}/simple",
            "UV_NO_CACHE": "1",
        }

    def hold(self, place: str, *wheels: Path) -> None:
        """Write the page of an index (whl/cpu or simple) that lists these wheels of one project."""
        links = []
        for wheel in wheels:
            digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
            quoted = wheel.name.replace("+", "%2B")
            links.append(f'<a href="/{wheel.parent.name}/{quoted}#sha256={digest}">{wheel.name}</a><br/>')
        name = wheels[0].name.partition("-")[0].replace("_", "-")
        page = self.folder / place / name / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text("\n".join(("<!DOCTYPE html><html><body>", *links, "</body></html>")))


@pytest.fixture
def index(tmp_path) -> Iterator[Index]:
    index = Index(tmp_path / "index")
    yield index
    index.server.shutdown()
    index.server.server_close()


@pytest.fixture(scope="module")
def empty_environment(tmp_path_factory) -> Path:
    """An environment that has pip and uv only."""
    folder = tmp_path_factory.mktemp("empty") / "venv"
    venv.create(folder, with_pip=True, symlinks=True)
    (site,) = folder.glob("lib/*/site-packages")
    of_uv = metadata.distribution("uv")
    for file in of_uv.files:
        target = Path(os.path.normpath(site / file))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(of_uv.locate_file(file), target)
    return folder


class Fresh:
    """A course that was just copied to a machine where pip finds torch with CUDA in a folder."""

    def __init__(self, root: Path, house: Path):
        self.root, self.house = root, house
        for name in ("Makefile", "environment/make.sh", "environment/install_torch.sh"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPOSITORY / name, root / name)
        self.require("")
        package = root / "packages" / "gradebox"
        package.mkdir(parents=True)
        (package / "pyproject.toml").write_text(PROJECT)
        (package / "backend.py").write_text(BACKEND)
        write_wheel(house, "torch", PIN, "nvidia-all==1", "torch-needs")
        write_wheel(house, "nvidia_all", "1")
        write_wheel(house, "torch_needs", "1")
        write_wheel(house, "for_tests", "1")
        plain = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_"))}
        for name in ("PYTHON", "VENV", "MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
            plain.pop(name, None)
        self.plain = {**plain, "PIP_CONFIG_FILE": os.devnull}
        self.environment = {**self.plain, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(house)}

    def require(self, *names: str) -> None:
        """Write the requirements: torch, uv, these, and one that only tests need."""
        needed = [f"torch=={PIN}", f"uv=={metadata.version('uv')}", *names]
        (self.root / "requirements.txt").write_text("\n".join([*needed, "# Only for tests", "for-tests", ""]))

    def make(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
        """The environment for grading alone, unless another target is named."""
        return subprocess.run(
            ["make", *(arguments or [".venv/ready-for-grading"])],
            cwd=self.root,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
        )

    def installed(self) -> dict[str, str]:
        """The version of every distribution, besides pip, setuptools and uv."""
        found = self.root.glob(".venv/lib/*/site-packages/*.dist-info")
        pairs = dict(path.name.removesuffix(".dist-info").split("-") for path in found)
        return {name: version for name, version in pairs.items() if name not in ("pip", "setuptools", "uv")}


@pytest.fixture
def fresh(tmp_path, empty_environment) -> Fresh:
    """With an environment that has pip and uv only: making that takes most of the time."""
    fresh = Fresh(tmp_path / "a course", tmp_path / "house")
    shutil.copytree(empty_environment, fresh.root / ".venv", symlinks=True)
    return fresh


@pytest.fixture
def connected(fresh, index) -> Fresh:
    """One whose pip is not configured. The indexes have what is needed, and torch without CUDA."""
    fresh.environment = {**fresh.plain, **index.environment}
    (torch, wheels) = index.folder / "torch", index.folder / "wheels"
    index.hold(
        "whl/cpu",
        *(write_wheel(torch, "torch", version, "torch-needs") for version in (f"{PIN}+cpu", "99.0+cpu")),
    )
    index.hold("simple", write_wheel(wheels, "torch_needs", "1"))
    index.hold("simple", write_wheel(wheels, "for_tests", "1"))
    return fresh


WITH_CUDA = {"torch": PIN, "nvidia_all": "1", "torch_needs": "1", "gradebox": "1"}
WITHOUT_CUDA = {"torch": f"{PIN}+cpu", "torch_needs": "1", "gradebox": "1"}


def test_torch_comes_without_cuda_from_pytorchs_index(connected, index):
    made = connected.make()
    assert made.returncode == 0 and not made.stderr, made.stderr
    assert made.stdout.startswith("Installing the libraries for grading into .venv")
    assert f"torch=={PIN} without CUDA" in made.stdout
    assert connected.installed() == WITHOUT_CUDA
    index.asked.clear()
    assert connected.make().stdout.endswith("up to date.\n")
    made = connected.make(".venv/ready-for-tests")
    assert made.returncode == 0 and "torch" not in made.stdout, "torch was there already"
    assert connected.installed() == {**WITHOUT_CUDA, "for_tests": "1"}
    assert not [path for path in index.asked if "torch-2" in path]


def test_where_pytorchs_index_has_none_torch_is_what_the_public_index_has(connected, index):
    shutil.rmtree(index.folder / "whl")
    wheels = index.folder / "wheels"
    index.hold("simple", write_wheel(wheels, "torch", PIN, "nvidia-all==1", "torch-needs"))
    index.hold("simple", write_wheel(wheels, "nvidia_all", "1"))
    made = connected.make()
    assert made.returncode == 0, made.stderr
    assert "PyTorch's own has none for this machine" in made.stdout
    assert connected.installed() == WITH_CUDA


def test_where_pip_is_configured_it_installs_everything(fresh, index):
    made = fresh.make(**index.environment)
    assert made.returncode == 0, made.stderr
    assert f"torch=={PIN}, from where pip is configured to look" in made.stdout
    assert fresh.installed() == WITH_CUDA and not index.asked


def test_a_folder_of_wheels_has_torch_and_uv_brings_the_rest(connected, index):
    wheels = index.folder / "wheels"
    index.hold("simple", write_wheel(wheels, "others", "1"))
    connected.require("others")
    write_wheel(connected.house, "torch", f"{PIN}+folder")
    made = connected.make(PIP_FIND_LINKS=str(connected.house))
    assert made.returncode == 0, made.stderr
    assert connected.installed()["torch"] == f"{PIN}+folder" and connected.installed()["others"] == "1"
    assert not [path for path in index.asked if "/whl/" in path]


def test_what_uv_cannot_get_pip_gets(connected, index):
    write_wheel(connected.house, "others", "1")
    connected.require("others")
    made = connected.make(PIP_FIND_LINKS=str(connected.house), PIP_RETRIES="0")
    assert made.returncode == 0, made.stderr
    assert connected.installed()["others"] == "1"


@pytest.mark.parametrize("gone", ["torch", "others"])
def test_what_cannot_be_installed_is_named_in_the_last_sentence(fresh, gone):
    fresh.require("others")
    write_wheel(fresh.house, "others", "1")
    for wheel in fresh.house.glob(f"{gone}-*"):
        wheel.unlink()
    made = fresh.make()
    *_, sentence = (line for line in made.stderr.splitlines() if not line.startswith("make"))
    assert made.returncode != 0 and "could not be installed, see above" in sentence
    assert not (fresh.root / ".venv" / "ready-for-grading").exists()


def test_what_was_being_installed_when_pip_was_stopped_is_installed_again(fresh):
    assert fresh.make().returncode == 0
    (module,) = fresh.root.glob(".venv/lib/*/site-packages/torch.py")
    (info,) = fresh.root.glob(".venv/lib/*/site-packages/torch-*.dist-info")
    module.unlink()
    (info / "INSTALLER").unlink()
    (fresh.root / ".venv" / "ready-for-grading").unlink()
    made = fresh.make()
    assert made.returncode == 0, made.stderr
    assert module.exists() and fresh.installed() == WITH_CUDA


@pytest.mark.parametrize("gone", ["bin/python", "lib/*/site-packages/pip"])
def test_a_broken_environment_is_made_anew(fresh, gone):
    """As after an upgrade of the system's Python, or an interruption."""
    (path,) = (fresh.root / ".venv").glob(gone)
    path.rename(path.with_name("gone"))
    write_wheel(fresh.house, "uv", metadata.version("uv"))
    made = fresh.make()
    assert made.returncode == 0, made.stderr
    assert fresh.installed() == WITH_CUDA


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


def test_a_newer_python_is_found_by_itself(fresh, programs):
    shutil.rmtree(fresh.root / ".venv")
    programs("python3", "exit 1")
    path = programs("python3.12", f'echo taken >&2\nexec "{sys.executable}" "$@"')
    made = fresh.make(PATH=str(path))
    assert "taken" in made.stderr


@pytest.mark.parametrize("named", [[], ["PYTHON=python3"], ["PYTHON=/nonexistent/python3"]])
def test_without_a_python_it_says_so(fresh, programs, named):
    shutil.rmtree(fresh.root / ".venv")
    # Even if there would be one: who names a Python wants that one.
    if named:
        programs("python3.12", f'exec "{sys.executable}" "$@"')
    made = fresh.make(".venv/ready-for-grading", *named, PATH=str(programs("python3", "exit 1")))
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
def test_a_user_without_a_home_gets_one_in_the_course(fresh, home):
    made = fresh.make(HOME=home)
    assert made.returncode == 0 and not made.stderr
    assert (fresh.root / ".home").is_dir()
    assert not fresh.make(HOME=str(fresh.root)).stderr
