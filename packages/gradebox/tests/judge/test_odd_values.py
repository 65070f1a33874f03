"""Values that honest students have and tests pass: they cross, or the test is one that can't be judged."""

from test_doors import ends


def test_odd_values_of_honest_students_cross_or_are_told():
    student = (
        "import enum, uuid\nfrom types import SimpleNamespace\nimport numpy as np\n"
        "class Color(enum.Enum):\n    RED = 1\n    BLUE = 2\n"
        "class Right(enum.Flag):\n    READ = 1\n    WRITE = 2\n"
        "class Group(ExceptionGroup):\n    pass\n"
        "class Own:\n    pass\n"
        "own = Own()\n"
        "def counts():\n    return {Color.RED: 2, Color.BLUE: 1}\n"
        "def members():\n    return {Color.RED, own}\n"
        "def number():\n    return uuid.UUID(int=5)\n"
        "def space():\n    return SimpleNamespace(a=1, b=[2])\n"
        "def grown(s):\n    s.c = 3\n"
        "def matrix():\n    return np.matrix([[1, 2], [3, 4]])\n"
        "def records():\n    return np.rec.array([(1, 2.0)], dtype=[('a', int), ('b', float)])\n"
        "def many():\n    raise Group('two', [KeyError('k'), ValueError('v')])\n"
        "def several():\n    raise ExceptionGroup('two', [KeyError('k'), ValueError('v')])\n"
        "def missing():\n    return {}['k']\n"
        "def opened():\n    return open('nowhere.txt')\n"
        "def given(code, text):\n    raise RuntimeError(code, text)\n"
        "def takes(x):\n    return 1\n"
        "def calls(f):\n    return f(2) + f(2)\n"
        "def says():\n    print('said')\n    return 1\n"
    )
    tests = [
        "assert counts()[Color.RED] == 2 and set(counts()) == set(Color) and own in members()",
        "assert number().int == 5 and isinstance(number(), __import__('uuid').UUID)",
        "from types import SimpleNamespace\nassert space() == SimpleNamespace(a=1, b=[2])\n"
        "s = SimpleNamespace(a=1)\ngrown(s)\nassert s.c == 3",
        "assert isinstance(matrix(), np.matrix) and (matrix() * matrix())[0, 0] == 7",
        "assert records().a[0] == 1 and records().b.tolist() == [2.0]",
        "both = Right.READ | Right.WRITE\n"
        "assert both is Right.WRITE | Right.READ and both & Right.READ == Right.READ",
        "try:\n    several()\nexcept* KeyError as group:\n    assert group.exceptions[0].args == ('k',)\n"
        "except* ValueError:\n    pass",
        "try:\n    many()\nexcept ExceptionGroup as group:\n    assert len(group.exceptions) == 2",
        "try:\n    missing()\nexcept KeyError as error:\n"
        "    assert error.args[0] == 'k' and str(error) == repr('k')",
        "try:\n    opened()\nexcept FileNotFoundError as error:\n    assert error.errno == 2, error.errno",
        "try:\n    given(7, 'x')\nexcept RuntimeError as error:\n    assert error.args == (7, 'x')",
        "from functools import lru_cache\n@lru_cache\ndef square(x):\n    return x * x\n"
        "assert calls(square) == 8",
        "from unittest.mock import Mock\nf = Mock(return_value=3)\n"
        "assert calls(f) == 6 and f.call_count == 2",
        "from contextlib import redirect_stdout\nwith redirect_stdout(None):\n    assert says() == 1",
    ]
    found = ends(student, student, *tests, given="import numpy as np")
    assert set(found) == {"ok"}, found
    told = [
        "takes(np.zeros(2**27))",
        "takes(n for n in [1])",
        "try:\n    takes(np.zeros(2**27))\nexcept Exception:\n    pass",
        "calls(lambda n: (n for n in [1]))",
    ]
    found = ends(student, student, *told, "assert takes(1) == 1", given="import numpy as np")
    assert all(said.startswith("Unable: ") for said in found[:-1]) and found[-1] == "ok", found


