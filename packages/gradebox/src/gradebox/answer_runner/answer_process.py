"""Worker process that executes a notebook and forks at each exercise to run answers in place of the solution.

`run_answers.py` starts `python -m gradebox.answer_runner.answer_process`. The process reads a pickled
AnswerPlan from standard input and writes JSON lines: one result per task, or {"problem": REASON} if the
process has to stop.
"""

import gc
import json
import os
import pickle
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

from gradebox.answer_runner.answer_shell import Shell
from gradebox.answer_runner.answer_tasks import (
    AnswerPlan,
    AnswerTask,
    AnswerTaskResult,
    CellOutcome,
    PlanCell,
)
from gradebox.answer_runner.equivalent_arguments import InputTransformer
from gradebox.answer_runner.fork_pool import is_timeout_status, run_tasks, set_resource_limits
from gradebox.answer_runner.generic_cheats import CHEATING_KEY, replace_functions
from gradebox.answer_runner.record_check_calls import CallRecorder
from gradebox.judge import rpc_client as judge
from gradebox.judge import submission_server
from gradebox.judge.code_run_in_kernels import SUBMITTED_CELLS, mark_run_by_both
from gradebox.kernel.zygote import preload_modules

# Name in the student's namespace from which the judge side reads the InputTransformer.
TRANSFORMER_KEY = "disguise_of_arguments"
# Name from which the judge side reads the outcomes of tests that ran in the student's process.
OUTCOMES_KEY = "attempts_of_tests"
# Name of the function that a test calls at the beginning of its hidden part, where a generic cheat begins.
HIDDEN_PART_KEY = "__hidden_part_begins__"


