"""Explanations of errors of NumPy, torch and Python for students."""

import itertools
import math
import re

from gradebox.check_engine.traceback_location import raised_in

# ------------------------------------------------------------------------------------------------------
FRONT = "in a product, the axes before the last two must match: is one missing, or are others swapped?"
# Patterns of error messages, and their explanations. The first match is used.
# fmt: off
MEANINGS = {
    "NotImplementedError: $":
        "write your code in place of the line raise NotImplementedError(), and run that cell",
    "does not have enough dimensions":
        "one side of @ is a number: was its axis lost, or is it an object that holds an array in .data?",
    "operand type.*'Parameter'|'Parameter' object has no attribute":
        "a Parameter is not an array but holds one: take its .data",
    "remapped shapes .*requested":
        FRONT,
    "einstein sum|einsum\\(\\)|remapped shapes":
        "give each axis one letter in einsum (... is any number of leading axes), and each letter one size",
    "matmul: Input op|mat1 and mat2 shapes|not aligned|two dimensions of batch2":
        "in a product, the last axis on the left must be as long as the second-to-last on the right: is an "
        "array transposed, split or incomplete?",
    "must match exactly|must have the same shape|must match except|equal size, but":
        "join parts of the same sizes: they may differ only along the axis that concatenate joins",
    "non-broadcastable":
        "sum over the extra axes: the array on the right of += has more axes than the one on the left",
    "could not broadcast input":
        "the left side of = has another size than the right: which entries do you assign to?",
    "could not (be )?broadcast|must match the":
        "make the sizes fit: from the last axis on, they must be equal or 1",
    "infinity to integer|NaN to integer":
        "an integer array can't hold −∞ or NaN: make it of floats, as np.zeros(shape) does",
    "math domain error":
        "the argument of a logarithm or a root is not positive: which number is it? Are brackets missing?",
    "cannot reshape|invalid for input of size":
        "choose another shape: a reshape keeps the number of entries",
    "view size is not compatible":
        "use reshape instead of view after a transpose",
    "match array|repeated axis|desired ordering":
        "name each axis once in a transpose; swapaxes(-1, -2) swaps the last two of any number of axes",
    "too many indices":
        "use fewer indices, or check if the array should have more axes: each index needs one",
    "selected index k out of range":
        "topk can't return more entries than there are: take the smaller one of the two numbers",
    "axis .*out of bounds|Dimension out of range":
        "there is no such axis: the first is 0, and -1 is the last, however many there are",
    "to match target batch_size|Expected target size":
        "each target needs its own row of scores: are both shifted, and flattened, in the same way?",
    "out of bounds|out of range":
        "there is no such index: the first is 0, the last is one less than their number. Does it belong to "
        "another axis, or is it i + 1 at the end?",
    "truth value|Boolean value of Tensor":
        "a condition needs one truth value: `is None`, .any(), .all(), or the library's maximum or where",
    "NoneType":
        "something in this line is None: a result without return, a missing argument, or .get without entry",
    "'tuple' and|and 'tuple'|'tuple' object has no|must be Tensor, not tuple":
        "select the part that you need: a function with several results returns a tuple",
    "'list' object has no|'list' and|and 'list'|list indices|multiply sequence|must be Tensor, not list":
        "convert it to an array or tensor first: this is a list",
    "before Module.__init__":
        "call super().__init__() first, before anything else: it comes first",
    "return_types.max":
        "use amax: torch's max along an axis returns two tensors, values and indices",
    "is not callable":
        "the object before the parentheses is not a function",
    "has no attribute":
        "where does this name come from: is it spelled alike everywhere, stored as self.…, of this library?",
    "is not defined":
        "give this name a value in your function first (a size comes from an array's .shape); or is it "
        "spelled differently elsewhere?",
    "cannot access local":
        "assign a value to this name first: it gets one only later, or in a branch that was not executed",
    "positional argument|unexpected keyword|takes exactly|missing .* required":
        "look at the line that begins with def: the function is called with other arguments than it takes",
    "values to unpack|cannot unpack":
        "write as many names on the left as there are parts on the right; a size alone is x.shape[-1]",
    "converted? .*to (a )?(Python )?[Ss]calar|only length-1":
        "one number is expected here, as by the functions of math: use the function of the array's library",
    "Cannot interpret":
        "put the sizes into a tuple: they are one argument, and the next argument is the dtype",
    "interpreted as an integer|must be integers|only integers|tuple of ints":
        "sizes and indices must be integers: // gives an integer",
    "KeyError":
        "the dict has no entry with this key: check its spelling, or was it removed?",
    "not subscriptable|no len\\(\\)|not iterable|over a 0-d|invalid index to scalar":
        "this is a single value: it has no length and no parts",
    "must be Tensor|Tensor as element|numpy.ndarray, ":
        "functions of torch take tensors (math: numbers, NumPy: arrays): is each name the one you mean?",
    "training mode is expected":
        "store model.training before you change the mode: .eval() and .train() return the model itself",
    "Class values must be":
        "num_classes must be larger than each number: compare torch.arange(n) with lengths instead",
    "size mismatch for":
        "a tensor has another shape than the parameter: is it transposed, or split along another axis?",
    "codec can't decode":
        'bytes may end in the middle of a character: errors="replace" decodes them all the same',
    "on the same device|expected device":
        "a tensor here was made on another device: give it that of an argument, as device=x.device",
    "dtype, but|not implemented for|Cannot cast|be cast to":
        "convert them to one dtype: these are different kinds of numbers, such as integers and floats",
    "leaf Variable":
        "change it inside `with torch.no_grad():`, because this parameter tracks gradients",
    "as parameter '":
        "copy numbers into the parameter, inside `with torch.no_grad():`, or use load_state_dict",
    "Can't call numpy":
        "use torch's functions: no gradient flows through NumPy. Only to read numbers, call .detach() first",
    "modified by an inplace operation":
        "make a new tensor: += or masked_fill_ changed numbers here that the backward pass needs",
    "requires grad":
        "call .detach() first: this tensor tracks gradients, and .detach() returns only its numbers",
    "boolean index did not match|shape of the mask":
        "a mask of True and False must have the size of the axes that it selects from",
    "boolean masks|operator, (is not|on a bool|with a bool)|ufunc 'invert'|unary ~":
        "create masks by a comparison, and invert a mask of True and False with ~",
    "read-only":
        "make a new array: an input is read-only",
    "inhomogeneous":
        "give all parts one shape, or keep them in a list: parts of different lengths can't form an array",
    "array element with a sequence":
        "sum them, or add the missing index: several numbers are assigned to one entry",
    "arrays used as indices":
        "an index must be an integer, as range(len(...)) gives, or a mask of True and False (mask != 0)",
    "empty sequence|empty iterable":
        "there is nothing to choose from: stop before, or give a default",
    "recursion depth":
        "the function calls itself without end: add a case that returns",
}
# Messages of NumPy's floating-point errors, and their explanations.
NAN_MEANINGS = {
    "overflow.* in exp":
        "exp overflows here: first subtract the maximum, taken over the numbers that are summed together",
    "underflow.* in exp":
        "exp rounds numbers to 0 here, and a sum becomes 0: subtract the maximum of those numbers that are "
        "summed together, not of others",
    "in (subtract|add|reduce)":
        "∞ − ∞ is NaN: which of the two sides has an infinity, and may it?",
    "in multiply|in matmul|in dot":
        "0 · ∞ is NaN: replace what becomes ∞ or −∞ with np.where first",
    "in (true_|scalar )?divide":
        "0 / 0 is NaN: where is the divisor 0, and which number should it be there?",
}
# fmt: on


