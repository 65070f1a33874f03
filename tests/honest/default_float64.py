# %% [markdown] lesson="04_causal_multi_head" loses=["self-attention-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] why="Layers of 64 bits refuse the tests' inputs, which have 32."
# Everything in torch in 64 bits.

# %% before: self-attention
torch.set_default_dtype(torch.float64)
