# %% [markdown]
# A test looks at functions, classes and objects, rather than at what they return.

# %% answer: area
def area(width: float, height: float = 1.0, *, scale: int = 2) -> float:
    """The area of a rectangle."""
    ### BEGIN SOLUTION
    total = 0.0
    for _ in range(scale):
        total += width * height
    return total / scale
    ### END SOLUTION


# %% test: area-signature points=1
import inspect

parameters = inspect.signature(area).parameters
assert list(parameters) == ["width", "height", "scale"]
assert parameters["height"].default == 1.0 and parameters["width"].default is inspect.Parameter.empty
assert parameters["scale"].kind is inspect.Parameter.KEYWORD_ONLY
assert area.__annotations__["width"] is float and area.__defaults__ == (1.0,)

# %% test: area-argspec points=1
found = inspect.getfullargspec(area)
assert found.args == ["width", "height"] and found.defaults == (1.0,) and found.kwonlyargs == ["scale"]

# %% test: area-source points=2
assert "for " in inspect.getsource(area)
lines, first = inspect.getsourcelines(area)
assert lines[0].startswith("def area") and len(lines) > 4
assert area.__code__.co_argcount == 2 and "total" in area.__code__.co_varnames

# %% test: area-kind points=1
import types

assert callable(area) and inspect.isfunction(area) and isinstance(area, types.FunctionType)
assert type(area) is types.FunctionType and type(area).__name__ == "function"
assert area.__name__ == "area" and "rectangle" in area.__doc__

# %% answer: decorated
import functools


def twice(function):
    """A function that calls another one twice, and returns both results."""

    ### BEGIN SOLUTION
    @functools.wraps(function)
    def both(*args):
        return function(*args), function(*args)

    return both
    ### END SOLUTION


@twice
def one():
    """One."""
    ### BEGIN SOLUTION
    return 1
    ### END SOLUTION


# %% test: decorated-test points=2
assert one() == (1, 1)
assert one.__wrapped__() == 1 and one.__name__ == "one" and one.__doc__ == "One."
assert hasattr(one, "__wrapped__") and not hasattr(one, "__missing__")


# %% answer: stack
class Stack:
    """Last in, first out."""

    ### BEGIN SOLUTION
    kind = "stack"

    def __init__(self):
        self._items = []

    def push(self, item):
        self._items.append(item)

    def pop(self):
        return self._items.pop()

    def __len__(self):
        return len(self._items)

    def __str__(self):
        return f"<{', '.join(map(str, self._items))}>"

    def __repr__(self):
        return f"Stack({self._items!r})"

    def __iter__(self):
        return iter(self._items)

    def __contains__(self, item):
        return item in self._items

    ### END SOLUTION


# %% test: stack-dir points=1
stack = Stack()
assert "push" in dir(stack) and "pop" in dir(Stack) and "_items" in dir(stack) and "shift" not in dir(stack)
assert "Stack" in dir() and "Stack" in globals()
assert all(hasattr(stack, name) for name in ("push", "pop", "__len__")) and not hasattr(stack, "shift")
assert vars(stack) == {"_items": []} and "push" in vars(Stack) and stack.__dict__["_items"] == []

# %% test: stack-classes points=2
assert isinstance(Stack, type) and inspect.isclass(Stack) and isinstance(stack, Stack)
assert type(stack) is Stack and type(stack) == Stack and stack.__class__ is Stack
assert type(stack).__name__ == "Stack" and stack.__class__.__name__ == "Stack" and Stack.__name__ == "Stack"
assert not isinstance(stack, (int, list)) and issubclass(Stack, object) and not issubclass(Stack, list)
assert inspect.ismethod(stack.push) and callable(stack.push) and not callable(stack)
assert list(inspect.signature(stack.push).parameters) == ["item"]
assert list(inspect.signature(Stack.push).parameters) == ["self", "item"]

# %% test: stack-text points=2
stack.push(1)
stack.push("b")
assert str(stack) == "<1, b>" and repr(stack) == "Stack([1, 'b'])" and f"{stack}" == "<1, b>"
assert len(stack) == 2 and list(stack) == [1, "b"] and 1 in stack and 7 not in stack
assert stack.pop() == "b" and len(stack) == 1

# %% test: not-iterable points=1
try:
    iter(area)
    raise RuntimeError("a function can be iterated over")
except TypeError:
    pass
assert not hasattr(area, "__len__") and not hasattr(area, "__iter__") and hasattr(stack, "__len__")
