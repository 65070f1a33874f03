"""What a notebook may do besides to compute: a warm kernel shows what a cold one does, and so Jupyter."""

import re

import pytest
from nbformat.v4 import new_code_cell, new_notebook
from test_kernels import run

from gradebox.kernel import zygote_client
from gradebox.notebook_metadata import read_ending

pytestmark = pytest.mark.skipif(
    not zygote_client.can_fork_kernels(), reason="this system has no process descriptors"
)

# What is written past Python's streams, and what it is. ipykernel passes it on from a thread of its own, at
# times when the cell has ended already: then it shows none of it.
PAST_PYTHON = {
    "import subprocess\nsubprocess.run(['echo', 'a child']).returncode": "a child\n",
    "import os\nos.write(1, b'without Python\\n')": "without Python\n",
    "import sys\nprint(1, file=sys.__stdout__, flush=True)": "1\n",
}
ODD = [
    "1 + 1",
    "import asyncio\nawait asyncio.sleep(0.01)\n'awaited'",
    "asyncio.get_running_loop().is_running()",
    "task = asyncio.create_task(asyncio.sleep(0, 'in the background'))",
    "task.done() and await task",
    "later = asyncio.sleep(0)\ntry:\n    asyncio.run(later)\nfinally:\n    later.close()",
    "async def fail():\n    await asyncio.sleep(0)\n    raise ValueError('later')\nawait fail()",
    "input('your name? ')",
    "import getpass\ngetpass.getpass()",
    "%%capture kept\nprint('unseen')",
    "print(repr(kept.stdout))",
    "!echo from a program",
    "%%bash\necho from bash\necho and its errors >&2",
    *PAST_PYTHON,
    "print('one')\nprint('two', end='')\nprint(' three', flush=True)",
    "from IPython.display import HTML, clear_output, display, update_display",
    "h = display('one', display_id='k')",
    "update_display('two', display_id='k')",
    "h.update('three')",
    "print('gone')\nclear_output()\nprint('kept')",
    "print('gone')\nclear_output(wait=True)\nprint('kept')",
    "display(HTML('<b>bold</b>'), 'and plain', {'a': [1, 2]})",
    "class Own:\n    def _repr_html_(self):\n        return '<i>own</i>'\nOwn()",
    "class Bad:\n    def __repr__(self):\n        raise ValueError('no text')\nBad()",
    "class Shown:\n    def _repr_markdown_(self):\n        return '**own**'\ndisplay(Shown())",
    "def f():\n    return 1 / 0\nf()",
    "x = ",
    "raise SystemExit(3)",
    "quit()",
    "raise KeyboardInterrupt",
    "raise type('Loud', (Exception,), {'__str__': lambda self: 1 / 0})()",
    "import threading\nt = threading.Thread(target=print, args=('from a thread',))\nt.start()\nt.join()",
    "from concurrent.futures import ThreadPoolExecutor\nlist(ThreadPoolExecutor(2).map(abs, [-1, -2]))",
    "import multiprocessing as mp\nfork = mp.get_context('fork')",
    "with fork.Pool(2) as pool:\n    print(pool.map(abs, [-1, -2]))",
    "p = fork.Process(target=print, args=('from a fork',))\np.start()\np.join()",
    "In[1], Out[1], _i1",
    "_",
    "%precision 3\n3.14159",
    "%time 1 + 1",
    "import warnings\nwarnings.warn('careful')",
    "import logging\nlogging.warning('logged')",
    "print(sys.stdout.isatty(), sys.stdout.encoding, sys.stdout.writable(), sys.stdin.read())",
    "sys.stdout.write('one ')\nsys.stdout.writelines(['two ', 'three'])",
    "help(len)",
    "len?",
    "get_ipython().__class__.__name__, __name__, '__file__' in globals()",
    "import __main__\n__main__.x_of_main = 1\nx_of_main",
    "import pickle\nclass P: pass\ntype(pickle.loads(pickle.dumps(P()))) is P",
    "exec('import this_is_no_module')",
    "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2]);",
    "fig, ax = plt.subplots(figsize=(1, 1))\nax.plot([1])\nplt.show()\nprint('after')",
    "fig",
    "print('\\rprogress', end='')\nprint('\\rdone    ')",
    "print('\\x1b[31mred\\x1b[0m', '\\ud800'.encode(errors='replace'), 'é', '漢')",
    "1;",
    "",
    "# nothing",
    "%who_ls module",
    "%no_such_magic",
    "def gen():\n    yield 1\nprint(list(gen()), gen.__module__)",
    "sorted(os.listdir('.')), os.path.basename(os.getcwd())",
    "import signal\nsignal.getsignal(signal.SIGINT) is signal.default_int_handler",
    "sys.stdout.close()\nprint('to nobody')",
    "1 + 1",
]


def plain(text: str) -> str:
    """Without what is other each time: addresses, times, numbers of processes."""
    # ipykernel runs programs in a terminal, which ends lines in its own way.
    text = re.sub(r"\x1b\[[0-9;]*m", "", text).replace("\r\n", "\n")
    # A cell is a file, of another name for those who debug it; and what stands between brackets with a
    # number is a time.
    text = re.sub(r"<ipython-input-\d+-\w+>|(/tmp/ipykernel_\d+/)?\b\d+\.py", "#", text)
    text = re.sub(r"File \S+/(gradebox/kernel|ipykernel)/.*\n.*", "File #", text)
    return re.sub(r"0x[0-9a-f]+|\d+(\.\d+)?(e[+-]\d+)? (ns|μs|µs|us|ms|s)\b", "#", text)


def seen(cell) -> dict:
    """What a cell shows: all that was printed, by stream, and the others in their order."""
    said = {"stdout": "", "stderr": ""}
    others = []
    for output in cell.outputs:
        if output.output_type == "stream":
            said[output.name] += plain(output.text)
        elif output.output_type == "error":
            others.append((output.ename, plain(output.evalue), plain("\n".join(output.traceback))))
        else:
            data = {kind: plain(value) if "image" not in kind else "" for kind, value in output.data.items()}
            others.append((output.output_type, data, output.get("execution_count")))
    return {**said, "others": others, "ended": read_ending(cell), "count": cell.execution_count}


def test_odd_cells_show_what_jupyter_shows(monkeypatch):
    # ipykernel would leave what programs print to pytest.
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    notebooks = [new_notebook(cells=[new_code_cell(source) for source in ODD]) for _ in range(2)]
    for notebook, warm in zip(notebooks, (True, False), strict=True):
        run(notebook, warm, timeout=20)
    different = {}
    for here, there in zip(*(notebook.cells for notebook in notebooks), strict=True):
        one, other = seen(here), seen(there)
        if here.source in PAST_PYTHON:
            assert one["stdout"] == PAST_PYTHON[here.source]
            other["stdout"] = other["stdout"] or one["stdout"]
        if one != other:
            different[here.source] = one, other
    assert not different, "\n".join(f"{k!r}\n   warm {a}\n   cold {b}" for k, (a, b) in different.items())


def test_what_no_file_can_hold_is_a_question_mark():
    notebook = run(new_notebook(cells=[new_code_cell("print('\\ud800')"), new_code_cell("'\\ud800'")]))
    assert notebook.cells[0].outputs[0].text == "?\n"
