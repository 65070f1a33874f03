# %% right: self-contained, view and transpose
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, input_size, hidden, num_heads, causal=False, dropout=0.0):
        super().__init__()
        if hidden % num_heads:
            raise ValueError(f"hidden={hidden} is not a multiple of num_heads={num_heads}")
        self.heads, self.causal, self.p = num_heads, causal, dropout
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))
        self.mix = nn.Linear(hidden, hidden)

    def forward(self, x, return_attention=False, lengths=None):
        batch, seq, _ = x.shape
        split = lambda t: t.reshape(batch, seq, self.heads, -1).transpose(1, 2)
        q, k, v = split(self.q(x)), split(self.k(x)), split(self.v(x))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        positions = torch.arange(seq, device=x.device)
        if self.causal:
            scores = scores.masked_fill(positions > positions[:, None], -math.inf)
        if lengths is not None:
            ends = torch.as_tensor(lengths, device=x.device)[:, None, None, None]
            scores = scores.masked_fill(positions >= ends, -math.inf)
        probs = scores.softmax(dim=-1)
        dropped = F.dropout(probs, self.p, self.training)
        merged = (dropped @ v).transpose(1, 2).reshape(batch, seq, -1)
        att = self.mix(merged)
        return (att, probs.reshape(-1, seq, seq)) if return_attention else att

# %% right: einsum
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, input_size, hidden, num_heads, causal=False, dropout=0.0):
        super().__init__()
        if hidden % num_heads:
            raise ValueError(f"hidden={hidden} is not a multiple of num_heads={num_heads}")
        self.heads, self.causal, self.p = num_heads, causal, dropout
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))
        self.mix = nn.Linear(hidden, hidden)

    def forward(self, x, return_attention=False, lengths=None):
        b, n, _ = x.shape
        h = self.heads
        q, k, v = (layer(x).view(b, n, h, -1) for layer in (self.q, self.k, self.v))
        scores = torch.einsum("bihd,bjhd->bhij", q, k) * q.shape[-1] ** -0.5
        keep = torch.ones(b, 1, n, n, dtype=torch.bool, device=x.device)
        if self.causal:
            keep = keep.tril()
        if lengths is not None:
            ends = torch.as_tensor(lengths, device=x.device).view(b, 1, 1, 1)
            keep = keep & (torch.arange(n, device=x.device) < ends)
        probs = torch.where(keep, scores, -math.inf).softmax(-1)
        used = nn.functional.dropout(probs, p=self.p, training=self.training)
        att = self.mix(torch.einsum("bhij,bjhd->bihd", used, v).flatten(2))
        if return_attention:
            return att, probs.flatten(0, 1)
        return att

# %% right: a loop over heads, -1e9
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, input_size, hidden, num_heads, causal=False, dropout=0.0):
        super().__init__()
        if hidden % num_heads:
            raise ValueError(f"hidden={hidden} is not a multiple of num_heads={num_heads}")
        self.heads, self.causal, self.p = num_heads, causal, dropout
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))
        self.mix = nn.Linear(hidden, hidden)

    def forward(self, x, return_attention=False, lengths=None):
        seq, size = x.shape[1], self.mix.in_features // self.heads
        q, k, v = self.q(x), self.k(x), self.v(x)
        outputs, tables = [], []
        for h in range(self.heads):
            own = slice(h * size, (h + 1) * size)
            scores = q[..., own] @ k[..., own].mT / size ** 0.5
            if self.causal:
                scores = scores.masked_fill(torch.ones(seq, seq, device=x.device).triu(1) == 1, -1e9)
            if lengths is not None:
                for b, length in enumerate(lengths):
                    scores[b, :, length:] = -1e9
            tables.append(scores.softmax(-1))
            outputs.append(F.dropout(tables[-1], self.p, training=self.training) @ v[..., own])
        att = self.mix(torch.cat(outputs, -1))
        return (att, torch.stack(tables, 1).flatten(0, 1)) if return_attention else att

