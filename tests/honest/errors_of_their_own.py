# %% [markdown] lesson="03_masked_multi_head"
# Errors of own classes, raised from others, with notes, and in groups that are opened again.

# %% split-heads
class CantBeCut(ValueError):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.d_model, self.num_heads = d_model, num_heads

    def __str__(self):
        return f"{self.d_model} can't be cut into {self.num_heads}"

def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    try:
        depth = {n: d_model // n for n in range(1, d_model + 1) if d_model % n == 0}[num_heads]
    except KeyError as error:
        problem = CantBeCut(d_model, num_heads)
        problem.add_note("choose another number of heads")
        raise problem from error
    return np.moveaxis(x.reshape(batch, seq, num_heads, depth), 2, 1)
