"""A PostgreSQL server for tests, of the programs that Debian's package has. It runs for no superuser."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

PROGRAMS = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)
OWNER = "postgres"


def available() -> bool:
    return PROGRAMS is not None and (os.geteuid() != 0 or shutil.which("setpriv") is not None)


class Server:
    """A server in a folder of its own, which goes with it, and the databases in it."""

    def __init__(self) -> None:
        # The name of a socket can't be long.
        self.folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
        self.databases = 0
        if os.geteuid() == 0:
            os.chown(self.folder, pwd.getpwnam(OWNER).pw_uid, -1)
        try:
            options = ("-U", OWNER, "-A", "trust", "-E", "UTF8", "--no-sync")
            self.run("initdb", "-D", self.folder / "data", *options)
            options = ("-w", "-o", f"-k {self.folder} -c listen_addresses= -c fsync=off", "-l")
            self.run("pg_ctl", "-D", self.folder / "data", *options, self.folder / "log", "start")
        except BaseException:
            shutil.rmtree(self.folder)
            raise

    def run(self, program: str, *arguments: object) -> None:
        own = (
            ["setpriv", f"--reuid={OWNER}", f"--regid={OWNER}", "--clear-groups"] if not os.geteuid() else []
        )
        command = [*own, PROGRAMS / program, *arguments]
        subprocess.run([str(part) for part in command], check=True, capture_output=True, cwd="/")

    def database(self) -> str:
        """The address of a new, empty database."""
        self.databases += 1
        name = f"course{self.databases}"
        self.run("createdb", "-h", self.folder, "-U", OWNER, name)
        return f"postgresql+psycopg://{OWNER}@/{name}?host={self.folder}"

    def close(self) -> None:
        try:
            self.run("pg_ctl", "-D", self.folder / "data", "-w", "-m", "immediate", "stop")
        finally:
            shutil.rmtree(self.folder)
