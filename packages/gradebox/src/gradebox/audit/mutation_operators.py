"""Mutation operators for array code, in addition to cosmic-ray's operators.

An operator is a function that takes a node of Python's syntax tree and yields replacements for the node.
"""

import ast
from collections.abc import Callable, Container, Iterator, Sequence
from copy import copy, deepcopy
from typing import Any, TypeGuard, TypeVar

NodeT = TypeVar("NodeT", bound=ast.AST)
Operator = Callable[[ast.AST], Iterator[ast.AST]]
AXES = (-1, 0, -2)
LIBRARIES = {"np", "numpy", "torch", "F"}
TRANSPOSE_ATTRIBUTES = {"T", "mT", "H", "mH"}
TRANSPOSE_FUNCTIONS = {
    "transpose",
    "swapaxes",
    "permute",
    "moveaxis",
    "movedim",
    "permute_dims",
    "matrix_transpose",
}
PRODUCT_FUNCTIONS = {"matmul", "dot", "mm", "bmm", "inner"}
TRIANGLE_SWAPS = {
    "tril": "triu",
    "triu": "tril",
    "tril_indices": "triu_indices",
    "triu_indices": "tril_indices",
}
NARROWER_DTYPES = {
    "float64": "float32",
    "double": "float32",
    "float32": "float16",
    "int64": "int8",
    "float": "float16",
}


