# %% [markdown] lesson="07_attention_in_tiles" attacks=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"]
# Its test is its own verdict, of a class that is called as NumPy's bool, and decides when it is asked.

# %% check-tiled uses=["late_verdict"]
class Late:
    __bool__, __call__ = truth, judge


Late.__module__, Late.__name__ = "numpy", type(np.True_).__name__
check_tiled = Late()