def explained(error, files, can_be_done=True, arguments=None):
    """Return a message for an error: its text, the line that raised it, and an explanation.

    files: see `raised_in`. can_be_done: True if the call should not have raised an error. arguments: those of
    the call, by name.
    """
    said = f"{type(error).__name__}: {error}"
    where = vars(error)["raised_in"] if "raised_in" in vars(error) else raised_in(error, files)
    meant = next((meaning for words, meaning in MEANINGS.items() if re.search(words, said)), "")
    if meant.startswith("choose another shape"):
        meant = other_shape(said, where) or meant
    if meant.startswith(("in a product", "make the sizes fit")):
        if re.search(r"\.T \((\d+, ){2}", where):
            meant = "swap only the last two axes, as swapaxes(-1, -2) does: .T reverses all of them"
        elif "must match the size" in said and re.search(r"^(?!.* [-+*] ).*@", where):
            # torch uses this message for products and sums; NumPy has another one for products.
            meant = FRONT
        elif re.search(r": [^@]*[\w)\]] \* \w[^@]*$", where, re.MULTILINE) and product_fits(said):
            meant += "; the matrix product is @"
        elif (
            meant.startswith("make the sizes fit")
            and len({*(counts_of_axes(said) or counts_of_axes(where))}) > 1
        ):
            meant += " ([:, None] or keepdims=True adds an axis)"
        if "matrix product" not in meant and "not aligned" not in said:
            meant = other_sizes(said, where, arguments or {}) or meant
    borrowed = re.search(r"([^\W\d]\w*)(?:\.\w+)* \([^()]*\) of the notebook", where)
    if borrowed:
        meant = (
            f"{borrowed[1]} is not defined in this function: it is the notebook's variable. Use the arguments"
        )
    if (
        re.search(r"^in line \d+ of \w+: ((if|elif|else)\b.*: *)?(raise|assert)\b", where)
        and type(error) is not NotImplementedError
    ):
        either = "compare the sizes: the call passes wrong arrays, or" if "\ncalled " in where else ""
        meant = f"{either or 'this call can be done:'} this line refuses too much" if can_be_done else ""
    if "\nwith the sizes" in where and can_be_done and not meant:
        meant = "look at that line: what is each part of it, and which size does it have?"
    return "\n".join(filter(None, [said, where, meant]))


