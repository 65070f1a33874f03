"""`object.method()` takes one request where two would do the same, and behaves as if it took two."""

import sys
from operator import attrgetter

import pytest
from test_judge import judged

from gradebox.judge.handle import called_at_once

LAYER = (
    "class Layer:\n"
    "    kind, seen = 'plain', []\n"
    "    def __init__(self, by=2):\n        self.by = by\n"
    "    def times(self, x, *, plus=0):\n        return self.by * x + plus\n"
    "    def itself(self):\n        return self\n"
    "    def taken(self):\n        del Layer.times\n        return 1\n"
    "    def replaced(self):\n        self.times = lambda x: 'replaced'\n        return 1\n"
    "    @property\n"
    "    def late(self):\n        self.seen.append('looked up')\n        return self.note\n"
    "    def note(self, *what):\n        self.seen.append(what)\n        return len(self.seen)\n"
    "class Anything:\n"
    "    def __getattr__(self, name):\n        return lambda *args: (name, args)\n"
    "def exits():\n"
    "    class Exits:\n"
    "        def __getattr__(self, name):\n            raise SystemExit\n"
    "    return Exits()\n"
)
# How many requests something takes.
COUNTED = (
    "def asked(function):\n"
    "    client = layer._of_the_submission[0]\n"
    "    before = client.asked\n    function()\n    return client.asked - before\n"
)


class Looked:
    """Says of each name whether it was looked up only to be called."""

    def __getattr__(self, name):
        at_once = called_at_once(name, sys._getframe(1))
        return lambda *args, **kwargs: at_once


@pytest.mark.parametrize(
    "expression, at_once",
    [
        ("looked.up()", True),
        ("looked.up(1, *[], a=2)", False),
        ("looked.up(1, 2, a=2)", True),
        ("[looked.up() for _ in range(1)][0]", True),
        ("(lambda: looked.up())()", True),
        ("(looked.up)()", True),
        ("(lambda up: up())(looked.up)", False),
        ("getattr(looked, 'up')()", False),
        ("next(map(getattr, [looked], ['up']))()", False),
        ("(looked.up or 1)()", False),
        ("[f for f in [looked.up]][0]()", False),
        # Behind so many names the number of this one takes more than a byte.
        (f"({'+'.join(f'n{n}' for n in range(300))}) and looked.up()", False),
    ],
)
def test_bytecode_shows_whether_an_attribute_is_only_called(expression, at_once):
    names = {f"n{n}": 1 for n in range(300)}
    assert eval(expression, {"looked": Looked(), **names}) is at_once


def test_a_name_that_is_looked_up_by_c_code_is_not_taken_for_the_one_that_is_called():
    class Wrapper:
        up = property(attrgetter("looked.inner"))
        looked = Looked()

    assert Wrapper().up() is False


def test_a_method_call_takes_one_request():
    tests = [
        "layer = Layer()\n" + COUNTED + "assert asked(lambda: layer.times(3, plus=1)) == 1\n"
        "assert asked(lambda: layer.times(*[3])) == 2\n"
        "assert asked(lambda: layer.itself().itself()) == 2\n"
        # Two lookups, each before the next request, and two calls, one of which includes its lookup.
        "assert asked(lambda: layer.times(layer.times(3))) == 3\n"
        "assert asked(lambda: hasattr(layer, 'times')) == 1",
        "layer = Layer()\n"
        "assert layer.times(3, plus=1) == 7 and layer.times(layer.times(3)) == 12\n"
        "times = layer.times\n"
        "assert callable(times) and times(4) == 8 and times.__name__ == 'times' and bool(times)\n"
        "assert repr(times).startswith('<bound method Layer.times') and layer.times == layer.times\n"
        "assert layer.itself() is layer and list(map(layer.times, [1, 2])) == [2, 4]",
        "assert Anything().whatever(1, 2) == ('whatever', (1, 2))",
    ]
    assert judged(LAYER, *tests) == ["ok"] * len(tests)


def test_a_method_is_what_it_was_when_it_was_looked_up():
    tests = [
        "layer = Layer()\nassert layer.times(layer.replaced()) == 2 and layer.times(1) == 'replaced'",
        "layer = Layer()\nkept = layer.times\nlayer.times = 3\nassert layer.times == 3 and kept(1) == 2",
        "layer = Layer()\nlayer.times = 3\nlayer.times(1)",
        "layer = Layer()\nassert layer.late(layer.itself() is layer) == 2\n"
        "assert layer.seen == ['looked up', (True,)]",
        "layer = Layer()\nassert layer.times(layer.taken()) == 2 and not hasattr(layer, 'times')\n"
        "layer.times(1)",
    ]
    ends = judged(LAYER, *tests)
    assert [ends[0], ends[1], ends[3]] == ["ok"] * 3
    assert ends[2] == "TypeError: 'int' object is not callable"
    assert ends[4] == "AttributeError: 'Layer' object has no attribute 'times'"


def test_what_is_not_there_is_an_error_of_the_expression_that_calls_it():
    tests = [
        "Layer().nothing(1)",
        "try:\n    Layer().nothing(Layer().times(2))\nexcept AttributeError as error:\n"
        "    assert 'nothing' in str(error)\nelse:\n    assert False",
        # What else is asked does not fail for it.
        "layer = Layer()\ndef safe():\n    try:\n        return layer.times(2)\n"
        "    except AttributeError:\n        return 'taken for its own'\n"
        "heard = []\ntry:\n    layer.nothing(heard.append(safe()))\nexcept AttributeError:\n    pass\n"
        "assert heard == [4], heard",
        "layer = Layer()\ntry:\n    layer.times(1 / 0)\nexcept ZeroDivisionError:\n"
        "    assert layer.times(2) == 4",
        "try:\n    exits().anything(1 / 0)\nexcept ZeroDivisionError:\n    pass",
        "assert Layer().times(2) == 4",
    ]
    ends = judged(LAYER, *tests)
    assert ends[0] == "AttributeError: 'Layer' object has no attribute 'nothing'"
    assert ends[1:4] == ["ok"] * 3 and ends[5] == "ok"


def test_a_method_changes_its_arguments_and_calls_a_tests_functions_as_ever():
    student = (
        "class Layer:\n"
        "    def fill(self, x):\n        x[:] = 5\n"
        "    def apply(self, function, x):\n        return function(function(x))\n"
    )
    tests = [
        "x = np.zeros(3)\nlayer = Layer()\nlayer.fill(x)\nassert (x == 5).all()",
        "layer = Layer()\nassert layer.apply(lambda x: layer.apply(lambda y: y + 1, x), 0) == 4",
    ]
    assert judged(student, *tests) == ["ok", "ok"]