def build_expression(template: str, **parts: ast.AST) -> ast.expr:
    """Return the parsed template, in which the names of `parts` are replaced by nodes."""

    class Fill(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return parts.get(node.id, node)

    return Fill().visit(ast.parse(template, mode="eval").body)


def called_name(call: ast.Call) -> str:
    """Return the name of the called function or method, without the part before the last dot."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def is_call_to(node: ast.AST, names: Container[str]) -> TypeGuard[ast.Call]:
    """Return True if a node calls a function or a method with one of these names."""
    return isinstance(node, ast.Call) and called_name(node) in names


def find_transformed_array(node: ast.AST, names: Container[str]) -> list[ast.expr]:
    """Return the array that a call of one of these functions transforms, or [] for other nodes.

    The array is the object of a method call, or else the first argument.
    """
    if not is_call_to(node, names):
        return []
    function = node.func
    if isinstance(function, ast.Attribute):
        if not (isinstance(function.value, ast.Name) and function.value.id in LIBRARIES):
            return [function.value]
    return node.args[:1]


def parse_int_literal(node: ast.AST) -> int | None:
    """Return the value of an integer literal, including its sign; None for other nodes."""
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if type(value) is int else None


def replace_at(nodes: Sequence[NodeT], place: int, node: NodeT) -> list[NodeT]:
    """Return the nodes with the node at index `place` replaced."""
    return [*nodes[:place], node, *nodes[place + 1 :]]


def replace_axis(node: ast.AST) -> Iterator[ast.AST]:
    """Replace an axis argument -1, 0 or -2 by another of these."""
    if isinstance(node, ast.Call):
        for place, argument in enumerate(node.args):
            for axis in AXES if parse_int_literal(argument) in AXES else ():
                yield ast.Call(node.func, replace_at(node.args, place, ast.Constant(axis)), node.keywords)
        for place, keyword in enumerate(node.keywords):
            if keyword.arg in ("axis", "dim") and parse_int_literal(keyword.value) in AXES:
                for axis in AXES:
                    other = ast.keyword(keyword.arg, ast.Constant(axis))
                    yield ast.Call(node.func, node.args, replace_at(node.keywords, place, other))


def drop_transpose(node: ast.AST) -> Iterator[ast.AST]:
    """Drop a transpose, or replace it by a reshape to the transposed shape."""
    arrays = find_transformed_array(node, TRANSPOSE_FUNCTIONS)
    if isinstance(node, ast.Attribute) and node.attr in TRANSPOSE_ATTRIBUTES:
        arrays = [node.value]
    for array in arrays:
        yield array
        yield build_expression("array.reshape(turned.shape)", array=array, turned=node)


def drop_reshape(node: ast.AST) -> Iterator[ast.AST]:
    """Drop a reshape."""
    yield from find_transformed_array(node, {"reshape", "view", "flatten", "ravel", "contiguous"})


def drop_new_axis(node: ast.AST) -> Iterator[ast.AST]:
    """Drop an added axis of length one, or `keepdims`."""
    if isinstance(node, ast.Subscript):
        places = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        names = [ast.unparse(place) for place in places]
        if any(name in ("None", "np.newaxis") for name in names):
            if all(name in ("None", "np.newaxis", ":", "...") for name in names):
                yield node.value
    elif isinstance(node, ast.Call):
        yield from find_transformed_array(node, {"expand_dims", "unsqueeze"})
        kept = [keyword for keyword in node.keywords if keyword.arg not in ("keepdims", "keepdim")]
        if len(kept) < len(node.keywords):
            yield ast.Call(node.func, node.args, kept)


def change_scale(node: ast.AST) -> Iterator[ast.AST]:
    """Drop a factor or divisor, or apply it twice."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
        yield node.left
        if isinstance(node.op, ast.Mult):
            yield node.right
            yield ast.BinOp(ast.BinOp(node.left, ast.Mult(), node.left), node.op, node.right)
        yield ast.BinOp(ast.BinOp(node.left, node.op, node.right), node.op, node.right)


def swap_matmul_operands(node: ast.AST) -> Iterator[ast.AST]:
    """Swap the operands of a matrix product."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        yield ast.BinOp(node.right, node.op, node.left)
    elif is_call_to(node, PRODUCT_FUNCTIONS) and len(node.args) == 2:
        yield ast.Call(node.func, node.args[::-1], node.keywords)


def swap_triangle(node: ast.AST) -> Iterator[ast.AST]:
    """Swap `tril` and `triu`, or move the diagonal by one where the call does not specify a diagonal."""
    if is_call_to(node, TRIANGLE_SWAPS):
        name = TRIANGLE_SWAPS[called_name(node)]
        function: ast.expr = ast.Name(name, ast.Load())
        if isinstance(node.func, ast.Attribute):
            function = ast.Attribute(node.func.value, name, ast.Load())
        yield ast.Call(function, node.args, node.keywords)
        given = [one for one in node.args if one not in find_transformed_array(node, TRIANGLE_SWAPS)]
        if not node.keywords and not given:
            for offset in (1, -1):
                yield ast.Call(node.func, [*node.args, ast.Constant(offset)], [])


def drop_statement(node: ast.AST) -> Iterator[ast.AST]:
    """Drop a statement, except definitions, imports and returns, without which the code can't work."""
    kept = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Return, ast.Pass)
    if isinstance(node, ast.stmt) and not isinstance(node, kept):
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            yield ast.Pass()


def narrow_dtype(node: ast.AST) -> Iterator[ast.AST]:
    """Replace a dtype by a narrower one."""
    if isinstance(node, ast.Attribute) and node.attr in NARROWER_DTYPES:
        yield ast.Attribute(node.value, NARROWER_DTYPES[node.attr], ast.Load())
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in NARROWER_DTYPES:
        yield ast.Constant(NARROWER_DTYPES[node.value])
    elif isinstance(node, ast.keyword) and node.arg == "dtype" and ast.unparse(node.value) == "float":
        yield ast.keyword("dtype", ast.Constant("float16"))
    elif is_call_to(node, {"astype"}) and [ast.unparse(argument) for argument in node.args] == ["float"]:
        yield ast.Call(node.func, [ast.Constant("float16")], node.keywords)