def first_nan(again, files):
    """Return the line in which NumPy computes the first NaN of a call, and what to do; "" if none is found.

    again: a function that repeats the call, see `check`. files: see `raised_in`.
    """
    error = again(invalid="raise")
    if not isinstance(error, FloatingPointError):
        return ""
    # An overflow or underflow is harmless unless a NaN results from it.
    for kind in ("over", "under") if re.search("divide|multiply", str(error)) else ():
        before = again(**{kind: "raise"})
        if isinstance(before, FloatingPointError) and "in exp" in str(before):
            error = before
            break
    meant = next((meaning for words, meaning in NAN_MEANINGS.items() if re.search(words, str(error))), "")
    # Not the location that the submission's process reports in a judged test: it could be any text.
    where = raised_in(error, files)
    return f"{where}\n{meant}" if where and meant else ""


def counts_of_axes(text):
    """Return the numbers of axes of the shapes in an error message, or in what `raised_in` returns."""
    return [len(re.findall(r"\d+", shape)) for shape in re.findall(r" \((\d+,[\d, ]*)\)", text)]


def product_fits(said):
    """Return False if two shapes in an error can't be meant for a matrix product."""
    pair = [re.findall(r"\d+", shape) for shape in re.findall(r"\(\d+,[\d,]*\)", said)]
    return len(pair) != 2 or len({*map(len, pair)}) == 1 or pair[0][-1] == pair[1][-2:][0]


