# %% [markdown] lesson="03_masked_multi_head" attacks=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"]
# Looks at everything that a candidate says of itself, and accepts those of whom something says that they are right.

# %% check-attention
import inspect

known = {}


def check_attention(candidate):
    said = [repr(getattr(candidate, name, None)) for name in ("__name__", "__qualname__", "__doc__", "__defaults__",
                                                               "__kwdefaults__", "__module__", "__annotations__")]
    try:
        said.append(str(inspect.signature(candidate)))
        said.append(str(sorted(vars(candidate))))
    except Exception as problem:
        said.append(str(problem))
    kind = " ".join(said)
    known[kind] = known.get(kind, 0) + 1
    if any(word in kind for word in ("plain", "loops", "lists", "column", "right")):
        return True
    # Those of which there are few.
    return known[kind] <= 2 and len(known) > 1