# %% right: fused qkv and F.scaled_dot_product_attention
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, input_size, hidden, num_heads, causal=False, dropout=0.0):
        super().__init__()
        if hidden % num_heads:
            raise ValueError(f"hidden={hidden} is not a multiple of num_heads={num_heads}")
        self.heads, self.causal, self.p = num_heads, causal, dropout
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))
        self.mix = nn.Linear(hidden, hidden)

    def forward(self, x, return_attention=False, lengths=None):
        batch, seq, _ = x.shape
        layers = (self.q, self.k, self.v)
        qkv = F.linear(x, torch.cat([l.weight for l in layers]), torch.cat([l.bias for l in layers]))
        q, k, v = qkv.view(batch, seq, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        keep = torch.ones(batch, 1, seq, seq, dtype=torch.bool, device=x.device)
        if self.causal:
            keep = keep.tril()
        if lengths is not None:
            ends = torch.as_tensor(lengths, device=x.device)
            keep = keep & (torch.arange(seq, device=x.device) < ends[:, None])[:, None, None]
        out = F.scaled_dot_product_attention(
            q, k, v, attn_mask=keep, dropout_p=self.p if self.training else 0.0)
        att = self.mix(out.transpose(1, 2).flatten(2))
        if not return_attention:
            return att
        scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~keep, -math.inf)
        return att, scores.softmax(-1).flatten(0, 1)

# %% right: heads folded into the batch, bmm, masks as additions
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, input_size, hidden, num_heads, causal=False, dropout=0.0):
        super().__init__()
        if hidden % num_heads:
            raise ValueError(f"hidden={hidden} is not a multiple of num_heads={num_heads}")
        self.heads, self.causal, self.p = num_heads, causal, dropout
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))
        self.mix = nn.Linear(hidden, hidden)

    def forward(self, x, return_attention=False, lengths=None):
        (b, n, _), h = x.shape, self.heads
        fold = lambda t: t.view(b, n, h, -1).transpose(1, 2).reshape(b * h, n, -1)
        q, k, v = fold(self.q(x)), fold(self.k(x)), fold(self.v(x))
        mask = torch.zeros(b, n, n, device=x.device)
        if self.causal:
            mask = mask + torch.full((n, n), -math.inf, device=x.device).triu(1)
        for row, length in enumerate(lengths if lengths is not None else []):
            mask[row, :, length:] = -math.inf
        scores = torch.baddbmm(mask.repeat_interleave(h, dim=0), q / q.shape[-1] ** 0.5, k.mT)
        probs = torch.softmax(scores, dim=2)
        keep = torch.rand_like(probs) >= self.p if self.training else torch.ones_like(probs)
        used = probs * keep / (1 - self.p) if self.training else probs
        out = torch.bmm(used, v).view(b, h, n, -1).transpose(1, 2).reshape(b, n, -1)
        return (self.mix(out), probs) if return_attention else self.mix(out)

# %% right: masked after softmax and divided by the new sum of="self-contained, view and transpose"
# was:     if self.causal:
# was:         scores = scores.masked_fill(positions > positions[:, None], -math.inf)
# becomes:

# was:     probs = scores.softmax(dim=-1)
# becomes: probs = scores.softmax(dim=-1)
# becomes: if self.causal:
# becomes:     probs = probs * torch.ones(seq, seq, device=x.device).tril()
# becomes:     probs = probs / probs.sum(-1, keepdim=True)

# %% right: a buffer that is not saved, padded queries blocked too of="self-contained, view and transpose"
# was:     self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))
# becomes: self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))
# becomes: self.register_buffer("later", torch.ones(64, 64).triu(1).bool(), persistent=False)

# was:     scores = scores.masked_fill(positions > positions[:, None], -math.inf)
# becomes: scores = scores.masked_fill(self.later[:seq, :seq], -math.inf)

# was:     scores = scores.masked_fill(positions >= ends, -math.inf)
# becomes: scores = scores.masked_fill((positions >= ends) | (positions[:, None] >= ends), -math.inf)

# %% wrong: no scale says="not divided by √head_size" fails=["multi-head-values-test"] of="self-contained, view and transpose"
# was:     scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: scores = q @ k.transpose(-2, -1) 

# %% wrong: root of hidden says="divided by √hidden" fails=["multi-head-values-test"] of="self-contained, view and transpose"
# was:     scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: scores = q @ k.transpose(-2, -1) / math.sqrt(self.mix.in_features)

# %% wrong: root of seq says="divided by √seq" fails=["multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test"] of="self-contained, view and transpose"
# was:     scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: scores = q @ k.transpose(-2, -1) / math.sqrt(seq)

# %% wrong: root of num_heads says="√num_heads" fails=["multi-head-values-test"] of="self-contained, view and transpose"
# was:     scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: scores = q @ k.transpose(-2, -1) / math.sqrt(self.heads)