def test_what_no_proxy_can_do_is_told():
    student = (
        "class Animal:\n    def __init__(self, name='x'):\n        self.name = name\n"
        "async def fetch():\n    return 2\n"
        "def save(db):\n    db.save(3)\n"
        "def call(f):\n    try:\n        return f()\n"
        "    except BaseException as error:\n        heard.append(str(error))\n"
        "heard = []\n"
    )
    tests = [
        "class Dog(Animal):\n    pass\nDog('r')",
        "match Animal():\n    case Animal(name='x'):\n        pass",
        "assert await fetch() == 2",
        "from unittest.mock import MagicMock\ndb = MagicMock()\nsave(db)\ndb.save.assert_called_once_with(3)",
        "def wrong():\n    assert 1 == 2, 'hidden words'\ncall(wrong)",
    ]
    found = ends(student, student, *tests, "assert heard == ['']")
    assert all(said.startswith("Unable: ") for said in found[:-1]) and found[-1] == "ok", found


def test_a_default_is_made_there_and_a_dataclass_has_the_fields_that_it_has():
    student = (
        "from collections import defaultdict\nfrom dataclasses import KW_ONLY, InitVar, dataclass\n"
        "def counts():\n    return defaultdict(lambda: 7, a=1)\n"
        "@dataclass\nclass Keyed:\n    a: int\n    _: KW_ONLY\n    b: int = 0\n"
        "@dataclass\nclass Scaled:\n    x: int\n    by: InitVar[int] = 1\n"
        "    def __post_init__(self, by):\n        self.x *= by\n"
    )
    tests = [
        "found = counts()\nassert found['a'] == 1 and found['z'] == 7 and isinstance(found, dict)",
        "assert Keyed(1, b=2) == Keyed(1, b=2) != Keyed(1, b=3)",
        "assert Scaled(2, 3) == Scaled(6) != Scaled(5)",
    ]
    assert ends(student, student, *tests) == ["ok"] * len(tests)


def test_errors_of_libraries_and_all_of_pythons_own_can_be_expected():
    student = (
        "import json\nfrom dataclasses import dataclass\n"
        "def decode():\n    return bytes([255]).decode('utf-8')\n"
        "def read():\n    return json.loads('{')\n"
        "def solve():\n    return np.linalg.inv(np.zeros((2, 2)))\n"
        "@dataclass(frozen=True)\nclass Point:\n    x: int\n"
        "def move():\n    Point(1).x = 2\n"
    )
    tests = [
        "try:\n    decode()\nexcept UnicodeDecodeError as error:\n    assert 'utf-8' in str(error)",
        "from json import JSONDecodeError\n"
        "try:\n    read()\nexcept JSONDecodeError as error:\n    assert 'line 1' in str(error)",
        "try:\n    solve()\nexcept np.linalg.LinAlgError as error:\n    assert 'Singular' in str(error)",
        "import dataclasses, pytest\nwith pytest.raises(dataclasses.FrozenInstanceError):\n    move()",
    ]
    assert ends(student, student, *tests, given="import numpy as np") == ["ok"] * 4


def test_a_named_tuple_with_methods_has_them():
    student = (
        "from typing import NamedTuple\n"
        "class V(NamedTuple):\n    x: int\n    y: int = 0\n"
        "    def norm(self):\n        return (self.x**2 + self.y**2) ** 0.5\n"
        "    def __add__(self, other):\n        return V(self.x + other.x, self.y + other.y)\n"
        "class Plain(NamedTuple):\n    x: int\n"
    )
    tests = [
        "assert V(3, 4).norm() == 5 and V(1, 2) + V(3, 4) == V(4, 6) == (4, 6) and V(1)[1] == 0",
        "x, y = V(1, 2)\nassert isinstance(V(1), tuple) and V(1)._fields == ('x', 'y')",
        "assert {V(1): 3}[V(1, 0)] == 3",
        "assert Plain(1) == (1,) and Plain(1).x == 1 and Plain(1)._replace(x=2).x == 2",
    ]
    assert ends(student, student, *tests) == ["ok"] * len(tests)


def test_the_members_of_a_class_are_those_that_it_defines():
    student = "class C:\n    def f(self):\n        return 1\n    def g(self):\n        return 2"
    test = (
        "import inspect\nassert [name for name, _ in inspect.getmembers(C, inspect.isfunction)] == ['f', 'g']"
    )
    assert ends(student, student, test) == ["ok"]
