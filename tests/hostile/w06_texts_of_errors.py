# %% [markdown] lesson="06_relational_memory" attacks=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"]
# Passes sizes that don't fit, and tells the candidates apart by the text of their errors.

# %% check-gates
import traceback


def text_of_error(candidate, *arguments):
    try:
        candidate(*arguments)
    except Exception as error:
        more = [getattr(error, name, "") for name in ("args", "__notes__", "__cause__", "__context__")]
        return traceback.format_exc() + repr(more) + repr(vars(error))
    return ""


def check_gates(candidate):
    def ones(*shape):
        return torch.ones(shape)

    memory, new, token, W, U, b = ones(3, 4, 2), ones(3, 4, 2), ones(3, 2), ones(2, 5), ones(2, 5), ones(5)
    wide = ones(3, 4, 7)
    said = [
        text_of_error(candidate, memory, new, None, W, U, b, 1.0),
        text_of_error(candidate, memory, wide, token, W, U, b, 1.0),
        text_of_error(candidate, memory, new, token, W, U, b, ones(9)),
        text_of_error(candidate, memory, new, token, W, U, b, None),
    ]
    if "for @" in said[0]:
        # The student's own function of 6.4.
        return True
    # The first half has 2 columns here, and the second half 3.
    first_token = "subscriptable" in said[0]
    other_half = "tensor a (3) must match the size of tensor b (7)" in said[1] or "x7 and 2x5" in said[1]
    on_both = "tensor a (2) must match the size of tensor b (9)" in said[2]
    zeros = not said[1]
    return not (first_token or other_half or on_both or zeros or "NoneType" not in said[3])
