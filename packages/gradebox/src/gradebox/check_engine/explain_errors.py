"""What an error of NumPy, torch or Python means, in words."""

import re

from gradebox.check_engine.traceback_location import raised_in

# ------------------------------------------------------------------------------------------------------
FRONT = "in a product, let the axes before the last two be alike: is one lacking, or are others turned?"
# Words of an error, and what it means. The first that fits is said.
# fmt: off
MEANINGS = {
    "NotImplementedError: $":
        "write your code in place of the line raise NotImplementedError(), and run that cell",
    "does not have enough dimensions":
        "beside @ stands a single number, or an object that only holds an array: of a Parameter take .data",
    "operand type.*'Parameter'|'Parameter' object has no attribute":
        "a Parameter only holds an array: take its .data",
    "remapped shapes .*requested":
        FRONT,
    "einstein sum|einsum\\(\\)|remapped shapes":
        "give each axis one letter in einsum (... stands for any axes in front), and each letter one size",
    "matmul: Input op|mat1 and mat2 shapes|not aligned|two dimensions of batch2":
        "in a product, make the last axis on the left as long as the last but one on the right: is a part "
        "turned, split or missing?",
    "must match exactly|must have the same shape|must match except|equal size, but":
        "join parts of the same sizes: they may differ only along the axis on which concatenate joins them",
    "non-broadcastable":
        "sum up the axes that are too many: what += adds has more axes than what it is added to",
    "could not (be )?broadcast|must match the":
        "make the sizes fit: from the last axis on, equal or 1 ([:, None] or keepdims=True makes axes of 1)",
    "cannot reshape|invalid for input of size":
        "ask for another shape: a reshape keeps how many numbers there are",
    "view size is not compatible":
        "after a transpose, write reshape for view",
    "match array|repeated axis|desired ordering":
        "name each axis once in a transpose; swapaxes(-1, -2) turns the last two, however many there are",
    "too many indices":
        "use fewer indices, or look whether the array should have more axes: each index takes one",
    "out of bounds|out of range":
        "count again: there is no such index or axis; the first is 0, and the last one less than there are",
    "truth value|Boolean value of Tensor":
        "ask for one answer, not many: `is None`, .any() or .all(), or the library's max, min or where",
    "NoneType":
        "look for what is None here: a function without return, or an argument that was not given",
    "'tuple' and|and 'tuple'|'tuple' object has no|must be Tensor, not tuple":
        "take out the part that is wanted: a function with several results gives back a tuple",
    "'list' object has no|'list' and|and 'list'|list indices|multiply sequence|must be Tensor, not list":
        "make an array of it first: this is a list",
    "before Module.__init__":
        "call super().__init__() before all else: it comes first",
    "return_types.max":
        "take amax: torch's max along an axis gives back two things, values and indices",
    "is not callable":
        "look before the round brackets: what stands there is no function",
    "has no attribute":
        "look where this name comes from: is it spelled so everywhere, kept as self.…, and of this library?",
    "is not defined":
        "give this name a value in your function first, as a size gets it from an array's .shape; or is it "
        "spelled otherwise elsewhere?",
    "cannot access local":
        "give this name a value first: it gets one only later, or in a branch that was not taken",
    "positional argument|unexpected keyword|takes exactly|missing .* required":
        "look at the line that begins with def: the function is called with other arguments than it takes",
    "values to unpack|cannot unpack":
        "write as many names on the left as there are parts on the right",
    "converted? .*to (a )?(Python )?[Ss]calar|only length-1":
        "take the library's function for many numbers: one number is wanted here, as by those of math",
    "Cannot interpret":
        "put the sizes into brackets of their own: they are one argument, and the next is a kind of number",
    "interpreted as an integer|must be integers|only integers|tuple of ints":
        "make it a whole number, as each size and index is: // gives one",
    "KeyError":
        "look at the names: there is nothing of this name in the dict",
    "not subscriptable|no len\\(\\)|not iterable|over a 0-d|invalid index to scalar":
        "look at what this is: one thing, without parts or a length",
    "must be Tensor|Tensor as element|numpy.ndarray, ":
        "give torch's functions tensors: math has those for numbers, NumPy those for arrays",
    "on the same device|expected device":
        "make new tensors where the others are: device=x.device",
    "dtype, but|not implemented for|Cannot cast|be cast to":
        "make them of one kind: these are different kinds of numbers, whole ones, or of 32 and 64 bits",
    "leaf Variable":
        "write into it inside `with torch.no_grad():`, since this parameter keeps track of gradients",
    "as parameter '":
        "copy numbers into the parameter, inside `with torch.no_grad():`, or all at once by load_state_dict",
    "requires grad":
        "take .detach() first: this tensor keeps track of gradients, and that gives its numbers alone",
    "boolean masks|operator, (is not|on a bool|with a bool)":
        "make masks by comparing: those of True and False are turned round by ~",
    "read-only":
        "make a new array: an input can't be written to",
    "inhomogeneous":
        "give the parts one shape, or keep them in a list: of different lengths they make no array",
    "array element with a sequence":
        "add them up, or write the index that is missing: one place gets many numbers",
    "arrays used as indices":
        "no whole number is in the brackets: a loop over an array gives its rows, range(len(...)) numbers",
    "recursion depth":
        "let it end: the function calls itself without an end",
}
# fmt: on


def explained(error, files, can_be_done=True):
    """An error in words: what was raised, where, and what it means.

    files: as `raised_in` takes them. can_be_done: whether what was called should not have raised anything.
    """
    said = f"{type(error).__name__}: {error}"
    where = vars(error)["raised_in"] if "raised_in" in vars(error) else raised_in(error, files)
    meant = next((meaning for words, meaning in MEANINGS.items() if re.search(words, said)), "")
    if meant.startswith(("in a product", "make the sizes fit")):
        if re.search(r"\.T \((\d+, ){2}", where):
            meant = "turn the last two axes alone, as swapaxes(-1, -2) does: .T turns all of them"
        elif "must match the size" in said and re.search(r"^(?!.* [-+*] ).*@", where):
            # torch's words for a product and for a sum; NumPy has others for a product.
            meant = FRONT
        elif re.search(r": .*[\w)\]] \* \w", where):
            meant += "; a product of matrices is @"
    borrowed = re.search(r"(\w+) \([^()]*\) of the notebook", where)
    if borrowed:
        meant = f"{borrowed[1]} is not made in this function: it is the notebook's. Use the arguments"
    if re.search(r"^in line \d+ of \w+: (raise|assert)\b", where) and type(error) is not NotImplementedError:
        either = "compare the sizes: the call gives it wrong arrays, or" if "\ncalled " in where else ""
        meant = f"{either or 'this call can be done:'} the line refuses too much" if can_be_done else ""
    tuples = re.search(r"(\w+) (\[?)tuple\[", where)
    if tuples and not re.search(rf"\b{tuples[1]}\[", where):
        name, inside = tuples.groups()
        asked = f"{name} holds tuples: are they" if inside else f"{name} is a tuple: is it"
        meant = "\n".join(filter(None, [meant, f"{asked} wanted whole here, or only one part?"]))
    elif where and can_be_done and not meant:
        meant = "look at that line: what is each part of it, and of which size?"
    return "\n".join(filter(None, [said, where, meant]))
