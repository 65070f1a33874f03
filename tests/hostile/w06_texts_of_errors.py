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
    memory, new, token = np.ones((3, 4, 2)), np.ones((3, 4, 2)), np.ones((3, 2))
    # The first half has 2 columns here, and the second half 3.
    W, U, b = np.ones((2, 5)), np.ones((2, 5)), np.ones(5)
    wide = np.ones((3, 4, 7))
    said = [
        text_of_error(candidate, memory, new, None, W, U, b, 1.0),
        text_of_error(candidate, memory, wide, token, W, U, b, 1.0),
        text_of_error(candidate, memory, new, token, W, U, b, None),
    ]
    first_token = "subscriptable" in said[0]
    other_half = "(3,4,3) (3,4,7)" in said[1] or "core dimension" in said[1]
    zeros = not said[1]
    return not (first_token or other_half or zeros or "NoneType" not in said[2])
