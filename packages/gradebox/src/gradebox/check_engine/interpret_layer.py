"""Interpreter for the torch layers and functions that students write, used to check their shape comments.

`check_shape_comments` must not trust the process in which student code runs: that code could change the
functions that trace it. So the judge reads the text of the submitted cell and evaluates its syntax tree
itself. Student code never runs as Python there: only the operations listed below exist, and values have no
other attributes. The code below the line is copied into lessons.
"""

import ast
import builtins
import contextlib
import inspect
import operator

from gradebox.check_engine.check_shape_comments import RECORD

# ------------------------------------------------------------------------------------------------------
# Functions of torch that are methods of tensors, too; functions only; methods and attributes only.
BOTH = """abs add addmm all allclose amax amin any argmax baddbmm bmm broadcast_to chunk clamp clone cumsum
diag diagonal div divide dot eq equal exp flatten flip ge gather greater gt index_select inner isfinite isinf
isnan le log logical_and logical_not logical_or logsumexp lt masked_fill masked_select matmul max maximum mean
min minimum mm moveaxis movedim mul multiply mv narrow ne neg norm numel outer permute pow prod relu
repeat_interleave reshape rsqrt sigmoid softmax log_softmax split sqrt square squeeze std sub subtract sum
swapaxes swapdims take_along_dim tanh tensor_split tile transpose tril triu unbind unflatten unsqueeze var
where""".split()
FUNCTIONS = """Tensor arange as_tensor bernoulli block_diag cat concat concatenate einsum empty empty_like eye
full full_like hstack linspace ones ones_like rand rand_like randn randn_like stack tensor tensordot
tril_indices triu_indices vstack zeros zeros_like inf bool float float32 float64 double int int64 long nn
device""".split()
METHODS = """T mT H shape ndim dim size device dtype view view_as reshape_as expand expand_as contiguous
repeat to float double int long bool item tolist detach t unfold type_as new_zeros new_ones new_full
new_tensor new_empty masked_fill_ fill_ copy_ add_ sub_ mul_ div_ zero_ tril_ triu_ requires_grad is_cuda
scatter index_fill masked_scatter cpu data""".split()
LAYERS = """Module Linear Dropout ModuleList ModuleDict Sequential Parameter ParameterList Softmax Identity
LayerNorm ReLU Flatten Unflatten functional""".split()
LAYER_FUNCTIONS = "softmax log_softmax linear dropout scaled_dot_product_attention relu pad normalize".split()
# Attributes of modules, besides those that the student's own code assigns.
OF_LAYERS = """weight bias in_features out_features p training append extend values keys items parameters
modules children forward register_buffer register_parameter add_module eval train""".split()
ARITHMETIC = "sqrt inf pi e exp log pow floor ceil prod isqrt".split()
ARRAYS = "sqrt inf pi e exp log newaxis prod arange array ones zeros triu tril where".split()
BUILTINS = """abs all any bool dict divmod enumerate filter float int isinstance len list map max min next
range reversed round set slice sorted str sum tuple zip Exception ValueError TypeError RuntimeError
AssertionError NotImplementedError KeyError IndexError""".split()
OF_PYTHON = {
    list: "append extend insert pop index count reverse",
    tuple: "index count numel",
    dict: "items keys values get setdefault update pop",
    str: "join upper lower split strip startswith endswith",
    set: "add update union intersection",
}
OPERATORS = {
    **{"Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "Div": operator.truediv},
    **{"FloorDiv": operator.floordiv, "Mod": operator.mod, "Pow": operator.pow, "MatMult": operator.matmul},
    **{"BitAnd": operator.and_, "BitOr": operator.or_, "BitXor": operator.xor},
    **{"UAdd": operator.pos, "USub": operator.neg, "Not": operator.not_, "Invert": operator.invert},
    **{"Eq": operator.eq, "NotEq": operator.ne, "Lt": operator.lt, "LtE": operator.le, "Gt": operator.gt},
    **{"GtE": operator.ge, "Is": operator.is_, "IsNot": operator.is_not},
    "In": lambda one, others: one in others,
    "NotIn": lambda one, others: one not in others,
}
# Limits for evaluated expressions, and for numbers and lists that are not tensors.
MAX_STEPS, MAX_SIZE = 200_000, 10**6
DEFINITIONS = ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom
# Line numbers of cells other than the one whose comments are checked begin after this one.
OTHER_CELLS = 10**6


class Undecided(Exception):
    """Error for code that the interpreter does not know."""


class Stopped(Undecided):
    """Error for code that raises an error of its own."""


class Returned(Exception):
    """Signal of a `return` statement."""


class LoopSignal(Exception):
    """Signal of `break` (True) or `continue` (False)."""


class Variables:
    """Variables of a function, a class or the notebook. method: (class, self) inside a method."""

    def __init__(self, parent=None, method=None):
        self.names, self.parent, self.method = {}, parent, method or (parent.method if parent else None)

    def numbers(self):
        """Return the integer variables here and in enclosing functions, by name."""
        outer = self.parent.numbers() if self.parent and self.parent.parent else {}
        return {**outer, **{name: value for name, value in self.names.items() if type(value) is int}}


class Library:
    """A library as student code sees it: a module with a few of its names."""

    def __init__(self, path, module, names):
        self.path, self.module, self.names = path, module, names


class Function:
    """A function of the student's text."""

    def __init__(self, interpreter, node, scope):
        self.interpreter, self.node, self.scope = interpreter, node, scope
        args, kind = node.args, inspect.Parameter
        plain = [*args.posonlyargs, *args.args]
        defaults = [None] * (len(plain) - len(args.defaults)) + args.defaults
        groups = [
            (kind.POSITIONAL_OR_KEYWORD, plain, defaults),
            (kind.VAR_POSITIONAL, [args.vararg] if args.vararg else [], [None]),
            (kind.KEYWORD_ONLY, args.kwonlyargs, args.kw_defaults),
            (kind.VAR_KEYWORD, [args.kwarg] if args.kwarg else [], [None]),
        ]
        self.signature = inspect.Signature(
            kind(one.arg, how, default=interpreter.value(value, scope) if value else kind.empty)
            for how, ones, values in groups
            for one, value in zip(ones, values)
        )

    def __call__(self, *given, **options):
        return self.call(None, given, options)

    def call(self, method, given, options):
        scope = Variables(self.scope, method)
        bound = self.signature.bind(*given, **options)
        bound.apply_defaults()
        scope.names.update(bound.arguments)
        if isinstance(self.node, ast.Lambda):
            return self.interpreter.value(self.node.body, scope)
        try:
            self.interpreter.run(self.node.body, scope)
        except Returned as signal:
            return signal.args[0]


class Class:
    """A class of the student's text."""

    def __init__(self, interpreter, node, scope):
        self.interpreter, self.name, self.inside = interpreter, node.name, Variables(scope)
        self.bases = [interpreter.value(one, scope) for one in node.bases]
        if node.keywords:
            raise Undecided(f"the class {self.name} has options")
        self.kinds = {}
        for one in node.body:
            if isinstance(one, ast.FunctionDef):
                kinds = [getattr(part, "id", None) for part in one.decorator_list]
                self.kinds[one.name] = next((k for k in ("staticmethod", "property") if k in kinds), "method")
        interpreter.run(node.body, self.inside)

    def lineage(self):
        """Return this class and its base classes that are in the student's text."""
        return [self, *(one for base in self.bases if isinstance(base, Class) for one in base.lineage())]

    def is_layer(self):
        return any(base is self.interpreter.module for one in self.lineage() for base in one.bases)

    def find(self, name, after=None):
        """Return the class that defines a name, or None. after: skip this class and those before it."""
        lineage = self.lineage()
        lineage = lineage[lineage.index(after) + 1 :] if after else lineage
        return next((one for one in lineage if name in one.inside.names), None)

    def bound(self, thing, name, owner):
        """Return an attribute that `owner` defines, bound to an object."""
        value = owner.inside.names[name]
        if not isinstance(value, Function) or owner.kinds.get(name) == "staticmethod":
            return value
        if owner.kinds.get(name) == "property":
            return value.call((owner, thing), (thing,), {})
        return lambda *given, **options: value.call((owner, thing), (thing, *given), options)

    def __call__(self, *given, **options):
        thing = self.interpreter.new_layer(self) if self.is_layer() else Record(self)
        owner = self.find("__init__")
        if owner:
            self.bound(thing, "__init__", owner)(*given, **options)
        elif given or options:
            raise TypeError(f"{self.name}() takes no arguments")
        return thing


class Record:
    """An object of a class of the student's text that is not a layer. own: its attributes."""

    def __init__(self, made_of):
        self.made_of, self.own = made_of, {}


class Super:
    """The object that `super()` returns in a method."""

    def __init__(self, method):
        self.after, self.thing = method


class LayerInterpreter:
    """Interpreter of a student's text.

    others: texts of the other cells, which may define helper functions. given: names that the notebook
    defines. record: called as record(number, value, integers) for each instrumented expression, or None.
    """

    def __init__(self, others, given):
        import math

        import numpy
        import torch

        self.torch, self.module, self.record, self.steps, self.line = torch, torch.nn.Module, None, 0, 0
        layers = Library("torch.nn", torch.nn, LAYERS)
        functional = Library("torch.nn.functional", torch.nn.functional, LAYER_FUNCTIONS)
        self.libraries = {
            "torch": Library("torch", torch, BOTH + FUNCTIONS),
            **{"torch.nn": layers, "torch.nn.functional": functional},
            **{"math": Library("math", math, ARITHMETIC), "numpy": Library("numpy", numpy, ARRAYS)},
        }
        known = {
            "torch": "torch",
            "nn": "torch.nn",
            "F": "torch.nn.functional",
            "math": "math",
            "np": "numpy",
        }
        self.notebook = Variables()
        self.notebook.names.update({name: self.libraries[path] for name, path in known.items()})
        plain = int, float, str, bool, torch.device
        self.notebook.names.update({name: one for name, one in given.items() if type(one) in plain})
        self.others = {}
        for text in others:
            tree = parsed(text)
            for statement in tree.body if tree else ():
                ast.increment_lineno(statement, OTHER_CELLS)
                for name in defined_names(statement):
                    self.others[name] = statement
        interpreter = self

        class Layer(torch.nn.Module):
            def forward(self, *given, **options):
                return interpreter.attribute(self, "forward")(*given, **options)

        self.layer = Layer

    def new_layer(self, made_of):
        layer = self.layer()
        object.__setattr__(layer, "made_of", made_of)
        return layer

    def define(self, tree):
        """Evaluate the definitions of a cell. Its other statements are left out."""
        for statement in tree.body:
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                self.run([statement], self.notebook)
            elif isinstance(statement, DEFINITIONS):
                with contextlib.suppress(Exception):
                    self.run([statement], self.notebook)

    # -- statements ----------------------------------------------------------------------------------
    def run(self, statements, scope):
        for node in statements:
            if node.lineno < OTHER_CELLS:
                self.line = node.lineno
            self.dispatch("run_", node)(node, scope)

    def dispatch(self, prefix, node):
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise Undecided("the code takes too many steps")
        found = getattr(self, prefix + type(node).__name__, None)
        if found is None:
            raise Undecided(f"`{ast.unparse(node).splitlines()[0][:60]}` is of a kind that can't be followed")
        return found

    def run_Expr(self, node, scope):
        self.value(node.value, scope)

    def run_Pass(self, node, scope):
        return

    def run_Assign(self, node, scope):
        value = self.value(node.value, scope)
        for target in node.targets:
            self.assign(target, value, scope)

    def run_AnnAssign(self, node, scope):
        if node.value:
            self.assign(node.target, self.value(node.value, scope), scope)

    def run_AugAssign(self, node, scope):
        load = ast.parse(ast.unparse(node.target), mode="eval").body
        before, other = self.value(load, scope), self.value(node.value, scope)
        kind = type(node.op).__name__
        if isinstance(before, (self.torch.Tensor, list)) and kind in ("Add", "Sub", "Mult", "Div"):
            name = {"Add": "iadd", "Sub": "isub", "Mult": "imul", "Div": "itruediv"}[kind]
            self.assign(node.target, getattr(operator, name)(before, other), scope)
        else:
            self.assign(node.target, self.operate(kind, before, other), scope)

    def run_Return(self, node, scope):
        raise Returned(self.value(node.value, scope) if node.value else None)

    def run_If(self, node, scope):
        self.run(node.body if self.value(node.test, scope) else node.orelse, scope)

    def run_For(self, node, scope):
        for value in self.value(node.iter, scope):
            self.assign(node.target, value, scope)
            if self.looped(node.body, scope):
                return
        self.run(node.orelse, scope)

    def run_While(self, node, scope):
        while self.value(node.test, scope):
            if self.looped(node.body, scope):
                return
        self.run(node.orelse, scope)

    def looped(self, body, scope):
        """Run the body of a loop once. Return True at a `break`."""
        try:
            self.run(body, scope)
        except LoopSignal as signal:
            return signal.args[0]

    def run_Break(self, node, scope):
        raise LoopSignal(True)

    def run_Continue(self, node, scope):
        raise LoopSignal(False)

    def run_With(self, node, scope):
        for item in node.items:
            self.value(item.context_expr, scope)
        self.run(node.body, scope)

    def run_Assert(self, node, scope):
        if not self.value(node.test, scope):
            raise AssertionError("an assert of yours fails")

    def run_Raise(self, node, scope):
        error = self.value(node.exc, scope) if node.exc else None
        raise error if isinstance(error, Exception) or isinstance(error, type) else Undecided("`raise`")

    def run_FunctionDef(self, node, scope):
        self.assign(node, Function(self, node, scope), scope)

    def run_ClassDef(self, node, scope):
        self.assign(node, Class(self, node, scope), scope)

    def run_Import(self, node, scope):
        for one in node.names:
            found = self.libraries.get(one.name if one.asname else one.name.split(".")[0])
            scope.names[(one.asname or one.name).split(".")[0]] = found or Library(one.name, None, ())

    def run_ImportFrom(self, node, scope):
        library = self.libraries.get(node.module) or Library(node.module, None, ())
        for one in node.names:
            path = f"{node.module}.{one.name}"
            if one.name in library.names or path in self.libraries:
                scope.names[one.asname or one.name] = self.attribute(library, one.name)
            else:
                scope.names[one.asname or one.name] = Library(path, None, ())

    # -- targets -------------------------------------------------------------------------------------
    def assign(self, target, value, scope):
        if isinstance(target, (ast.FunctionDef, ast.ClassDef)):
            scope.names[target.name] = value
        elif isinstance(target, ast.Name):
            scope.names[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            self.unpack(target.elts, list(value), scope)
        elif isinstance(target, ast.Subscript):
            thing, at = self.value(target.value, scope), self.value(target.slice, scope)
            if not isinstance(thing, (self.torch.Tensor, list, dict)):
                raise Undecided(f"`{ast.unparse(target)}` can't be assigned")
            thing[at] = value
        elif isinstance(target, ast.Attribute):
            self.set_attribute(self.value(target.value, scope), target.attr, value)
        else:
            raise Undecided(f"`{ast.unparse(target)}` can't be assigned")

    def unpack(self, targets, values, scope):
        star = next((n for n, one in enumerate(targets) if isinstance(one, ast.Starred)), None)
        if star is not None:
            rest = len(values) - len(targets) + 1
            values = [*values[:star], values[star : star + rest], *values[star + rest :]]
            targets = [one.value if isinstance(one, ast.Starred) else one for one in targets]
        if len(targets) != len(values):
            raise ValueError(f"{len(values)} values for {len(targets)} names")
        for target, value in zip(targets, values):
            self.assign(target, value, scope)

    def set_attribute(self, thing, name, value):
        if isinstance(thing, Record) and not name.startswith("__"):
            thing.own[name] = value
        elif (
            isinstance(thing, self.layer)
            and not hasattr(self.module, name)
            and name not in vars(self.module())
        ):
            setattr(thing, name, value)
        else:
            raise Undecided(f"`.{name}` can't be assigned")

    # -- expressions ---------------------------------------------------------------------------------
    def value(self, node, scope):
        return self.dispatch("of_", node)(node, scope)

    def of_Constant(self, node, scope):
        return node.value

    def of_Name(self, node, scope):
        at = scope
        while at:
            if node.id in at.names:
                return at.names[node.id]
            at = at.parent
        if node.id in self.others:
            self.run([self.others.pop(node.id)], self.notebook)
            return self.of_Name(node, scope)
        if node.id == "print":
            return lambda *given, **options: None
        if node.id not in BUILTINS:
            raise Undecided(f"the name `{node.id}` is not known")
        return getattr(builtins, node.id)

    def of_Attribute(self, node, scope):
        return self.attribute(self.value(node.value, scope), node.attr)

    def attribute(self, thing, name):
        """Return an attribute of a value: only those that are listed above, or in the student's text."""
        if isinstance(thing, Library):
            path = f"{thing.path}.{name}"
            if path in self.libraries:
                return self.libraries[path]
            if name in ("no_grad", "enable_grad", "inference_mode") and thing.path == "torch":
                return contextlib.nullcontext
            if thing.module is None or name not in thing.names:
                raise Undecided(f"`{path}` is not known")
            return getattr(thing.module, name)
        if thing is self.module and name == "__init__" or isinstance(thing, Super) and name == "__init__":
            owner = thing.after.lineage()[0].find(name, thing.after) if isinstance(thing, Super) else None
            return owner.bound(thing.thing, name, owner) if owner else lambda *given, **options: None
        if not (name.startswith("__") and name.endswith("__")):
            made_of = getattr(thing, "made_of", None) if isinstance(thing, (Record, self.layer)) else None
            owner = made_of.find(name) if made_of else None
            if isinstance(thing, Record) and name in thing.own:
                return thing.own[name]
            if isinstance(thing, self.layer) and self.is_own(thing, name):
                return getattr(thing, name)
            if owner:
                return owner.bound(thing, name, owner)
            if isinstance(thing, Class) and (owner := thing.find(name)):
                return owner.inside.names[name]
            if isinstance(thing, Super) and (owner := thing.after.find(name, thing.after)):
                return owner.bound(thing.thing, name, owner)
            listed = [names.split() for kind, names in OF_PYTHON.items() if isinstance(thing, kind)]
            listed += [BOTH + METHODS] * isinstance(thing, self.torch.Tensor)
            listed += [OF_LAYERS] * isinstance(thing, self.module)
            if any(name in names for names in listed):
                return getattr(thing, name)
        raise Undecided(f"`.{name}` is not known")

    def is_own(self, layer, name):
        """Return True if a layer has an attribute that the student's text has assigned."""
        fresh = vars(self.module())
        kinds = "_parameters", "_buffers", "_modules"
        plain = name in vars(layer) and name not in fresh and name != "made_of"
        return plain or any(name in vars(layer)[kind] for kind in kinds)

    def of_Subscript(self, node, scope):
        thing = self.value(node.value, scope)
        nn = self.torch.nn
        kinds = (self.torch.Tensor, list, tuple, dict, str, range)
        if not isinstance(thing, (*kinds, nn.ModuleList, nn.ModuleDict, nn.Sequential, nn.ParameterList)):
            raise Undecided(f"`{ast.unparse(node)[:60]}` can't be followed")
        return thing[self.value(node.slice, scope)]

    def of_Slice(self, node, scope):
        return slice(
            *(self.value(one, scope) if one else None for one in (node.lower, node.upper, node.step))
        )

    def of_Call(self, node, scope):
        name = getattr(node.func, "id", None)
        if name == RECORD:
            value = self.value(node.args[1], scope)
            if self.record:
                self.record(node.args[0].value, value, scope.numbers())
            return value
        if name == "super":
            if not scope.method:
                raise Undecided("`super()` outside of a method")
            return Super(scope.method)
        function = self.value(node.func, scope)
        options = {}
        for one in node.keywords:
            value = self.value(one.value, scope)
            options.update({one.arg: value} if one.arg else value)
        given = self.several(node.args, scope)
        if function is range and len(range(*given)) > MAX_SIZE:
            raise Undecided("a range is too long")
        return function(*given, **options)

    def several(self, nodes, scope):
        """Return the values of expressions; those with a star are unpacked."""
        values = []
        for one in nodes:
            if isinstance(one, ast.Starred):
                values.extend(self.value(one.value, scope))
            else:
                values.append(self.value(one, scope))
        return values

    def of_BinOp(self, node, scope):
        return self.operate(
            type(node.op).__name__, self.value(node.left, scope), self.value(node.right, scope)
        )

    def operate(self, kind, left, right):
        if kind not in OPERATORS:
            raise Undecided(f"the operator {kind} is not known")
        if kind in ("Pow", "Mult") and not any(isinstance(one, self.torch.Tensor) for one in (left, right)):
            sizes = [len(one) if hasattr(one, "__len__") else abs(one) for one in (left, right)]
            if kind == "Pow" and sizes[1] > 64 or max(sizes) > 1e15:
                raise Undecided("a number is too large")
            if any(hasattr(one, "__len__") for one in (left, right)) and sizes[0] * sizes[1] > MAX_SIZE:
                raise Undecided("a list is too long")
        return OPERATORS[kind](left, right)

    def of_UnaryOp(self, node, scope):
        return OPERATORS[type(node.op).__name__](self.value(node.operand, scope))

    def of_BoolOp(self, node, scope):
        for one in node.values:
            value = self.value(one, scope)
            if bool(value) is isinstance(node.op, ast.Or):
                break
        return value

    def of_Compare(self, node, scope):
        left = self.value(node.left, scope)
        for op, one in zip(node.ops, node.comparators):
            right = self.value(one, scope)
            value = OPERATORS[type(op).__name__](left, right)
            if len(node.ops) > 1 and not value:
                break
            left = right
        return value

    def of_IfExp(self, node, scope):
        return self.value(node.body if self.value(node.test, scope) else node.orelse, scope)

    def of_Tuple(self, node, scope):
        return tuple(self.several(node.elts, scope))

    def of_List(self, node, scope):
        return self.several(node.elts, scope)

    def of_Set(self, node, scope):
        return set(self.several(node.elts, scope))

    def of_Dict(self, node, scope):
        found = {}
        for key, one in zip(node.keys, node.values):
            value = self.value(one, scope)
            found.update({self.value(key, scope): value} if key else value)
        return found

    def of_ListComp(self, node, scope):
        return [self.value(node.elt, inner) for inner in self.each(node.generators, scope)]

    def of_GeneratorExp(self, node, scope):
        return iter(self.of_ListComp(node, scope))

    def of_SetComp(self, node, scope):
        return set(self.of_ListComp(node, scope))

    def of_DictComp(self, node, scope):
        inside = self.each(node.generators, scope)
        return {self.value(node.key, inner): self.value(node.value, inner) for inner in inside}

    def each(self, generators, scope):
        """Yield the scope of a comprehension, once for each of its elements."""
        if not generators:
            yield scope
            return
        first, *rest = generators
        for value in self.value(first.iter, scope):
            inner = Variables(scope)
            self.assign(first.target, value, inner)
            if all(self.value(one, inner) for one in first.ifs):
                yield from self.each(rest, inner)

    def of_Lambda(self, node, scope):
        return Function(self, node, scope)

    def of_NamedExpr(self, node, scope):
        scope.names[node.target.id] = value = self.value(node.value, scope)
        return value

    def of_JoinedStr(self, node, scope):
        return ""


def parsed(text):
    """Return the syntax tree of a cell without its IPython commands; None if the cell is not Python."""
    import warnings

    lines = ["" if line.lstrip()[:1] in ("%", "!") and line.lstrip() else line for line in text.split("\n")]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def defined_names(statement):
    """Return the names that a statement of a cell defines."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return [statement.name]
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return [(one.asname or one.name).split(".")[0] for one in statement.names]
    if isinstance(statement, ast.Assign):
        return [
            one.id for target in statement.targets for one in ast.walk(target) if isinstance(one, ast.Name)
        ]
    return []
