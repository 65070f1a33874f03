"""Values of many types: tests use them as in one process, or run there."""

from test_judge import ends


def test_unusual_values_reach_the_test():
    student = (
        "import enum, uuid\nfrom types import SimpleNamespace\nimport numpy as np\n"
        "class Color(enum.Enum):\n    RED = 1\n    BLUE = 2\n"
        "class Own:\n    pass\n"
        "own = Own()\n"
        "def counts():\n    return {Color.RED: 2, Color.BLUE: 1}\n"
        "def members():\n    return {Color.RED, own}\n"
        "def number():\n    return uuid.UUID(int=5)\n"
        "def space():\n    return SimpleNamespace(a=1, b=[2])\n"
        "def records():\n    return np.rec.array([(1, 2.0)], dtype=[('a', int), ('b', float)])\n"
        "def missing():\n    return {}['k']\n"
        "def opened():\n    return open('nowhere.txt')\n"
        "def given(code, text):\n    raise RuntimeError(code, text)\n"
        "def calls(f):\n    return f(2) + f(2)\n"
    )
    tests = [
        "assert counts()[Color.RED] == 2 and set(counts()) == set(Color) and own in members()",
        "assert number().int == 5 and isinstance(number(), __import__('uuid').UUID)",
        "assert space().a == 1 and space().b == [2]",
        "assert records().a[0] == 1 and records().b.tolist() == [2.0]",
        "try:\n    missing()\nexcept KeyError as error:\n"
        "    assert error.args[0] == 'k' and str(error) == repr('k')",
        "try:\n    opened()\nexcept FileNotFoundError as error:\n    assert error.errno == 2, error.errno",
        "try:\n    given(7, 'x')\nexcept RuntimeError as error:\n    assert error.args == (7, 'x')",
        "from functools import lru_cache\n@lru_cache\ndef square(x):\n    return x * x\n"
        "assert calls(square) == 8",
        "from unittest.mock import Mock\nf = Mock(return_value=3)\n"
        "assert calls(f) == 6 and f.call_count == 2",
    ]
    assert ends(student, student, *tests, given="import numpy as np") == ["ok"] * len(tests)


def test_what_the_judge_can_not_do_runs_in_the_students_process():
    student = (
        "import enum\nfrom types import SimpleNamespace\nfrom typing import NamedTuple\n"
        "class Right(enum.Flag):\n    READ = 1\n    WRITE = 2\n"
        "def space():\n    return SimpleNamespace(a=1)\n"
        "class Animal:\n    def __init__(self, name='x'):\n        self.name = name\n"
        "class V(NamedTuple):\n    x: int\n    def norm(self):\n        return abs(self.x)\n"
        "async def fetch():\n    return 2\n"
        "def save(db):\n    db.save(3)\n"
        "def call(f):\n    try:\n        return f()\n    except BaseException:\n        return 'caught'\n"
        "def takes(x):\n    return 1\n"
        "def matrix():\n    return np.matrix([[1, 2], [3, 4]])\n"
        "def several():\n    raise ExceptionGroup('two', [KeyError('k'), ValueError('v')])\n"
        "def adds(some):\n    some.more = 1\n"
        "def sort(values):\n    values.sort()\n"
        "class Bag:\n    def __init__(self):\n        self.kept = []\n"
        "    def size(self):\n        return len(self.kept)\n"
    )
    tests = [
        "class Dog(Animal):\n    pass\nassert Dog('r').name == 'r'",
        "match Animal():\n    case Animal(name='x'):\n        pass\n    case _:\n        assert False",
        "assert await fetch() == 2",
        "from unittest.mock import MagicMock\ndb = MagicMock()\nsave(db)\ndb.save.assert_called_once_with(3)",
        "def wrong():\n    assert 1 == 2\nassert call(wrong) == 'caught'",
        "assert type(Animal()) is Animal",
        "assert V(-3).norm() == 3",
        "import inspect\nassert 'name' in inspect.signature(Animal).parameters",
        "assert takes(np.zeros(2**27)) == 1",
        "assert takes(n for n in [1]) == 1",
        "assert isinstance(matrix(), np.matrix) and (matrix() * matrix())[0, 0] == 7",
        "try:\n    several()\nexcept* KeyError as group:\n    assert group.exceptions[0].args == ('k',)\n"
        "except* ValueError:\n    pass",
        "from types import SimpleNamespace\nsome = SimpleNamespace()\nadds(some)\nassert some.more == 1",
        "both = Right.READ | Right.WRITE\nassert both is Right.WRITE | Right.READ",
        "from types import SimpleNamespace\nassert space() == SimpleNamespace(a=1)",
        "values = [2, 1]\nsort(values)\nassert values == [1, 2]",
        "bag = Bag()\nbag.kept.append(3)\nassert bag.size() == 1",
    ]
    found = ends(student, student, *tests, given="import numpy as np", judged=False)
    assert found == ["ok"] * len(tests)


