"""The process that runs answers: it executes a notebook, and forks at each exercise to try one in its place.

`python -m gradebox.audit.stage` reads a Plan from standard input (pickled) and writes lines of JSON: the
results of its tasks, one each, or {"problem": why it had to stop}. See Result for what is in one.
"""

import gc
import json
import os
import pickle
import selectors
import signal
import socket
import sys
import time
from dataclasses import asdict, dataclass, field
from typing import Any, TextIO

from gradebox.code.names import answered_names, given_names
from gradebox.judge import proxies, server
from gradebox.judge.signs import RUN_BY_BOTH
from gradebox.kernels.zygote import preload

# A fork that has used so much of the processor is going round in circles.
SECONDS, TIMES_THE_REFERENCE = 2.0, 20.0
# One that only sleeps ends here.
LONGEST = 60
MEMORY = 3 * 2**30
GIVEN, SOLUTION, TEST = "given", "solution", "test"
# How a fork ended.
DONE, ENDLESS, DIED = "done", "endless", "died"


@dataclass(frozen=True)
class Cell:
    """A code cell of the notebook: its grade_id, its text (of a solution: the reference), its role."""

    name: str
    source: str
    role: str


@dataclass(frozen=True)
class Task:
    """Something to try in the place of a solution.

    tests: the test cells to run; the notebook ends with the last of them. inputs: the change that arguments
    go through on their way to the solution (see inputs.py), or None. cheat: what then takes the solution's
    place (see cheats.py), or None. whole: whether that is all of the notebook, which takes longer than the
    exercise's own tests. judged: whether tests run in a process of their own, as when students are
    graded.
    """

    number: int
    exercise: str
    source: str
    tests: tuple[str, ...]
    inputs: str | None = None
    cheat: str | None = None
    whole: bool = False
    judged: bool = False


@dataclass(frozen=True)
class Plan:
    """What to run.

    cells: a notebook's code cells that are graded or given. forks: how many at once. preload: modules that
    are imported before.
    """

    cells: list[Cell]
    tasks: list[Task]
    forks: int
    preload: tuple[str, ...]


@dataclass
class Attempt:
    """How one test cell went.

    passed: whether it ran to its end. value: the last line's value as text, for tests that give part of the
    points. error, message, line: the exception, its text, and the line of the test cell that it came
    through, counted from 1. origin: the cell whose code raised it; None if no cell's code did.
    """

    passed: bool
    value: str | None = None
    error: str = ""
    message: str = ""
    line: int | None = None
    origin: str | None = None


@dataclass
class Result:
    """What came of a task. ended: DONE, ENDLESS or DIED. changed: whether `inputs` changed any argument."""

    number: int
    ended: str = DONE
    attempts: dict[str, Attempt] = field(default_factory=dict)
    changed: bool = False
    seconds: float = 0.0