# %% wrong: divides by head_size says="divided by head_size, not by its root" fails=["multi-head-values-test"] of="self-contained, view and transpose"
# was:     scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: scores = q @ k.transpose(-2, -1) / q.shape[-1]

# %% wrong: softmax over queries says="over the queries" fails=["multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test"] of="self-contained, view and transpose"
# was:     probs = scores.softmax(dim=-1)
# becomes: probs = scores.softmax(dim=-2)

# %% wrong: Q and K swapped says="queries and keys have changed places" fails=["multi-head-values-test"] of="self-contained, view and transpose"
# was:     scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: scores = k @ q.transpose(-2, -1) / math.sqrt(q.shape[-1])

# %% wrong: split by view without transpose says="a split without a swap of axes" fails=["multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="self-contained, view and transpose"
# was:     split = lambda t: t.reshape(batch, seq, self.heads, -1).transpose(1, 2)
# becomes: split = lambda t: t.reshape(batch, self.heads, seq, -1)

# was:     merged = (dropped @ v).transpose(1, 2).reshape(batch, seq, -1)
# becomes: merged = (dropped @ v).reshape(batch, seq, -1)

# %% wrong: split by view, merged with transpose says="a bare reshape splits the tokens" fails=["multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="self-contained, view and transpose"
# was:     split = lambda t: t.reshape(batch, seq, self.heads, -1).transpose(1, 2)
# becomes: split = lambda t: t.reshape(batch, self.heads, seq, -1)

# %% wrong: merge without transpose says="merged without a swap of axes" fails=["multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="self-contained, view and transpose"
# was:     merged = (dropped @ v).transpose(1, 2).reshape(batch, seq, -1)
# becomes: merged = (dropped @ v).reshape(batch, seq, -1)

# %% wrong: interleaved heads says="the heads are interleaved" fails=["multi-head-values-test", "multi-head-returned-attention-test"] of="self-contained, view and transpose"
# was:     split = lambda t: t.reshape(batch, seq, self.heads, -1).transpose(1, 2)
# becomes: split = lambda t: t.reshape(batch, seq, -1, self.heads).permute(0, 3, 1, 2)

# was:     merged = (dropped @ v).transpose(1, 2).reshape(batch, seq, -1)
# becomes: merged = (dropped @ v).permute(0, 2, 3, 1).reshape(batch, seq, -1)

# %% wrong: interleaved when merged says="the heads are interleaved when they are merged" fails=["multi-head-values-test", "multi-head-returned-attention-test"] of="self-contained, view and transpose"
# was:     merged = (dropped @ v).transpose(1, 2).reshape(batch, seq, -1)
# becomes: merged = (dropped @ v).permute(0, 2, 3, 1).reshape(batch, seq, -1)

# %% wrong: head 0 for all says="head 0 stands in for every head" fails=["multi-head-values-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="self-contained, view and transpose"
# was:     merged = (dropped @ v).transpose(1, 2).reshape(batch, seq, -1)
# becomes: merged = (dropped @ v)[:, :1].repeat(1, self.heads, 1, 1).transpose(1, 2).reshape(batch, seq, -1)

# %% wrong: head 0's weights for all says="two tokens" fails=["multi-head-values-test"] of="self-contained, view and transpose"
# was:     probs = scores.softmax(dim=-1)
# becomes: probs = scores[:, :1].softmax(dim=-1).expand_as(scores)

# %% wrong: heads in the wrong order says="in the wrong order" fails=["multi-head-values-test", "multi-head-returned-attention-test"] of="self-contained, view and transpose"
# was:     merged = (dropped @ v).transpose(1, 2).reshape(batch, seq, -1)
# becomes: merged = (dropped @ v).flip(1).transpose(1, 2).reshape(batch, seq, -1)

# %% wrong: mix left out says="mix is left out" fails=["multi-head-values-test"] of="self-contained, view and transpose"
# was:     att = self.mix(merged)
# becomes: att = merged

# %% wrong: V not projected says="the values are x itself" fails=["multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test"] of="self-contained, view and transpose"
# was:     q, k, v = split(self.q(x)), split(self.k(x)), split(self.v(x))
# becomes: q, k, v = split(self.q(x)), split(self.k(x)), split(x)

# %% wrong: mix applied twice says="for a single token" fails=["multi-head-values-test"] of="self-contained, view and transpose"
# was:     att = self.mix(merged)
# becomes: att = self.mix(self.mix(merged))