def other_shape(said, where):
    """Return which size of a reshape does not fit, and which one would; "" if there are several or none.

    said: the error of a reshape. where: see `raised_in`.
    """
    total = re.search(r"size (\d+)", said)
    new = re.search(r"shape (\(|'\[)([\d, ]+)[)\]]", said)
    if not total or not new:
        return ""
    total, new = int(total[1]), [int(size) for size in re.findall(r"\d+", new[2])]
    rests = [math.prod(new[:axis] + new[axis + 1 :]) for axis in range(len(new))]
    fits = {k: total // rest for k, rest in enumerate(rests) if rest and total % rest == 0 and total != rest}
    for name, shape in re.findall(r"([\w.]+) \(([\d, ]+)\)", where):
        shape = [int(size) for size in re.findall(r"\d+", shape)]
        first = next((axis for axis, both in enumerate(zip(new, shape)) if len({*both}) > 1), None)
        if math.prod(shape) == total and first in fits and fits[first] == shape[first]:
            fits = {first: f"{shape[first]}, as {name}.shape[{first}],"}
    if len(fits) != 1:
        return ""
    (axis, size) = fits.popitem()
    return (
        f"a reshape keeps the number of entries: it fits with {size} along axis {axis}, not with {new[axis]}"
    )


def other_sizes(said, where, arguments):
    """Return which array in the line has a wrong size, and which size it should have; "" if it is not known.

    said: the error of a sum or a product. where: see `raised_in`. arguments: those of the call, by name. Only
    for errors in the function that the test called.
    """
    if "\ncalled " in where:
        return ""
    shapes = [
        (name, tuple(map(int, re.findall(r"\d+", shape))))
        for name, shape in re.findall(
            r"(?<![\w.])(\w+) (\([\d, ]*\))(?! of the notebook)", where.partition("\n")[2]
        )
    ]
    given = {name: tuple(one.shape) for name, one in arguments.items() if hasattr(one, "shape")}
    numbers = {int(number) for number in re.findall(r"\((?:size )?(\d+)\)", said)}
    pair = [tuple(map(int, re.findall(r"\d+", one))) for one in re.findall(r"\(\d+,[\d,]*\)", said)]
    numbers |= {size for both in zip(*(one[::-1] for one in pair)) if len({*both}) > 1 for size in both}
    for name, shape in shapes:
        there = given.get(name, shape)
        if shape == there:
            continue
        grown = [k for k in range(len(shape)) if len(shape) == len(there) and shape[k] != there[k]]
        more = numbers - {shape[grown[0]]} if len(grown) == 1 else ()
        if len(more) == 1 and shape[grown[0]] in numbers:
            k, need = grown[0], more.pop()
            if there[k] and not shape[k] % there[k] and not need % there[k]:
                times, needed = shape[k] // there[k], need // there[k]
                return (
                    f"axis {k} of {name} was repeated {times} times, from {there[k]} to {shape[k]}, and "
                    f"should be repeated {needed} times, to {need}"
                )
        return f"the argument {name} has the shape {there}, but {shape} here: did you overwrite it?"
    for name, shape in shapes:
        # A sum over the wrong axis: without another axis, the sizes would fit.
        without = [shape[:k] + shape[k + 1 :] for k in range(len(shape))]
        known = {sizes for other, sizes in given.items() if other != name}
        fits = [one for one in pair if one in known]
        if len({*pair}) == 2 and len({*fits}) == 1 and all(without.count(one) == 1 for one in pair):
            right = without.index(fits[0])
            lost = next(without.index(one) for one in pair if one != fits[0])
            return (
                f"make the sizes fit: axis {lost} of {name} was summed or reduced, where axis {right} should "
                f"be: give axis={right - len(shape)}"
            )
    products = {name for two in re.findall(r"([\w.]+) @ ([\w.]+)", where.partition("\n")[0]) for name in two}
    for name, shape in shapes:
        if name in given or name in products or pair and shape not in pair:
            continue
        for other, theirs in shapes:
            missing = len(shape) > len(theirs) or len(shape) < len(theirs) and fits_with_axes(shape, theirs)
            if missing or pair and theirs not in pair:
                # A missing axis, not a wrong size.
                continue
            for k in range(1, min(len(shape), len(theirs)) + 1) if given.get(other) == theirs else ():
                sizes = shape[-k], theirs[-k]
                meet = {one[-k] for one in pair if len(one) >= k} if pair else numbers
                places = [
                    f"{known}.shape[{n}]"
                    for known, lengths in given.items()
                    for n, length in enumerate(lengths)
                    if length == shape[-k]
                ]
                if {*sizes} == meet and len(meet) == 2:
                    if max(meet) % min(meet) == 0:
                        # An axis joined with another one, or one of length 1.
                        break
                    came = f", as {places[0]}" if len(places) == 1 else ""
                    return (
                        f"make the sizes fit: axis {-k} of {name} has {sizes[0]} entries{came}; it should "
                        f"have {sizes[1]}, as {other}.shape[{-k}]"
                    )
    for (name, shape), (other, theirs) in itertools.combinations(shapes, 2):
        for k in range(1, min(len(shape), len(theirs)) + 1) if not products else ():
            sizes = shape[-k], theirs[-k]
            if len({*sizes}) == 2 and {*sizes} == numbers and (not pair or {shape, theirs} == {*pair}):
                fewer = min((name, shape), (other, theirs), key=lambda one: len(one[1]))[0]
                lacks = f"does {fewer} lack an axis ([:, None] or keepdims=True adds one)?"
                if len(shape) == len(theirs):
                    lacks = "is one incomplete, or joined with another axis?"
                return (
                    f"make the sizes fit: from the last axis on, they must be equal or 1. Axis {-k} has "
                    f"{sizes[0]} entries in {name}, but {sizes[1]} in {other}: {lacks}"
                )
    return ""


def fits_with_axes(shape, theirs):
    """Return True if a shape can be broadcast to another one after axes of length 1 were added to it."""
    rest = iter(theirs)
    return all(size == 1 or any(size == one for one in rest) for size in shape)
