# %% [markdown]
# Values of the standard library, of SymPy and of SciPy.

# %% given: imports
import datetime as dt
from collections import Counter, OrderedDict, defaultdict, deque
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
import numpy as np
import scipy.sparse
import sympy

# %% answer: exact
### BEGIN SOLUTION
price, part = Decimal("19.90"), Fraction(3, 4)
day, moment = dt.date(2024, 2, 29), dt.datetime(2024, 2, 29, 12, 30)
wait, where = dt.timedelta(hours=1), Path("a") / "b.txt"


### END SOLUTION
def half(value):
    ### BEGIN SOLUTION
    return value / 2
    ### END SOLUTION


# %% test: exact-test points=2
assert price == Decimal("19.9") and isinstance(price, Decimal) and part + Fraction(1, 4) == 1
assert day.year == 2024 and moment - dt.datetime(2024, 2, 29) == dt.timedelta(hours=12, minutes=30)
assert (
    type(day) is dt.date
    and wait.total_seconds() == 3600
    and where == Path("a/b.txt")
    and where.suffix == ".txt"
)
assert (
    half(Decimal(3)) == Decimal("1.5")
    and half(Fraction(1, 3)) == Fraction(1, 6)
    and half(wait).seconds == 1800
)


# %% answer: collected
def words(text):
    ### BEGIN SOLUTION
    return Counter(text.split())
    ### END SOLUTION


### BEGIN SOLUTION
groups = defaultdict(list)
groups["a"].append(1)
order = OrderedDict([("b", 1), ("a", 2)])
queue = deque([1, 2, 3], maxlen=3)
steps, keys, kinds = range(0, 10, 3), {"x": 1}.keys(), [int, str]
ragged = np.array([[1], [2, 3]], dtype=object)
people = np.array([("Ann", 30)], dtype=[("name", "U5"), ("age", int)])
### END SOLUTION

# %% test: collected-test points=3
assert (
    words("a b a") == Counter(a=2, b=1)
    and words("a a")["missing"] == 0
    and words("b").most_common(1) == [("b", 1)]
)
assert groups["new"] == [] and isinstance(groups, defaultdict) and groups.default_factory is list
assert order != OrderedDict([("a", 2), ("b", 1)]) and list(order) == ["b", "a"]
assert queue == deque([1, 2, 3]) and queue.maxlen == 3 and queue.popleft() == 1
assert steps == range(0, 10, 3) and isinstance(steps, range) and keys == {"x"} and kinds == [int, str]
assert ragged[1] == [2, 3] and people["name"][0] == "Ann" and people[0]["age"] == 30

# %% answer: formulas
x, y = sympy.symbols("x y")
### BEGIN SOLUTION
derivative = sympy.diff(x**2 * y, x)
solutions = sympy.solve(x**2 - 2, x)
exact = sympy.Rational(1, 3) + sympy.pi
matrix = sympy.Matrix([[1, x], [y, 2]])
### END SOLUTION

# %% test: formulas-test points=2
assert (
    derivative == 2 * x * y and sympy.simplify(derivative - 2 * x * y) == 0 and derivative.subs(x, 3) == 6 * y
)
assert set(solutions) == {sympy.sqrt(2), -sympy.sqrt(2)} and isinstance(derivative, sympy.Expr)
assert exact == sympy.pi + sympy.Rational(1, 3) and matrix.det() == 2 - x * y and matrix.shape == (2, 2)

# %% answer: sparse
### BEGIN SOLUTION
sparse = scipy.sparse.csr_matrix(np.diag([1.0, 0.0, 3.0]))
### END SOLUTION

# %% test: sparse-test points=1
assert scipy.sparse.issparse(sparse) and sparse.format == "csr" and sparse.nnz == 2
np.testing.assert_array_equal(sparse.toarray(), np.diag([1.0, 0.0, 3.0]))