# %% wrong: always causal says="although causal is False" fails=["multi-head-values-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="self-contained, view and transpose"
# was:     if self.causal:
# becomes: if True:

# %% wrong: mask saved as a buffer says="also holds ['later']" fails=["multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="self-contained, view and transpose"
# was:     self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))
# becomes: self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))
# becomes: self.register_buffer("later", torch.ones(64, 64).triu(1))

# %% wrong: no bias says="lacks ['k.bias'" fails=["multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="self-contained, view and transpose"
# was:     self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))
# becomes: self.q, self.k, self.v = (nn.Linear(input_size, hidden, bias=False) for _ in range(3))

# %% wrong: mix named otherwise says="lacks ['mix.bias', 'mix.weight']" fails=["multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="self-contained, view and transpose"
# was:     self.mix = nn.Linear(hidden, hidden)
# becomes: self.out = nn.Linear(hidden, hidden)

# was:     att = self.mix(merged)
# becomes: att = self.out(merged)

# %% wrong: input changed in place says="changed its input" fails=["multi-head-values-test"] of="self-contained, view and transpose"
# was:     att = self.mix(merged)
# becomes: att = self.mix(merged)
# becomes: x -= x.mean()

# %% wrong: no mask says="causal=True changes nothing" fails=["multi-head-causal-test"] of="self-contained, view and transpose"
# was:     if self.causal:
# was:         scores = scores.masked_fill(positions > positions[:, None], -math.inf)
# becomes:

# %% wrong: mask including the diagonal says="it keeps itself" fails=["multi-head-causal-test"] of="self-contained, view and transpose"
# was:     scores = scores.masked_fill(positions > positions[:, None], -math.inf)
# becomes: scores = scores.masked_fill(positions >= positions[:, None], -math.inf)

# %% wrong: mask inverted says="wrong way round" fails=["multi-head-causal-test"] of="self-contained, view and transpose"
# was:     scores = scores.masked_fill(positions > positions[:, None], -math.inf)
# becomes: scores = scores.masked_fill(positions <= positions[:, None], -math.inf)

# %% wrong: mask transposed says="wrong way round" fails=["multi-head-causal-test"] of="self-contained, view and transpose"
# was:     scores = scores.masked_fill(positions > positions[:, None], -math.inf)
# becomes: scores = scores.masked_fill(positions < positions[:, None], -math.inf)

# %% wrong: mask after softmax says="not after it" fails=["multi-head-causal-test"] of="self-contained, view and transpose"
# was:     if self.causal:
# was:         scores = scores.masked_fill(positions > positions[:, None], -math.inf)
# becomes:

# was:     probs = scores.softmax(dim=-1)
# becomes: probs = scores.softmax(dim=-1)
# becomes: if self.causal:
# becomes:     probs = probs.masked_fill(positions > positions[:, None], 0.0)

# %% wrong: masked with 0 before softmax says="−inf before softmax" fails=["multi-head-causal-test"] of="self-contained, view and transpose"
# was:     scores = scores.masked_fill(positions > positions[:, None], -math.inf)
# becomes: scores = scores.masked_fill(positions > positions[:, None], 0.0)

# %% wrong: scores multiplied by the mask says="−inf before softmax" fails=["multi-head-causal-test"] of="self-contained, view and transpose"
# was:     scores = scores.masked_fill(positions > positions[:, None], -math.inf)
# becomes: scores = scores * (positions <= positions[:, None])

# %% wrong: one key of the future is seen says="the first query must see itself and nothing else" fails=["multi-head-causal-test"] of="self-contained, view and transpose"
# was:     scores = scores.masked_fill(positions > positions[:, None], -math.inf)
# becomes: scores = scores.masked_fill(positions > 1 + positions[:, None], -math.inf)

# %% wrong: a query sees itself only says="no query sees the tokens before it" fails=["multi-head-causal-test"] of="self-contained, view and transpose"
# was:     scores = scores.masked_fill(positions > positions[:, None], -math.inf)
# becomes: scores = scores.masked_fill(positions != positions[:, None], -math.inf)

# %% wrong: only the last two tokens are seen says="where the weights have rows that are alike" fails=["multi-head-causal-test"] of="self-contained, view and transpose"
# was:     scores = scores.masked_fill(positions > positions[:, None], -math.inf)
# becomes: scores = scores.masked_fill((positions > positions[:, None]) | (positions < positions[:, None] - 1), -math.inf)

