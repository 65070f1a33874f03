# %% [markdown] lesson="04_causal_multi_head"
# torch has a seed, other threads, other printing, and computes no gradients, by an own cell.

# %% before: self-attention
torch.manual_seed(0)
torch.set_num_threads(2)
torch.set_printoptions(precision=2, sci_mode=False)
torch.use_deterministic_algorithms(True)
torch.autograd.set_detect_anomaly(True)
torch.backends.mkldnn.enabled = False