class Stage:
    """Executes cells in IPython, as a kernel would, without a kernel around it."""

    def __init__(self, plan: Plan, answers: TextIO):
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config

        config = Config()
        config.HistoryManager.enabled = False
        self.shell = InteractiveShell.instance(config=config)
        for show in ("showtraceback", "showsyntaxerror", "showindentationerror"):
            setattr(self.shell, show, lambda *args, **kwargs: None)
        self.shell.enable_gui = lambda *args: None
        self.shell.compile.get_code_name = lambda raw, code, number: self.running
        for formatter in self.shell.display_formatter.formatters.values():
            formatter.enabled = False
        self.plan = plan
        self.answers = answers
        self.names = {cell.name for cell in plan.cells}
        self.running = ""
        # What a student's process and a judge would know.
        self.students: dict[str, Any] = {}
        self.judges: dict[str, Any] = {}

    def execute(self, name: str, source: str) -> Attempt:
        """Execute one cell."""
        self.running = name
        result = self.shell.run_cell(source)
        error = result.error_before_exec or result.error_in_exec
        if error is None:
            return Attempt(True, None if result.result is None else repr(result.result))
        attempt = Attempt(False, None, type(error).__name__, str(error))
        trace = error.__traceback__
        while trace:
            cell = trace.tb_frame.f_code.co_filename
            if cell == name and attempt.line is None:
                attempt.line = trace.tb_lineno
            if cell in self.names:
                attempt.origin = cell
            trace = trace.tb_next
        if result.error_before_exec is not None:
            attempt.origin = name
        return attempt

    def attempt(self, task: Task, at: int, limit: float) -> Result:
        """Try a task from the cell with this index on; `limit` is for a process beside this one."""
        result, start = Result(task.number), time.process_time()
        last = max(n for n, cell in enumerate(self.plan.cells) if cell.name in task.tests)
        rest = [c for c in self.plan.cells[at + 1 : last + 1] if c.role != TEST or c.name in task.tests]
        if task.judged:
            self.judge(task, rest, result, limit)
        else:
            disguise = self.answer(task)
            for cell in rest:
                attempt = self.execute(cell.name, cell.source)
                if cell.role == TEST:
                    result.attempts[cell.name] = attempt
            result.changed = bool(disguise) and disguise.changed
        result.seconds = time.process_time() - start
        return result

    def answer(self, task: Task) -> Any:
        """Execute a task's answer. Returns the disguise of its arguments, if they are to have one."""
        from gradebox.audit import cheats
        from gradebox.audit.inputs import Disguise

        namespace = self.shell.user_ns
        known = dict(namespace)
        self.execute(task.exercise, task.source)
        new = {name for name in namespace if namespace[name] is not known.get(name)}
        if task.cheat:
            cheats.put_over(task.cheat, namespace, new)
        if not task.inputs:
            return None
        disguise = Disguise(task.inputs)
        disguise.put_over(namespace, new)
        return disguise

    def judge(self, task: Task, rest: list[Cell], result: Result, limit: float) -> None:
        """Try a task with its answer in another process than the tests, cell by cell in step with it."""
        here, there = socket.socketpair()
        other = os.fork()
        if other == 0:
            try:
                here.close()
                be_limited(limit)
                self.know_only(self.students)
                server.begin(self.shell.user_ns, there.detach())
                disguise = self.answer(task)
                self.shell.user_ns["disguise_of_arguments"] = disguise
                for cell in rest:
                    if cell.role != TEST:
                        self.execute(cell.name, cell.source)
                    if cell.role != SOLUTION:
                        server.serve()
                server.serve()
            finally:
                os._exit(0)
        there.close()
        self.know_only(self.judges)
        own = given_names(*(cell.source for cell in self.plan.cells if cell.role != SOLUTION))
        answered = answered_names(*(cell.source for cell in self.plan.cells if cell.role == SOLUTION))
        link = proxies.begin(self.shell, own, answered, here.detach())
        for cell in rest:
            if cell.role == TEST:
                result.attempts[cell.name] = self.execute(cell.name, cell.source)
            elif cell.role != SOLUTION:
                self.execute(cell.name, f"{cell.source}\n{RUN_BY_BOTH}")
        if task.inputs and not link.broken:
            result.changed = link.ask("names", ["disguise_of_arguments"])["disguise_of_arguments"].changed
        link.close()
        status = os.waitpid(other, 0)[1]
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGALRM):
            # It went round in circles for both.
            os.kill(os.getpid(), os.WTERMSIG(status))

    def know_only(self, names: dict[str, Any]) -> None:
        """Forget what cells have defined, but for these names."""
        for name in self.students.keys() | self.judges.keys():
            self.shell.user_ns.pop(name, None)
        self.shell.user_ns.update(names)

    def perform(self) -> None:
        """Execute the notebook, and all tasks, each at its exercise."""
        for at, cell in enumerate(self.plan.cells):
            tasks = [task for task in self.plan.tasks if task.exercise == cell.name]
            if tasks:
                self.try_all(tasks, at)
            known = dict(self.shell.user_ns)
            self.execute(cell.name, cell.source)
            new = {name: value for name, value in self.shell.user_ns.items() if value is not known.get(name)}
            if cell.role != TEST:
                self.students.update(new)
            if cell.role != SOLUTION:
                self.judges.update(new)

    def try_all(self, tasks: list[Task], at: int) -> None:
        """Try tasks in forks, several at once. The first, alone, says how long the others may take."""
        gc.collect()
        gc.freeze()
        first, *others = tasks
        limit = SECONDS
        with selectors.DefaultSelector() as selector:
            waiting, running = [first], 0
            while waiting or running:
                while waiting and running < self.plan.forks:
                    task = waiting.pop(0)
                    reader, process = self.fork(task, at, LONGEST if task.whole else limit)
                    selector.register(reader, selectors.EVENT_READ, (task, process, []))
                    running += 1
                for key, _ in selector.select():
                    task, process, parts = key.data
                    part = os.read(key.fd, 2**16)
                    if part:
                        parts.append(part)
                        continue
                    selector.unregister(key.fd)
                    os.close(key.fd)
                    running -= 1
                    said = finished(task, process, b"".join(parts))
                    if task is first:
                        limit = max(SECONDS, TIMES_THE_REFERENCE * said["seconds"])
                        waiting = others
                    print(json.dumps(said), file=self.answers, flush=True)

    def fork(self, task: Task, at: int, limit: float) -> tuple[int, int]:
        """Start a task in a fork. Returns the pipe that its result comes from, and the process."""
        reader, writer = os.pipe()
        process = os.fork()
        if process:
            os.close(writer)
            return reader, process
        try:
            os.close(reader)
            be_limited(limit)
            said = json.dumps(asdict(self.attempt(task, at, limit))).encode()
            with os.fdopen(writer, "wb") as pipe:
                pipe.write(said)
        finally:
            os._exit(0)


def be_limited(seconds: float) -> None:
    """End this process after so many seconds of the processor, or when it has taken far too long."""
    for timer, limit in ((signal.ITIMER_PROF, seconds), (signal.ITIMER_REAL, LONGEST)):
        signal.setitimer(timer, limit)
    # Not to be had on Windows, where this module is imported all the same.
    import resource

    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def finished(task: Task, process: int, said: bytes) -> dict[str, Any]:
    """The result of a fork that has ended."""
    status = os.waitpid(process, 0)[1]
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGALRM):
        return asdict(Result(task.number, ENDLESS))
    if not said:
        return asdict(Result(task.number, DIED))
    return json.loads(said)


def main() -> None:
    plan: Plan = pickle.load(sys.stdin.buffer)
    # What cells print goes nowhere; the answers have a way of their own.
    answers = os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    try:
        gc.disable()
        preload(plan.preload)
        gc.freeze()
        gc.enable()
        Stage(plan, answers).perform()
    except Exception as error:
        print(json.dumps({"problem": f"{type(error).__name__}: {error}"}), file=answers, flush=True)


if __name__ == "__main__":
    main()