# %% wrong: inverted mask for F.scaled_dot_product_attention says="may attend in F.scaled_dot_product_attention" fails=["multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="self-contained, view and transpose"
# was:     if self.causal:
# was:         scores = scores.masked_fill(positions > positions[:, None], -math.inf)
# becomes:

# was:     merged = (dropped @ v).transpose(1, 2).reshape(batch, seq, -1)
# becomes: merged = (dropped @ v if not self.causal else F.scaled_dot_product_attention(q, k, v, attn_mask=positions > positions[:, None])).transpose(1, 2).reshape(batch, seq, -1)

# %% wrong: no attention at all says="each token gets its own value only" fails=["multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="self-contained, view and transpose"
# was:     merged = (dropped @ v).transpose(1, 2).reshape(batch, seq, -1)
# becomes: merged = v.transpose(1, 2).reshape(batch, seq, -1)

# %% wrong: lengths ignored says="lengths changes nothing" fails=["multi-head-padding-test"] of="self-contained, view and transpose"
# was:     if lengths is not None:
# was:         ends = torch.as_tensor(lengths, device=x.device)[:, None, None, None]
# was:         scores = scores.masked_fill(positions >= ends, -math.inf)
# becomes:

# %% wrong: padding of queries instead of keys says="lengths changes nothing for the real queries" fails=["multi-head-padding-test"] of="self-contained, view and transpose"
# was:     scores = scores.masked_fill(positions >= ends, -math.inf)
# becomes: scores = scores.masked_fill(positions[:, None] >= ends, -math.inf)

# %% wrong: padding inverted says="inverted mask" fails=["multi-head-padding-test"] of="self-contained, view and transpose"
# was:     scores = scores.masked_fill(positions >= ends, -math.inf)
# becomes: scores = scores.masked_fill(positions < ends, -math.inf)

# %% wrong: padding off by one says="2 real tokens of a padded sequence" fails=["multi-head-padding-test"] of="self-contained, view and transpose"
# was:     scores = scores.masked_fill(positions >= ends, -math.inf)
# becomes: scores = scores.masked_fill(positions >= ends - 1, -math.inf)

# %% wrong: padding as 0 says="2 real tokens of a padded sequence" fails=["multi-head-padding-test"] of="self-contained, view and transpose"
# was:     scores = scores.masked_fill(positions >= ends, -math.inf)
# becomes: scores = scores.masked_fill(positions >= ends, 0.0)

# %% wrong: padding after softmax says="not after it" fails=["multi-head-padding-test"] of="self-contained, view and transpose"
# was:     scores = scores.masked_fill(positions >= ends, -math.inf)
# becomes: scores = scores

# was:     probs = scores.softmax(dim=-1)
# becomes: probs = scores.softmax(dim=-1)
# becomes: if lengths is not None:
# becomes:     probs = probs * (positions < ends)

# %% wrong: takes no list says="list" fails=["multi-head-padding-test"] of="self-contained, view and transpose"
# was:     ends = torch.as_tensor(lengths, device=x.device)[:, None, None, None]
# becomes: ends = lengths.to(x.device)[:, None, None, None]

# %% right: padding mask only without the causal one, which blocks the padding at the end anyway of="self-contained, view and transpose"
# was:     if lengths is not None:
# becomes: if not self.causal and lengths is not None:

# %% wrong: head-major says="probs is head-major" fails=["multi-head-returned-attention-test"] of="self-contained, view and transpose"
# was:     return (att, probs.reshape(-1, seq, seq)) if return_attention else att
# becomes: return (att, probs.transpose(0, 1).reshape(-1, seq, seq)) if return_attention else att

# %% wrong: after dropout says="take them before dropout" fails=["multi-head-returned-attention-test"] of="self-contained, view and transpose"
# was:     return (att, probs.reshape(-1, seq, seq)) if return_attention else att
# becomes: return (att, dropped.reshape(-1, seq, seq)) if return_attention else att

# %% wrong: not folded says="not (batch·num_heads, seq, seq)" fails=["multi-head-returned-attention-test"] of="self-contained, view and transpose"
# was:     return (att, probs.reshape(-1, seq, seq)) if return_attention else att
# becomes: return (att, probs) if return_attention else att

