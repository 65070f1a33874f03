"""What an error of NumPy, torch or Python means, in words."""

import re

from gradebox.messages.raised import raised_in

# ------------------------------------------------------------------------------------------------------
# Words of an error, and what it means. The first that fits is said.
# fmt: off
MEANINGS = {
    "NotImplementedError: $":
        "write your code in place of the line raise NotImplementedError(), and run that cell",
    "does not have enough dimensions":
        "beside @ stands a single number, or an object that only holds an array: of a Parameter take .data",
    "operand type.*'Parameter'":
        "a Parameter only holds an array: take its .data",
    "einstein sum|einsum\\(\\)|remapped shapes (?!.*requested)":
        "in einsum, each axis has one letter (... stands for any axes in front), and a letter for one size",
    "matmul: Input op|mat1 and mat2 shapes|not aligned|two dimensions of batch2":
        "in a product, the last axis on the left is as long as the last but one on the right",
    "must match exactly|must have the same shape|must match except|equal size, but":
        "parts that are joined have the same sizes, but for the axis along which concatenate joins them",
    "non-broadcastable":
        "what += adds has more axes than what it is added to",
    "could not (be )?broadcast|must match the":
        "from the last axis on, two sizes are equal, or one is 1 (which a sum with keepdims=True leaves)",
    "cannot reshape|invalid for input of size":
        "a reshape keeps how many numbers there are",
    "view size is not compatible":
        "after a transpose, write reshape for view",
    "match array|repeated axis|desired ordering":
        "a transpose names each axis once; swapaxes(-1, -2) turns the last two, however many there are",
    "too many indices":
        "there are more indices than axes",
    "out of bounds|out of range":
        "there is no such index or axis: the first is 0, and the last one less than there are",
    "truth value|Boolean value of Tensor":
        "one answer is wanted, and here are many: ask `is None`, and take the library's max, min or where",
    "NoneType":
        "something is None here: a function without return, or an argument that was not given",
    "'list' object has no|'list' and|and 'list'|list indices|multiply sequence|must be Tensor, not list":
        "this is a list: make an array of it first",
    "before Module.__init__":
        "super().__init__() comes first",
    "return_types.max":
        "torch's max along an axis gives back two things, values and indices: amax gives the values",
    "is not callable":
        "what stands before the round brackets is no function",
    "has no attribute":
        "it has nothing of this name: is it spelled so everywhere, kept as self.…, and of this library?",
    "is not defined":
        "nothing has this name: is it an argument, spelled otherwise, or made in another function?",
    "cannot access local":
        "this name gets a value only later, or in a branch that was not taken",
    "positional argument|unexpected keyword|takes exactly|missing .* required":
        "a function is called with other arguments than it takes",
    "values to unpack|cannot unpack":
        "there are as many names on the left as there are parts on the right",
    "converted? .*to (a )?(Python )?[Ss]calar|only length-1":
        "one number is wanted here, and there are many: math's functions take one, those of the library all",
    "interpreted as an integer|must be integers|only integers|tuple of ints":
        "a size or an index is a whole number: // gives one",
    "not subscriptable|no len\\(\\)|not iterable|over a 0-d|invalid index to scalar":
        "this is one thing, and has no parts",
    "must be Tensor|Tensor as element|numpy.ndarray, ":
        "torch's functions take tensors: math has those for numbers, NumPy those for arrays",
    "on the same device|expected device":
        "a new tensor is made where the others are: device=x.device",
    "dtype, but|not implemented for|Cannot cast|be cast to":
        "these are different kinds of numbers: whole ones, or of 32 and 64 bits",
    "requires grad":
        "this tensor keeps track of gradients: .detach() gives its numbers alone",
    "boolean masks|operator, (is not|on a bool|with a bool)":
        "masks of True and False are turned round by ~, and made by comparing",
    "read-only":
        "an input can't be written to: make a new array",
    "inhomogeneous":
        "the parts have different lengths, so that they make no array",
    "array element with a sequence":
        "one place of an array gets many numbers: add them up, or give it one",
    "arrays used as indices":
        "no whole number is in the brackets: a loop over an array gives its rows, range(len(...)) numbers",
    "recursion depth":
        "the function calls itself without an end",
}
# fmt: on


def explained(error, files):
    """An error in words: what was raised, where, and what it means. files: as `raised_in` takes them."""
    said = f"{type(error).__name__}: {error}"
    where = vars(error)["raised_in"] if "raised_in" in vars(error) else raised_in(error, files)
    meant = next((meaning for words, meaning in MEANINGS.items() if re.search(words, said)), "")
    borrowed = re.search(r"(\w+) \([^()]*\) of the notebook", where)
    if borrowed:
        meant = f"{borrowed[1]} is not made in this function: it is the notebook's. Use the arguments"
    if re.search(r"^in line \d+ of \w+: raise\b", where) and not isinstance(error, NotImplementedError):
        meant = "this call can be done: the line refuses too much"
    return "\n".join(filter(None, [said, where, meant]))