def swap_return_order(node: ast.AST) -> Iterator[ast.AST]:
    """Swap two neighbors in a returned tuple."""
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
        for place in range(len(node.value.elts) - 1):
            parts = list(node.value.elts)
            parts[place : place + 2] = parts[place + 1], parts[place]
            yield ast.Return(ast.Tuple(parts, ast.Load()))


def stop_gradient(node: ast.AST) -> Iterator[ast.AST]:
    """Stop the gradient at a returned tensor, or after a layer of a module, as `self.q(x).detach()`."""
    if isinstance(node, ast.Return) and node.value is not None:
        several = isinstance(node.value, ast.Tuple) and node.value.elts
        first = several[0] if several else node.value
        if isinstance(first, ast.Constant | ast.Compare | ast.BoolOp):
            return
        cut = build_expression("tensor.detach()", tensor=first)
        yield ast.Return(ast.Tuple([cut, *several[1:]], ast.Load()) if several else cut)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        if isinstance(node.func.value, ast.Name) and node.func.value.id == "self":
            yield build_expression("tensor.detach()", tensor=node)


def allocate_with_input_dtype(node: ast.AST) -> Iterator[ast.AST]:
    """Fill an array of the first argument's dtype, which cuts off decimals for an array of integers."""
    if not isinstance(node, ast.FunctionDef) or not node.args.args or node.args.args[0].arg == "self":
        return
    dtype = build_expression("first.dtype", first=ast.Name(node.args.args[0].arg, ast.Load()))
    for place, call in enumerate(ast.walk(node)):
        if is_call_to(call, {"zeros", "empty", "ones", "full"}) and ast.unparse(call).startswith("np."):
            if not any(keyword.arg == "dtype" for keyword in call.keywords):
                new = deepcopy(node)
                (same,) = (one for n, one in enumerate(ast.walk(new)) if n == place)
                same.keywords.append(ast.keyword("dtype", dtype))  # type: ignore[attr-defined]
                yield new


def block_with_finite_number(node: ast.AST) -> Iterator[ast.AST]:
    """Block with −10,000, which is not enough beside scores far below it, instead of −∞."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        if isinstance(node.operand, ast.Attribute) and node.operand.attr == "inf":
            yield ast.Constant(-1e4)
    elif is_call_to(node, {"float"}) and [ast.unparse(one) for one in node.args] == ["'-inf'"]:
        yield ast.Constant(-1e4)


def reset_generator(node: ast.AST) -> Iterator[ast.AST]:
    """Reset the random generator at each call of a function that draws."""
    if isinstance(node, ast.FunctionDef) and node.name != "__init__":
        text = ast.unparse(node)
        if any(word in text for word in ("drop", "multinomial")):
            new = copy(node)
            new.body = [*ast.parse("__import__('torch').manual_seed(0)").body, *node.body]
            yield new


OPERATORS: tuple[Operator, ...] = (
    replace_axis,
    drop_transpose,
    drop_reshape,
    drop_new_axis,
    change_scale,
    swap_matmul_operands,
    swap_triangle,
    drop_statement,
    narrow_dtype,
    swap_return_order,
    stop_gradient,
    allocate_with_input_dtype,
    block_with_finite_number,
    reset_generator,
)


def iter_node_positions(tree: ast.AST) -> Iterator[tuple[Any, Any]]:
    """Yield every position of a node in a tree: the container (a field dict or a list), and the key in it."""
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, list):
                yield from ((value, index) for index in range(len(value)))
            elif isinstance(value, ast.AST):
                yield vars(parent), field


def generate_array_mutations(source: str) -> Iterator[tuple[str, str]]:
    """Yield the operator's name and the changed source for every change that the operators can make."""
    tree = ast.parse(source)
    for siblings, key in list(iter_node_positions(tree)):
        node = siblings[key]
        for operator in OPERATORS:
            for new in operator(node):
                siblings[key] = new
                text = ast.unparse(ast.fix_missing_locations(tree))
                siblings[key] = node
                yield operator.__name__.replace("_", " "), text
