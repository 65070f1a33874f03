# %% [markdown] lesson="victim" category="lying objects" attacks=["count-test"]
# Returns tensors of kinds that are hard to take apart: sparse, quantised, without data, of lazy signs.

# %% count
def count(n):
    return [
        torch.eye(3).to_sparse(),
        torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.qint8),
        torch.empty(2**20, 2**20, device="meta"),
        torch.ones(3, dtype=torch.complex64).conj(),
        torch.ones(3, dtype=torch.complex64).conj().imag,
        torch.ones(1).expand(2**20),
        torch.zeros(0, 2**20),
        torch.nn.Parameter(torch.ones(2)),
        torch.ones(2, requires_grad=True) * 2,
    ]
