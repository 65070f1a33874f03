# %% [markdown] lesson="victim" category="lying objects" attacks=["count-test"]
# Returns arrays that are hard to take apart: of objects, of records, of no size, without strides.

# %% count
def count(n):
    record = np.zeros(2, dtype=[("a", "O"), ("b", "f8", (2,))])
    record["a"] = lambda: None
    return [
        record,
        np.array([None, print], dtype=object),
        np.zeros((0, 2**40)),
        np.zeros((1,) * 60),
        np.broadcast_to(np.float32(1), (3, 2**20)),
        np.zeros(3, dtype=">c16"),
        np.zeros(3, dtype="V7"),
        np.array(["x" * 1000]),
        np.array("2020", dtype="M8[as]"),
        np.ma.masked_all(3),
        np.zeros(4, dtype=bool).view(np.uint8) + np.uint8(7),
    ]
