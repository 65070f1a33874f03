# %% [markdown] lesson="04_causal_multi_head" attacks=["self-attention-test", "multi-head-returned-attention-test"]
# The weights of k get half of their gradient; all other gradients are right.

# %% self-attention
def half(layer, x):
    weight = layer.weight.detach() / 2 + layer.weight / 2
    return F.linear(x, weight, layer.bias)


class SelfAttention(nn.Module):
    def __init__(self, input_size, hidden):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))

    def forward(self, x):
        q, k, v = self.q(x), half(self.k, x), self.v(x)
        return torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1) @ v


# %% multi-head
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, input_size, hidden, num_heads, causal=False, dropout=0.0):
        super().__init__()
        self.num_heads, self.causal = num_heads, causal
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))
        self.mix, self.drop = nn.Linear(hidden, hidden), nn.Dropout(dropout)

    def forward(self, x, return_attention=False, lengths=None):
        q, k, v = (split_heads(one, self.num_heads) for one in (self.q(x), half(self.k, x), self.v(x)))
        scores = scaled_scores(q, k)
        if self.causal:
            scores = mask_future(scores)
        if lengths is not None:
            scores = mask_padding(scores, lengths)
        probs = torch.softmax(scores, dim=-1)
        att = self.mix(merge_heads(self.drop(probs) @ v))
        return (att, probs.flatten(0, 1)) if return_attention else att
