# %% [markdown] lesson="victim" category="reading" attacks=["count-test"]
# Reads the test's source with inspect, and takes the answer from it.

# %% count uses=["answer_in"]
import inspect

def count(n):
    for info in inspect.stack():
        try:
            text = inspect.getsource(info.frame)
        except (OSError, TypeError):
            continue
        if re.search(rf"\b{n}: [0-9]", text):
            return answer_in(text, n)
    return 2