class AnswerWorker:
    """Worker that executes a notebook with the reference solutions and runs the tasks of a plan.

    students, judges: the variables that a student's process and a judge would have at this point.
    """

    def __init__(self, plan: AnswerPlan):
        self.plan = plan
        self.shell: Shell = Shell.instance()
        self.students: dict[str, Any] = {}
        self.judges: dict[str, Any] = {}

    def run_plan(self) -> Iterator[AnswerTaskResult]:
        """Execute the notebook and yield the results of all tasks, each run at its exercise."""
        # Only a judge starts with these imports.
        self.judges = self.shell.execute_and_diff("imports", self.plan.imports)
        self.reset_namespace({})
        for at, cell in enumerate(self.plan.cells):
            tasks = [task for task in self.plan.tasks if task.exercise == cell.name]
            if tasks:
                following = self.plan.cells[at + 1 :]
                yield from run_tasks(tasks, self.plan.forks, partial(self.run_task, following))
            if cell.student_source is not None:
                own = self.shell.execute_and_diff(cell.name, cell.student_source)
                self.students |= own
                # Functions that both forms import are the same objects, and the diff below would omit them.
                for name in own:
                    del self.shell.user_ns[name]
            new = self.shell.execute_and_diff(cell.name, cell.source)
            for name, value in new.items() if cell.student_source is None else ():
                if cell.students or name in cell.shared:
                    self.students[name] = value
            if cell.judges:
                self.judges |= new

    def run_task(self, following: list[PlanCell], task: AnswerTask, limit: float) -> AnswerTaskResult:
        """Run a task and the cells that follow its exercise.

        limit: CPU seconds for the second process of a judged task.
        """
        result, start = AnswerTaskResult(task.number), time.process_time()
        last = max((n for n, cell in enumerate(following) if cell.name in task.tests), default=-1)
        rest = [cell for cell in following[: last + 1] if cell.students or cell.name in task.tests]
        if task.judged:
            self.judge(task, rest, result, limit)
        else:
            disguise = self.answer(task)
            calls = CallRecorder(self.shell) if task.calls else None
            for cell in rest:
                if cell.is_test and calls:
                    result.calls += map(asdict, calls.run(cell.name, cell.source))
                    continue
                attempt = self.shell.execute(cell.name, cell.source)
                if cell.is_test:
                    result.attempts[cell.name] = attempt
            result.changed = disguise.changed if disguise else False
        result.seconds = time.process_time() - start
        return result

    def answer(self, task: AnswerTask) -> InputTransformer | None:
        """Execute a task's answer. Return the transformer of its arguments; None if `task.inputs` is None."""
        new = self.shell.execute_and_diff(task.exercise, task.source).keys()
        if task.cheat:
            replace_functions(task.cheat, self.shell.user_ns, new)
        if not task.inputs:
            return None
        disguise = InputTransformer(task.inputs)
        disguise.replace_functions(self.shell.user_ns, new)
        return disguise

    def judge(self, task: AnswerTask, rest: list[PlanCell], result: AnswerTaskResult, limit: float) -> None:
        """Run a task with the answer and the tests in separate processes that proceed cell by cell."""
        if task.cheat:
            self.shell.input_transformers_post.append(partial(insert_hidden_part_call, task.hidden_part))
        here, there = socket.socketpair()
        student = os.fork()
        if student == 0:
            try:
                here.close()
                set_resource_limits(limit)
                self.serve_student(task, rest, there.detach())
            finally:
                os._exit(0)
        there.close()
        self.reset_namespace(self.judges)
        link = judge.start_judge(self.shell, self.plan.facts.as_json(), here.detach())
        self.shell.user_ns[HIDDEN_PART_KEY] = partial(link.send_request, "give", CHEATING_KEY, True)
        texts = {cell.name: cell.source for cell in self.plan.cells if cell.students and not cell.judges}
        self.shell.user_ns[SUBMITTED_CELLS] = [*(texts | {task.exercise: task.source}).items()]
        for cell in rest:
            link.names.returned = cell.returned
            if cell.is_test and cell.judges:
                result.attempts[cell.name] = self.shell.execute(cell.name, cell.source)
            elif cell.judges:
                self.shell.execute(cell.name, mark_run_by_both(cell.source))
        told = [TRANSFORMER_KEY] * bool(task.inputs) + [OUTCOMES_KEY]
        found = link.send_request("names", told)[0] if not link.broken else {}
        result.changed = TRANSFORMER_KEY in found and found[TRANSFORMER_KEY].changed
        result.attempts |= {
            name: CellOutcome(**fields) for name, fields in found.get(OUTCOMES_KEY, {}).items()
        }
        link.channel.close()
        status = os.waitpid(student, 0)[1]
        if is_timeout_status(status):
            # The student's process timed out, so end this process in the same way.
            os.kill(os.getpid(), os.WTERMSIG(status))

    def serve_student(self, task: AnswerTask, rest: list[PlanCell], link: int) -> None:
        """Run the student's side of `judge`."""
        self.reset_namespace(self.students)
        submission_server.start_server(self.shell.user_ns, link)
        self.shell.user_ns[TRANSFORMER_KEY] = self.answer(task)
        unjudged = self.shell.user_ns[OUTCOMES_KEY] = {}
        cheat = partial(self.shell.user_ns.__setitem__, CHEATING_KEY)
        self.shell.user_ns[HIDDEN_PART_KEY] = partial(cheat, True)
        for cell in rest:
            cheat(task.hidden_part not in cell.source)
            if cell.students:
                attempt = self.shell.execute(cell.name, cell.student_source or cell.source)
                if cell.is_test:
                    unjudged[cell.name] = asdict(attempt)
            if cell.judges:
                submission_server.serve()
        # Serve the request that the judge sends after the last test.
        submission_server.serve()

    def reset_namespace(self, names: dict[str, Any]) -> None:
        """Replace all variables that cells have defined with `names`."""
        for name in self.students.keys() | self.judges.keys():
            self.shell.user_ns.pop(name, None)
        self.shell.user_ns.update(names)


def insert_hidden_part_call(marker: str, lines: list[str]) -> list[str]:
    """Replace the line that contains the marker of a hidden part by a call."""
    return [f"{HIDDEN_PART_KEY}()\n" if marker in line else line for line in lines]


def main() -> None:
    """Run the plan from standard input and write the results to standard output."""
    plan: AnswerPlan = pickle.load(sys.stdin.buffer)
    # Discard the output of cells; results are written to a duplicate of standard output.
    answers = os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    try:
        gc.disable()
        preload_modules(plan.preload)
        gc.freeze()
        gc.enable()
        for result in AnswerWorker(plan).run_plan():
            print(json.dumps(asdict(result)), file=answers, flush=True)
    except Exception as error:
        print(json.dumps({"problem": f"{type(error).__name__}: {error}"}), file=answers, flush=True)


if __name__ == "__main__":
    main()