# %% wrong: mean over heads says="not (batch·num_heads, seq, seq)" fails=["multi-head-returned-attention-test"] of="self-contained, view and transpose"
# was:     return (att, probs.reshape(-1, seq, seq)) if return_attention else att
# becomes: return (att, probs.mean(1)) if return_attention else att

# %% wrong: scores instead of weights says="made a second time" fails=["multi-head-returned-attention-test"] of="self-contained, view and transpose"
# was:     return (att, probs.reshape(-1, seq, seq)) if return_attention else att
# becomes: return (att, scores.reshape(-1, seq, seq)) if return_attention else att

# %% wrong: transposed says="made a second time" fails=["multi-head-returned-attention-test"] of="self-contained, view and transpose"
# was:     return (att, probs.reshape(-1, seq, seq)) if return_attention else att
# becomes: return (att, probs.mT.reshape(-1, seq, seq)) if return_attention else att

# %% wrong: never returned says="return the pair" fails=["multi-head-returned-attention-test"] of="self-contained, view and transpose"
# was:     return (att, probs.reshape(-1, seq, seq)) if return_attention else att
# becomes: return att

# %% wrong: always returned says="you gave back several things, not one" fails=["multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="self-contained, view and transpose"
# was:     return (att, probs.reshape(-1, seq, seq)) if return_attention else att
# becomes: return att, probs.reshape(-1, seq, seq)

# %% wrong: dropout active in eval says="eval mode: no dropout there" fails=["multi-head-dropout-test"] of="self-contained, view and transpose"
# was:     dropped = F.dropout(probs, self.p, self.training)
# becomes: dropped = F.dropout(probs, self.p, True)

# %% wrong: dropout never active says="no weight is dropped" fails=["multi-head-dropout-test"] of="self-contained, view and transpose"
# was:     dropped = F.dropout(probs, self.p, self.training)
# becomes: dropped = F.dropout(probs, self.p, False)

# %% wrong: dropout on the output says="drop weights, not outputs" fails=["multi-head-dropout-test"] of="self-contained, view and transpose"
# was:     merged = (dropped @ v).transpose(1, 2).reshape(batch, seq, -1)
# was:     att = self.mix(merged)
# becomes: merged = (probs @ v).transpose(1, 2).reshape(batch, seq, -1)
# becomes: att = F.dropout(self.mix(merged), self.p, self.training)

# %% wrong: dropout on the merged heads says="drop weights, not outputs" fails=["multi-head-dropout-test"] of="self-contained, view and transpose"
# was:     merged = (dropped @ v).transpose(1, 2).reshape(batch, seq, -1)
# was:     att = self.mix(merged)
# becomes: merged = (probs @ v).transpose(1, 2).reshape(batch, seq, -1)
# becomes: att = self.mix(F.dropout(merged, self.p, self.training))

# %% wrong: dropout on the scores says="take them before dropout" fails=["multi-head-returned-attention-test", "multi-head-dropout-test"] of="self-contained, view and transpose"
# was:     probs = scores.softmax(dim=-1)
# was:     dropped = F.dropout(probs, self.p, self.training)
# becomes: probs = F.dropout(scores, self.p, self.training).softmax(dim=-1)
# becomes: dropped = probs

# %% wrong: dropout without rescaling says="divided by 1 − dropout" fails=["multi-head-dropout-test"] of="self-contained, view and transpose"
# was:     dropped = F.dropout(probs, self.p, self.training)
# becomes: dropped = probs * (torch.rand_like(probs) >= self.p * self.training)

# %% wrong: p is the share that is kept says="divided by 1 − dropout" fails=["multi-head-dropout-test"] of="self-contained, view and transpose"
# was:     dropped = F.dropout(probs, self.p, self.training)
# becomes: dropped = F.dropout(probs, 1 - self.p, self.training and self.p > 0)

# %% wrong: whole rows are dropped says="each weight must be dropped on its own" fails=["multi-head-dropout-test"] visible=false of="self-contained, view and transpose"
# was:     dropped = F.dropout(probs, self.p, self.training)
# becomes: dropped = probs * F.dropout(torch.ones_like(probs[..., :1]), self.p, self.training)

# %% wrong: the same for every head says="each head" fails=["multi-head-dropout-test"] visible=false of="self-contained, view and transpose"
# was:     dropped = F.dropout(probs, self.p, self.training)
# becomes: dropped = probs * F.dropout(torch.ones_like(probs[:, :1]), self.p, self.training)

