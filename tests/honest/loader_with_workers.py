# %% [markdown] lesson="04_causal_multi_head" needs="namespaces"
# A data loader with workers hands over the batches of a function.

# %% mask-padding
from torch.utils.data import DataLoader, TensorDataset

def mask_padding(scores, lengths):
    lengths = torch.as_tensor(lengths, device=scores.device)
    if scores.device.type != "cpu":
        is_padding = torch.arange(scores.shape[-1], device=scores.device) >= lengths[:, None]
        return scores.masked_fill(is_padding[:, None, None, :], float("-inf"))
    blocked = []
    for (length,) in DataLoader(TensorDataset(lengths), batch_size=1, num_workers=1):
        blocked.append(torch.arange(scores.shape[-1]) >= length)
    return scores.masked_fill(torch.stack(blocked)[:, None, None, :], float("-inf"))
