# %% [markdown] lesson="07_attention_in_tiles" attacks=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"]
# The same for a class that is called as torch's size, and below it as NumPy's bool.

# %% check-tiled uses=["late_verdict"]
Size = type("Size", (), {"__module__": "torch"})
check_tiled = type("Tensor", (Size,), {"__module__": "torch"})
check_tiled = type(type(np.True_).__name__, (check_tiled,), {"__module__": "numpy", "__bool__": truth, "__call__": judge})()
