"""Methods of a student's objects, as a test calls them."""

from test_judge import judged

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


def test_a_method_is_called_and_passed_on():
    tests = [
        "layer = Layer()\n"
        "assert layer.times(3, plus=1) == 7 and layer.times(layer.times(3)) == 12\n"
        "times = layer.times\n"
        "assert callable(times) and times(4) == 8 and times.__name__ == 'times' and bool(times)\n"
        "assert repr(times).startswith('<bound method Layer.times')\n"
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
        # Python looks a method up before it evaluates the arguments.
        "layer = Layer()\ndef safe():\n    try:\n        return layer.times(2)\n"
        "    except AttributeError:\n        return 'taken for its own'\n"
        "heard = []\ntry:\n    layer.nothing(heard.append(safe()))\nexcept AttributeError:\n    pass\n"
        "assert heard == [], heard",
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
