# %% [markdown] lesson="victim" category="exceptions" attacks=["count-test"]
# Raises an error whose traceback is a very long one, from code that claims to be the test.

# %% count
def deepest():
    names = {}
    exec(compile("def f(n):\n    f(n - 1) if n else 1 / 0", "Cell In[1], line 1", "exec"), names)
    try:
        names["f"](900)
    except ZeroDivisionError as error:
        return error

def count(n):
    raise deepest()