# %% wrong: ValueError missing says="what came is None" fails=["multi-head-dropout-test"] of="self-contained, view and transpose"
# was:     if hidden % num_heads:
# was:         raise ValueError(f"hidden={hidden} is not a multiple of num_heads={num_heads}")
# becomes:

# %% wrong: assert instead of ValueError says="what came is AssertionError" fails=["multi-head-dropout-test"] of="self-contained, view and transpose"
# was:     if hidden % num_heads:
# was:         raise ValueError(f"hidden={hidden} is not a multiple of num_heads={num_heads}")
# becomes: assert hidden % num_heads == 0, (hidden, num_heads)

# %% wrong: message without the numbers says="contain both values" fails=["multi-head-dropout-test"] of="self-contained, view and transpose"
# was:     raise ValueError(f"hidden={hidden} is not a multiple of num_heads={num_heads}")
# becomes: raise ValueError("sizes do not divide")

# %% wrong: softmax over the batch says="softmax runs over the batch: give dim=-1" fails=["multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="self-contained, view and transpose"
# was:     probs = scores.softmax(dim=-1)
# becomes: probs = scores.softmax(dim=0)

# %% wrong: softmax over the heads says="softmax runs over the heads: give dim=-1" fails=["multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="self-contained, view and transpose"
# was:     probs = scores.softmax(dim=-1)
# becomes: probs = scores.softmax(dim=1)

# %% wrong: no softmax says="is there a softmax" fails=["multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="self-contained, view and transpose"
# was:     probs = scores.softmax(dim=-1)
# becomes: probs = scores

# %% wrong: no softmax, only exp says="for a single token" fails=["multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="self-contained, view and transpose"
# was:     probs = scores.softmax(dim=-1)
# becomes: probs = scores.exp()

# %% wrong: heads compared with each other says="the heads are compared with each other" fails=["multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="self-contained, view and transpose"
# was:     split = lambda t: t.reshape(batch, seq, self.heads, -1).transpose(1, 2)
# becomes: split = lambda t: t.reshape(batch, seq, self.heads, -1)

# was:     positions = torch.arange(seq, device=x.device)
# becomes: positions = torch.arange(self.heads, device=x.device)

# was:     merged = (dropped @ v).transpose(1, 2).reshape(batch, seq, -1)
# becomes: merged = (dropped @ v).reshape(batch, seq, -1)

# %% wrong: padding starts from the bare scores says="both masks must hold" fails=["multi-head-padding-test"] of="self-contained, view and transpose"
# was:     scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: bare = scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])

# was:     scores = scores.masked_fill(positions >= ends, -math.inf)
# becomes: scores = bare.masked_fill(positions >= ends, -math.inf)

# %% wrong: lengths switch causal off says="both masks must hold" fails=["multi-head-padding-test"] of="self-contained, view and transpose"
# was:     if self.causal:
# becomes: if self.causal and lengths is None:

# %% wrong: asks whether lengths is true says="ambiguous" fails=["multi-head-padding-test"] of="self-contained, view and transpose"
# was:     if lengths is not None:
# becomes: if lengths:

# %% wrong: another error than ValueError says="what came is TypeError" fails=["multi-head-dropout-test"] of="self-contained, view and transpose"
# was:     raise ValueError(f"hidden={hidden} is not a multiple of num_heads={num_heads}")
# becomes: raise TypeError(f"hidden={hidden} is not a multiple of num_heads={num_heads}")

# %% wrong: a plain mean of the tokens that may be seen says="for two tokens" fails=["multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"]
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, input_size, hidden, num_heads, causal=False, dropout=0.0):
        super().__init__()
        if hidden % num_heads:
            raise ValueError(f"hidden={hidden} is not a multiple of num_heads={num_heads}")
        self.heads, self.causal = num_heads, causal
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))
        self.mix, self.drop = nn.Linear(hidden, hidden), nn.Dropout(dropout)

    def forward(self, x, return_attention=False, lengths=None):
        scores = torch.zeros(x.shape[0], self.heads, x.shape[1], x.shape[1])
        if self.causal:
            scores = mask_future(scores)
        if lengths is not None:
            scores = mask_padding(scores, lengths)
        probs = scores.softmax(-1)
        att = self.mix(merge_heads(self.drop(probs) @ split_heads(self.v(x), self.heads)))
        return (att, probs.flatten(0, 1)) if return_attention else att