def test_what_can_not_be_sent_ends_a_judged_test_and_no_other():
    student = "import numpy as np\ndef value(n):\n    return {}\ndef one():\n    return 1"
    tests = [
        "assert value(1) == 1",
        "try:\n    value(1)\nexcept BaseException:\n    pass",
        "assert one() == 1",
    ]
    deep = "eval('[' * 150 + ']' * 150)"
    for large in ("np.zeros(2**27)", "1 << 10**7", deep):
        found = ends(student.format("n"), student.format(large), *tests)
        assert all(said.startswith("NotJudgeable: the submission returned") for said in found[:2]), found
        assert found[2] == "ok"


def test_own_exception_classes_are_expected_like_those_of_libraries():
    student = (
        "import json\nfrom dataclasses import dataclass\nimport numpy as np\n"
        "class Short(ValueError):\n"
        "    def __init__(self, size):\n        super().__init__(f'too short: {size}')\n"
        "        self.size = size\n"
        "class Shorter(Short):\n    pass\n"
        "def fail(kind):\n    raise (Shorter if kind else Short)(3)\n"
        "def decode():\n    return bytes([255]).decode('utf-8')\n"
        "def read():\n    return json.loads('{')\n"
        "def solve():\n    return np.linalg.inv(np.zeros((2, 2)))\n"
        "@dataclass(frozen=True)\nclass Point:\n    x: int\n"
        "def move():\n    Point(1).x = 2\n"
    )
    tests = [
        "try:\n    fail(False)\nexcept Short as error:\n"
        "    assert error.size == 3 and str(error) == 'too short: 3'\nelse:\n    assert False",
        "import pytest\nwith pytest.raises(Short, match='short') as caught:\n    fail(True)\n"
        "assert type(caught.value) is Shorter and isinstance(caught.value, ValueError)",
        "assert issubclass(Shorter, Short) and issubclass(Short, ValueError)",
        "try:\n    decode()\nexcept UnicodeDecodeError as error:\n    assert 'utf-8' in str(error)",
        "from json import JSONDecodeError\n"
        "try:\n    read()\nexcept JSONDecodeError as error:\n    assert 'line 1' in str(error)",
        "try:\n    solve()\nexcept np.linalg.LinAlgError as error:\n    assert 'Singular' in str(error)",
        "import dataclasses, pytest\nwith pytest.raises(dataclasses.FrozenInstanceError):\n    move()",
    ]
    assert ends(student, student, *tests, given="import numpy as np") == ["ok"] * len(tests)
    wrong = student.replace("raise (Shorter if kind else Short)(3)", "raise KeyError(3)")
    assert ends(student, wrong, *tests[:2]) == ["KeyError: 3", "KeyError: 3"]


def test_named_tuples_are_named_tuples():
    student = (
        "from collections import namedtuple\nfrom typing import NamedTuple\n"
        "P = namedtuple('P', 'x y')\nclass V(NamedTuple):\n    x: int\n    y: int = 0\n"
        "def point():\n    return P(1, 2)\n"
    )
    tests = [
        "assert point() == (1, 2) and point().x == 1 and isinstance(point(), P)",
        "assert point()._replace(x=5) == P(5, 2) and point()._asdict() == {'x': 1, 'y': 2}",
        "x, y = V(1, 2)\nassert isinstance(V(1), tuple) and V(1)._fields == ('x', 'y') and V(1)[1] == 0",
        "assert {V(1): 3}[V(1, 0)] == 3",
    ]
    assert ends(student, student, *tests) == ["ok"] * len(tests)


def test_generators_are_resumed_sent_to_and_closed():
    student = (
        "def countdown(n):\n    heard = []\n    while n:\n"
        "        try:\n            heard.append((yield n))\n"
        "        except KeyError as error:\n            yield f'caught {error}'\n            continue\n"
        "        n -= 1\n    return heard\n"
    )
    tests = [
        "made = countdown(2)\nassert next(made) == 2\n"
        "assert made.throw(KeyError('k')) == \"caught 'k'\" and next(made) == 2 and made.send('a') == 1\n"
        "try:\n    made.send('b')\nexcept StopIteration as end:\n    assert end.value == ['a', 'b']\n"
        "else:\n    assert False",
        "made = countdown(2)\nassert list(made) == [2, 1] and list(made) == []",
        "made = countdown(2)\nnext(made)\nmade.close()\nassert list(made) == []",
        "import itertools\nassert list(itertools.islice(countdown(10**9), 2)) == [10**9, 10**9 - 1]",
    ]
    assert ends(student, student, *tests) == ["ok"] * len(tests)
