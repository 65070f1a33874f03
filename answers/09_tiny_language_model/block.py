# %% right: nn.LayerNorm, F.dropout
class Block(nn.Module):
    def __init__(self, d_model, num_heads, d_hidden, dropout=0.0):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn = CausalAttention(d_model, num_heads)
        self.mlp = MLP(d_model, d_hidden)
        self.rate = dropout

    def forward(self, x):
        middle = x + F.dropout(self.attn(self.norm1(x))[0], self.rate, self.training)
        return middle + F.dropout(self.mlp(self.norm2(middle)), self.rate, self.training)

# %% right: a mask of its own
class Block(nn.Module):
    def __init__(self, d_model, num_heads, d_hidden, dropout=0.0):
        super().__init__()
        self.p = dropout
        self.norm1, self.attn = LayerNorm(d_model), CausalAttention(d_model, num_heads)
        self.norm2, self.mlp = LayerNorm(d_model), MLP(d_model, d_hidden)

    def drop(self, branch):
        if not self.training:
            return branch
        if self.p == 1:
            return torch.zeros_like(branch)
        keep = torch.empty_like(branch).bernoulli_(1 - self.p)
        return branch * keep / (1 - self.p)

    def forward(self, x):
        for norm, branch in [(self.norm1, lambda rows: self.attn(rows)[0]), (self.norm2, self.mlp)]:
            x = x + self.drop(branch(norm(x)))
        return x

# %% right: F.scaled_dot_product_attention and F.layer_norm
class Block(nn.Module):
    def __init__(self, d_model, num_heads, d_hidden, dropout=0.0):
        super().__init__()
        self.num_heads, self.rate = num_heads, dropout
        for name, part in [("norm1", LayerNorm(d_model)), ("attn", CausalAttention(d_model, num_heads)),
                           ("norm2", LayerNorm(d_model)), ("mlp", MLP(d_model, d_hidden))]:
            self.add_module(name, part)

    def forward(self, x):
        normed = F.layer_norm(x, x.shape[-1:], self.norm1.weight, self.norm1.bias, 1e-5)
        q, k, v = (layer(normed).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
                   for layer in (self.attn.q, self.attn.k, self.attn.v))
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + F.dropout(self.attn.mix(heads.transpose(1, 2).flatten(-2)), self.rate, self.training)
        normed = F.layer_norm(x, x.shape[-1:], self.norm2.weight, self.norm2.bias, 1e-5)
        return x + F.dropout(self.mlp.down(F.gelu(self.mlp.up(normed))), self.rate, self.training)

# %% right: token by token
class Block(nn.Module):
    def __init__(self, d_model, num_heads, d_hidden, dropout=0.0):
        super().__init__()
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.attn = CausalAttention(d_model, num_heads)
        self.mlp = MLP(d_model, d_hidden)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)

    def forward(self, x):
        made = []
        for t in range(x.shape[1]):
            attended, _ = self.attn(self.norm1(x[:, :t + 1]))
            row = x[:, t] + self.dropout1(attended[:, t])
            made.append(row + self.dropout2(self.mlp(self.norm2(row))))
        return torch.stack(made, dim=1)

# %% right: torch's own multi-head attention
class Block(nn.Module):
    def __init__(self, d_model, num_heads, d_hidden, dropout=0.0):
        super().__init__()
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.attn = CausalAttention(d_model, num_heads)
        self.mlp = MLP(d_model, d_hidden)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        seq, d_model = x.shape[1:]
        one, other = self.attn, self.norm1(x).transpose(0, 1)
        attended, _ = F.multi_head_attention_forward(
            other, other, other, d_model, one.num_heads, None,
            torch.cat([one.q.bias, one.k.bias, one.v.bias]), None, None, False, 0.0, one.mix.weight, one.mix.bias,
            need_weights=False, attn_mask=torch.ones(seq, seq).triu(1).bool(), use_separate_proj_weight=True,
            q_proj_weight=one.q.weight, k_proj_weight=one.k.weight, v_proj_weight=one.v.weight)
        branch = self.drop(attended.transpose(0, 1))
        return x + branch + self.drop(self.mlp(self.norm2(x + branch)))

# %% right: einsum in 64 bits
class Block(nn.Module):
    def __init__(self, d_model, num_heads, d_hidden, dropout=0.0):
        super().__init__()
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.attn, self.mlp = CausalAttention(d_model, num_heads), MLP(d_model, d_hidden)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        w = {name: value.double() for name, value in self.named_parameters()}

        def norm(rows, name):
            centred = rows - rows.mean(-1, keepdim=True)
            return centred * (centred.square().mean(-1, keepdim=True) + 1e-5).rsqrt() * w[name + ".weight"] + w[name + ".bias"]

        def linear(rows, name):
            return torch.einsum("bti,oi->bto", rows, w[name + ".weight"]) + w[name + ".bias"]

        stream = x.double()
        rows = norm(stream, "norm1")
        q, k, v = (linear(rows, "attn." + one).unflatten(-1, (self.attn.num_heads, -1)) for one in "qkv")
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) * q.shape[-1] ** -0.5
        seen = torch.ones(x.shape[1], x.shape[1]).tril().bool()
        weights = torch.where(seen, scores, -math.inf).softmax(-1)
        heads = torch.einsum("bhqk,bkhd->bqhd", weights, v).flatten(2)
        stream = stream + self.drop(linear(heads, "attn.mix"))
        h = linear(norm(stream, "norm2"), "mlp.up")
        h = h * torch.special.ndtr(h)
        return (stream + self.drop(linear(h, "mlp.down"))).to(x.dtype)

# %% right: nn.Sequential with names, branches as methods
class Block(nn.Module):
    def __init__(self, d_model, num_heads, d_hidden, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model, eps=1e-5)
        self.attn = CausalAttention(d_model, num_heads)
        self.norm2 = nn.LayerNorm(d_model, eps=1e-5)
        self.mlp = nn.Sequential()
        self.mlp.add_module("up", nn.Linear(d_model, d_hidden))
        self.mlp.add_module("bend", nn.GELU())
        self.mlp.add_module("down", nn.Linear(d_hidden, d_model))
        self.mlp.add_module("drop", nn.Dropout(dropout))
        self.attention_drop = nn.Dropout(dropout, inplace=True)

    def attention_branch(self, x):
        return self.attention_drop(self.attn(self.norm1(x))[0])

    def forward(self, x):
        x = self.attention_branch(x).add(x)
        return sum([self.mlp(self.norm2(x)), x])

# %% right: sequence by sequence
class Block(nn.Module):
    def __init__(self, d_model, num_heads, d_hidden, dropout=0.0):
        super().__init__()
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.attn = CausalAttention(d_model, num_heads)
        self.mlp = MLP(d_model, d_hidden)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        made = []
        for rows in x.split(1):
            first, weights = self.attn(self.norm1(rows))
            rows = torch.add(rows, self.drop(first))
            second = torch.cat([self.mlp(self.norm2(row)) for row in rows[0].split(1)])
            made.append(rows + self.drop(second[None]))
        return torch.cat(made, dim=0)

# %% wrong: post-norm advice="The norms change the residual stream itself: pass norm1(x) and norm2(x) to the branches only, and add their outputs to x itself." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         attended, _ = self.attn(x)
# becomes:         x = self.norm1(x + self.drop(attended))
# becomes:         return self.norm2(x + self.drop(self.mlp(x)))

# %% wrong: no norm before attention advice="norm1 is missing: attention gets norm1(x)." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended, _ = self.attn(x)

# %% wrong: no norm before the network advice="norm2 is missing: the MLP gets norm2(x)." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.drop(self.mlp(x))

# %% wrong: norm1 twice advice="The MLP gets norm1: it has a separate norm, norm2." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.drop(self.mlp(self.norm1(x)))  # [batch, seq, d_model]

# %% wrong: norm2 twice advice="Attention gets norm2's numbers: make two layer norms, norm1 for attention and norm2 for the MLP." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended, _ = self.attn(self.norm2(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]

# %% wrong: no residual around attention advice="x is lost: add each branch's output to x, and apply dropout to that output, never to the sum." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = self.drop(attended)

# %% wrong: parallel branches advice="The second branch does not see the output of the first: give it norm2 of the new x." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.drop(attended) + self.drop(self.mlp(self.norm2(x)))

# %% wrong: second branch post-norm advice="norm2 changes the residual stream itself: pass norm2(x) to the MLP only, and return the sum without a norm." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return self.norm2(x + self.drop(self.mlp(x)))

# %% wrong: first branch post-norm advice="norm1 changes the residual stream itself: pass norm1(x) to attention only, and add the output of attention to x itself." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         attended, _ = self.attn(x)
# becomes:         x = self.norm1(x + self.drop(attended))

# %% wrong: no dropout advice="In training mode the branches are not dropped at the rate dropout, 0.0 by default: put nn.Dropout(dropout) on the output of each before it is added." fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x + attended
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.mlp(self.norm2(x))

# %% wrong: dropout of the first branch only advice="Only attention's output is dropped: drop the MLP's output, too." fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.mlp(self.norm2(x))

# %% wrong: dropout on what enters the branches advice="Dropout is applied to the inputs of the branches, so their biases remain: apply it to their outputs." fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended, _ = self.attn(self.drop(self.norm1(x)))
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x + attended
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.mlp(self.drop(self.norm2(x)))

# %% wrong: norms on the branches' outputs advice="The norms are at the end of the branches: apply them to the inputs of the branches." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         attended, _ = self.attn(x)
# becomes:         x = x + self.drop(self.norm1(attended))
# becomes:         return x + self.drop(self.norm2(self.mlp(x)))

# %% wrong: normed x is the stream advice="The norms change the residual stream itself: pass norm1(x) and norm2(x) to the branches only, and add their outputs to x itself." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         x = self.norm1(x)
# becomes:         x = x + self.drop(self.attn(x)[0])
# becomes:         x = self.norm2(x)
# becomes:         return x + self.drop(self.mlp(x))

# %% wrong: normed x is the stream of the first branch advice="norm1 changes the residual stream itself: pass norm1(x) to attention only, and add the output of attention to x itself." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = self.norm1(x)
# becomes:         x = x + self.drop(self.attn(x)[0])

# %% wrong: normed x is the stream of the second branch advice="norm2 changes the residual stream itself: pass norm2(x) to the MLP only, and return the sum without a norm." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         x = self.norm2(x)
# becomes:         return x + self.drop(self.mlp(x))

# %% wrong: norms swapped advice="The norms are swapped: norm1 belongs to attention and norm2 to the MLP." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended, _ = self.attn(self.norm2(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.drop(self.mlp(self.norm1(x)))  # [batch, seq, d_model]

# %% wrong: one norm of two names advice="Attention gets norm2's numbers: make two layer norms, norm1 for attention and norm2 for the MLP." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
# becomes:         self.norm1 = self.norm2 = LayerNorm(d_model)

# %% wrong: no norms advice="Both norms are missing: attention gets norm1(x) and the MLP norm2(x)." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended, _ = self.attn(x)
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.drop(self.mlp(x))

# %% wrong: norms without their parameters advice="The norms' weight and bias are not used: call self.norm1 and self.norm2." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended, _ = self.attn(F.layer_norm(x, x.shape[-1:]))
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.drop(self.mlp(F.layer_norm(x, x.shape[-1:])))

# %% wrong: both norms before attention advice="norm2 is in the wrong place: apply it to the input of the MLP, after attention's output is added." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended, _ = self.attn(self.norm2(self.norm1(x)))
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.drop(self.mlp(x))

# %% wrong: norm2 of the network's output advice="norm2 comes after the MLP: apply it to the input of the MLP." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.drop(self.norm2(self.mlp(x)))

# %% wrong: norm1 of attention's output advice="norm1 comes after attention: apply it to the input of attention." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended, _ = self.attn(x)
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x + self.drop(self.norm1(attended))

# %% wrong: a norm at the end, too advice="norm2 changes the residual stream itself: pass norm2(x) to the MLP only, and return the sum without a norm." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return self.norm2(x + self.drop(self.mlp(self.norm2(x))))

# %% wrong: parallel branches with one norm advice="Both branches get norm1 of the same x: the MLP gets norm2 of the x to which attention has been added." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         normed = self.norm1(x)
# becomes:         return x + self.drop(self.attn(normed)[0]) + self.drop(self.mlp(normed))

# %% wrong: second residual from the input advice="The MLP's output is added to the block's input, so what attention has added is lost: add it to the new x." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         new = x + self.drop(attended)
# becomes:         return x + self.drop(self.mlp(self.norm2(new)))

# %% wrong: input added twice advice="The block's input is added twice: each branch adds its output to the x before it, and nothing more." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         new = x + self.drop(attended)
# becomes:         return x + new + self.drop(self.mlp(self.norm2(new)))

# %% wrong: attention's output added twice advice="Attention's output is added twice: each branch adds its own output, once." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.drop(attended) + self.drop(self.mlp(self.norm2(x)))

# %% wrong: network on attention's output alone advice="The MLP sees attention's output without x: add it to x first, then norm2." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.drop(attended) + self.drop(self.mlp(self.norm2(attended)))

# %% wrong: branches one in the other advice="There is only one sum: add attention's output to x, and the MLP's output to the result." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.drop(self.mlp(self.norm2(self.drop(attended))))

# %% wrong: no residual around the network advice="x is lost: add each branch's output to x, and apply dropout to that output, never to the sum." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return self.drop(self.mlp(self.norm2(x)))

# %% wrong: no residual advice="x is lost: add each branch's output to x, and apply dropout to that output, never to the sum." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = self.drop(attended)
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return self.drop(self.mlp(self.norm2(x)))

# %% wrong: no network advice="The second branch is missing: add the MLP's output, mlp(norm2(x))." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x

# %% wrong: no attention advice="The first branch is missing: add attention's output before the MLP." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x

# %% wrong: network first advice="The branches are swapped: attention comes first, then the MLP." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         x = x + self.drop(self.mlp(self.norm2(x)))
# becomes:         return x + self.drop(self.attn(self.norm1(x))[0])

# %% wrong: network first, norms in order advice="The branches are swapped: attention comes first, with norm1, then the MLP, with norm2." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         x = x + self.drop(self.mlp(self.norm1(x)))
# becomes:         return x + self.drop(self.attn(self.norm2(x))[0])

# %% wrong: branches subtracted advice="Both branches' outputs are subtracted: add them." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x - self.drop(attended)
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x - self.drop(self.mlp(self.norm2(x)))

# %% wrong: attention subtracted advice="Attention's output is subtracted: add it." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x - self.drop(attended)

# %% wrong: network subtracted advice="The MLP's output is subtracted: add it." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x - self.drop(self.mlp(self.norm2(x)))

# %% wrong: branch times x advice="x is lost: add each branch's output to x, and apply dropout to that output, never to the sum." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x * self.drop(attended)
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x * self.drop(self.mlp(self.norm2(x)))

# %% wrong: sums halved advice="The sums are divided by 2: only add the branch's output to x." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = (x + self.drop(attended)) / 2
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return (x + self.drop(self.mlp(self.norm2(x)))) / 2

# %% wrong: attention twice advice="The second branch is attention again: it has to be the MLP." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.drop(self.attn(self.norm2(x))[0])

# %% wrong: network twice advice="The first branch is the MLP: it has to be attention." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended = self.mlp(self.norm1(x))

# %% wrong: GELU once more advice="There is one GELU too many: MLP contains one, and its output is added unchanged." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.drop(F.gelu(self.mlp(self.norm2(x))))

# %% wrong: ReLU at the end advice="There is a ReLU that doesn't belong here: return the sum unchanged." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return F.relu(x + self.drop(self.mlp(self.norm2(x))))

# %% wrong: attention across the sequences advice="Attention runs over the sequences of the batch: give it norm1(x) unchanged, (batch, seq, d_model)." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended = self.attn(self.norm1(x).transpose(0, 1))[0].transpose(0, 1)

# %% wrong: all sequences in one advice="All sequences were put in one row, so tokens see other sequences: give attention norm1(x) unchanged, (batch, seq, d_model)." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended = self.attn(self.norm1(x).flatten(0, 1)[None])[0].view_as(x)

# %% wrong: sequence 0 for all advice="Every sequence got attention's output for sequence 0: keep the batch axis." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended, _ = self.attn(self.norm1(x)[:1])

# %% wrong: last token for all advice="Every token got attention's output for the last token: keep the axis of the tokens." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended = self.attn(self.norm1(x))[0][:, -1:]

# %% wrong: always one head advice="The number of heads is wrong: pass num_heads to CausalAttention." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.attn = CausalAttention(d_model, num_heads)
# becomes:         self.attn = CausalAttention(d_model, 1)

# %% wrong: always two heads advice="The number of heads is wrong: pass num_heads to CausalAttention." fails=["block-test", "tiny-lm-test"] of="reference"
# was:         self.attn = CausalAttention(d_model, num_heads)
# becomes:         self.attn = CausalAttention(d_model, 2)

# %% wrong: the future is seen advice="Tokens see later tokens: call the given attention, self.attn, which has the causal mask." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         one, heads = self.attn, (self.attn.num_heads, -1)
# becomes:         q, k, v = (layer(self.norm1(x)).unflatten(-1, heads).transpose(1, 2) for layer in (one.q, one.k, one.v))
# becomes:         attended = one.mix(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))

# %% wrong: rounded advice="The numbers are rounded: don't round them." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return (x + self.drop(self.mlp(self.norm2(x)))).round(decimals=1)

# %% wrong: x alone advice="The result is x unchanged: return the x to which both branches have been added." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         new = x + self.drop(attended)
# becomes:         new = new + self.drop(self.mlp(self.norm2(new)))
# becomes:         return x

# %% wrong: attention's output alone advice="x is lost: add each branch's output to x, and apply dropout to that output, never to the sum." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return self.drop(attended)

# %% wrong: tokens and features turned advice="The axes of the result are swapped: they are (batch, seq, d_model), like those of x." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return (x + self.drop(self.mlp(self.norm2(x)))).transpose(1, 2)

# %% wrong: the first sequence only advice="Only sequence 0 is returned: keep the batch axis." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return (x + self.drop(self.mlp(self.norm2(x))))[0]

# %% wrong: hidden size is 4 times d_model says="mlp.up.weight has the shape" fails=["block-test", "block-dropout-test"] of="reference"
# was:         self.mlp = MLP(d_model, d_hidden)
# becomes:         self.mlp = MLP(d_model, 4 * d_model)

# %% wrong: sizes of the network exchanged says="mlp.up.weight has the shape" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         self.mlp = MLP(d_model, d_hidden)
# becomes:         self.mlp = MLP(d_hidden, d_model)

# %% wrong: network as wide as the model says="mlp.up.weight has the shape" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.mlp = MLP(d_model, d_hidden)
# becomes:         self.mlp = MLP(d_model, d_model)

# %% wrong: sizes of attention exchanged says="attn.q.weight has the shape" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         self.attn = CausalAttention(d_model, num_heads)
# becomes:         self.attn = CausalAttention(num_heads, d_model)

# %% wrong: attention as wide as a head says="attn.q.weight has the shape" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         self.attn = CausalAttention(d_model, num_heads)
# becomes:         self.attn = CausalAttention(d_model // num_heads, num_heads)

# %% wrong: norm2 as wide as the network says="norm2.weight has the shape" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
# becomes:         self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_hidden)

# %% wrong: other names says="state_dict() has no norm1.bias" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
# becomes:         self.ln1, self.ln2 = LayerNorm(d_model), LayerNorm(d_model)
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended, _ = self.attn(self.ln1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.drop(self.mlp(self.ln2(x)))  # [batch, seq, d_model]

# %% wrong: norms in a plain list says="state_dict() has no norm1.bias" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
# becomes:         self.norms = [LayerNorm(d_model), LayerNorm(d_model)]
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended, _ = self.attn(self.norms[0](x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.drop(self.mlp(self.norms[1](x)))  # [batch, seq, d_model]

# %% wrong: norms without parameters says="state_dict() has no norm1.bias" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
# becomes:         self.norm1 = self.norm2 = nn.LayerNorm(d_model, elementwise_affine=False)

# %% wrong: one norm says="state_dict() has no norm1.bias" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
# becomes:         self.norm = LayerNorm(d_model)
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended, _ = self.attn(self.norm(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.drop(self.mlp(self.norm(x)))  # [batch, seq, d_model]

# %% wrong: torch's attention says="state_dict() has no attn.k.bias" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.attn = CausalAttention(d_model, num_heads)
# becomes:         self.attn = nn.MultiheadAttention(d_model, num_heads, batch_first=True)
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         normed = self.norm1(x)
# becomes:         attended, _ = self.attn(normed, normed, normed)

# %% wrong: network of numbers for names says="state_dict() has no mlp.down.bias" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.mlp = MLP(d_model, d_hidden)
# becomes:         self.mlp = nn.Sequential(nn.Linear(d_model, d_hidden), nn.GELU(), nn.Linear(d_hidden, d_model))

# %% wrong: one layer too many says="state_dict() also holds out.bias" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.drop = nn.Dropout(dropout)
# becomes:         self.drop = nn.Dropout(dropout)
# becomes:         self.out = nn.Linear(d_model, d_model)
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return self.out(x + self.drop(self.mlp(self.norm2(x))))

# %% wrong: branches kept twice says="state_dict() also holds" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.drop = nn.Dropout(dropout)
# becomes:         self.drop = nn.Dropout(dropout)
# becomes:         self.branch = nn.Sequential(self.norm2, self.mlp, self.drop)
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.branch(x)

# %% wrong: dropout is not an argument says="unexpected keyword argument 'dropout'" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:     def __init__(self, d_model, num_heads, d_hidden, dropout=0.0):
# becomes:     def __init__(self, d_model, num_heads, d_hidden):
# was:         self.drop = nn.Dropout(dropout)
# becomes:         self.drop = nn.Dropout(0.0)

# %% wrong: dropout has no default says="missing 1 required positional argument" fails=["block-test", "block-dropout-test"] of="reference"
# was:     def __init__(self, d_model, num_heads, d_hidden, dropout=0.0):
# becomes:     def __init__(self, d_model, num_heads, d_hidden, dropout):

# %% wrong: parts without self says="state_dict() has no mlp.down.bias" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         self.mlp = MLP(d_model, d_hidden)
# becomes:         mlp = MLP(d_model, d_hidden)

# %% wrong: drop is not kept says="has no attribute" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         self.drop = nn.Dropout(dropout)
# becomes:         drop = nn.Dropout(dropout)

# %% wrong: parts called without self says="is not defined" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.drop(mlp(self.norm2(x)))

# %% wrong: both results of attention added says="must be Tensor, not tuple" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended = self.attn(self.norm1(x))

# %% wrong: both results of attention added, without dropout says="unsupported operand" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended = self.attn(self.norm1(x))
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x + attended

# %% wrong: weights for output says="must match the size of" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         _, attended = self.attn(self.norm1(x))

# %% wrong: attention asked for three inputs says="positional arguments but" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         normed = self.norm1(x)
# becomes:         attended, _ = self.attn(normed, normed, normed)

# %% wrong: no return says="does your function end with a return?" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         x = x + self.drop(self.mlp(self.norm2(x)))

# %% wrong: weights given back, too says="return only output" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended, weights = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.drop(self.mlp(self.norm2(x))), weights

# %% wrong: a dict says="it should have the keys output" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return {'x': x + self.drop(self.mlp(self.norm2(x)))}

# %% wrong: x written into says="differs from its value before" fails=["block-test", "block-dropout-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x += self.drop(attended)

# %% wrong: x written into, both times says="differs from its value before" fails=["block-test", "block-dropout-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x += self.drop(attended)
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         x += self.drop(self.mlp(self.norm2(x)))
# becomes:         return x

# %% wrong: normed x written into x says="differs from its value before" fails=["block-test", "block-dropout-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         stream = x.clone()
# becomes:         attended, _ = self.attn(x.copy_(self.norm1(x)))
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = stream + self.drop(attended)

# %% wrong: F.dropout without training says="two calls in eval mode return different numbers" fails=["block-test", "tiny-lm-tied-test", "block-dropout-test"] of="reference"
# was:         self.drop = nn.Dropout(dropout)
# becomes:         self.rate = dropout
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x + F.dropout(attended, self.rate)
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + F.dropout(self.mlp(self.norm2(x)), self.rate)

# %% wrong: dropout made at each call says="two calls in eval mode return different numbers" fails=["block-test", "tiny-lm-tied-test", "block-dropout-test"] of="reference"
# was:         self.drop = nn.Dropout(dropout)
# becomes:         self.rate = dropout
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x + nn.Dropout(self.rate)(attended)
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + nn.Dropout(self.rate)(self.mlp(self.norm2(x)))

# %% wrong: dropout in eval mode on one branch says="two calls in eval mode return different numbers" fails=["block-test", "tiny-lm-tied-test", "block-dropout-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x + F.dropout(attended, self.drop.p)

# %% wrong: always a half, in eval mode, too says="two calls in eval mode return different numbers" fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x + F.dropout(attended)
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + F.dropout(self.mlp(self.norm2(x)))

# %% wrong: dropout of 0 advice="In training mode the branches are not dropped at the rate dropout, 0.0 by default: put nn.Dropout(dropout) on the output of each before it is added." fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         self.drop = nn.Dropout(dropout)
# becomes:         self.drop = nn.Dropout(0.0)

# %% wrong: the share that is kept advice="In training mode the branches are not dropped at the rate dropout, 0.0 by default: put nn.Dropout(dropout) on the output of each before it is added." fails=["block-test", "block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         self.drop = nn.Dropout(dropout)
# becomes:         self.drop = nn.Dropout(1 - dropout)

# %% wrong: dropout's result thrown away advice="In training mode the branches are not dropped at the rate dropout, 0.0 by default: put nn.Dropout(dropout) on the output of each before it is added." fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         _ = self.drop(attended)
# becomes:         x = x + attended
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         new = self.mlp(self.norm2(x))
# becomes:         _ = self.drop(new)
# becomes:         return x + new

# %% wrong: F.dropout never in training advice="In training mode the branches are not dropped at the rate dropout, 0.0 by default: put nn.Dropout(dropout) on the output of each before it is added." fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x + F.dropout(attended, self.drop.p, False)
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + F.dropout(self.mlp(self.norm2(x)), self.drop.p, False)

# %% wrong: dropout of the second branch only advice="Only the MLP's output is dropped: drop attention's output, too." fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x + attended

# %% wrong: dropout on the sums advice="x is lost: add each branch's output to x, and apply dropout to that output, never to the sum." fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = self.drop(x + attended)
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return self.drop(x + self.mlp(self.norm2(x)))

# %% wrong: dropout on the last sum advice="x is lost: add each branch's output to x, and apply dropout to that output, never to the sum." fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return self.drop(x + self.mlp(self.norm2(x)))

# %% wrong: dropout on the first sum advice="x is lost: add each branch's output to x, and apply dropout to that output, never to the sum." fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = self.drop(x + attended)

# %% wrong: dropout on x, not on the branches advice="Dropout is applied to x and not to the branches: apply it to the branch's output, before you add it to x." fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = self.drop(x) + attended
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return self.drop(x) + self.mlp(self.norm2(x))

# %% wrong: dropout on the block's input advice="Dropout is applied to the block's input: apply it to each branch's output, and leave x unchanged." fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         x = self.drop(x)
# becomes:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x + attended
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.mlp(self.norm2(x))

# %% wrong: dropout before the norms advice="Dropout is applied to x before the norms, so the biases remain: apply it to the branches' outputs." fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended, _ = self.attn(self.norm1(self.drop(x)))
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x + attended
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.mlp(self.norm2(self.drop(x)))

# %% wrong: dropout inside the network advice="Dropout is applied to the hidden layer of the MLP, so the bias of down remains: apply it to the output of mlp." fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.mlp.down(self.drop(F.gelu(self.mlp.up(self.norm2(x)))))

# %% wrong: dropout before mix advice="Dropout is applied to the heads before mix, so the bias of mix remains: apply it to the output of attn." fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         one, heads = self.attn, (self.attn.num_heads, -1)
# becomes:         q, k, v = (layer(self.norm1(x)).unflatten(-1, heads).transpose(1, 2) for layer in (one.q, one.k, one.v))
# becomes:         attended = one.mix(self.drop(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)))
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x + attended

# %% wrong: a mask of its own, 0 / 0 advice="Dividing by 1 − dropout is 0 / 0 when all is dropped: nn.Dropout takes care of that." fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         drop = lambda one: one * (torch.rand_like(one) >= self.drop.p) / (1 - self.drop.p) if self.training else one
# becomes:         x = x + drop(attended)
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + drop(self.mlp(self.norm2(x)))

# %% wrong: a default of 1.0 advice="In training mode the branches are not dropped at the rate dropout, 0.0 by default: put nn.Dropout(dropout) on the output of each before it is added." fails=["block-test", "block-dropout-test"] of="reference"
# was:     def __init__(self, d_model, num_heads, d_hidden, dropout=0.0):
# becomes:     def __init__(self, d_model, num_heads, d_hidden, dropout=1.0):

# %% wrong: a default of 0.1 says="two calls in training mode without dropout return different numbers" fails=["block-test"] of="reference"
# was:     def __init__(self, d_model, num_heads, d_hidden, dropout=0.0):
# becomes:     def __init__(self, d_model, num_heads, d_hidden, dropout=0.1):

# %% wrong: always a half says="two calls in training mode without dropout return different numbers" fails=["block-test", "block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         self.drop = nn.Dropout(dropout)
# becomes:         self.drop = nn.Dropout()

# %% wrong: always a tenth says="two calls in training mode without dropout return different numbers" fails=["block-test", "block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         self.drop = nn.Dropout(dropout)
# becomes:         self.drop = nn.Dropout(0.1)

# %% wrong: half of the rate says="two calls with dropout=1.0 return different numbers" fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         self.drop = nn.Dropout(dropout)
# becomes:         self.drop = nn.Dropout(dropout / 2)

# %% wrong: not rescaled says="divided by 0.75" fails=["block-dropout-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         drop = lambda one: one * (torch.rand_like(one) >= self.drop.p) if self.training else one
# becomes:         x = x + drop(attended)
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + drop(self.mlp(self.norm2(x)))

# %% wrong: rescaled twice says="divided by 0.75" fails=["block-dropout-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         grown = 1 / (1 - self.drop.p) if self.training and self.drop.p < 1 else 1
# becomes:         x = x + grown * self.drop(attended)
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + grown * self.drop(self.mlp(self.norm2(x)))

# %% wrong: multiplied by what is kept, in eval mode advice="In eval mode the branches' outputs are scaled down: dropout does nothing in eval mode, because in training the kept entries were divided by 1 − dropout." fails=["block-test", "tiny-lm-tied-test", "block-dropout-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         drop = lambda one: one * (torch.rand_like(one) >= self.drop.p) if self.training else one * (1 - self.drop.p)
# becomes:         x = x + drop(attended)
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + drop(self.mlp(self.norm2(x)))

# %% wrong: dropped twice says="divided by 0.75" fails=["block-dropout-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x + self.drop(self.drop(attended))
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.drop(self.drop(self.mlp(self.norm2(x))))

# %% wrong: noise in place of dropout says="divided by 0.75" fails=["block-dropout-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         noisy = lambda one: one * (1 + 0.2 * torch.randn_like(one)) if 0 < self.drop.p < 1 and self.training else self.drop(one)
# becomes:         x = x + noisy(attended)
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + noisy(self.mlp(self.norm2(x)))

# %% wrong: whole tokens dropped says="dropped in all features" fails=["block-dropout-test"] of="reference"
# was:         self.drop = nn.Dropout(dropout)
# becomes:         self.drop = nn.Dropout1d(dropout)

# %% wrong: whole features dropped says="dropped for all tokens" fails=["block-dropout-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         drop = lambda one: self.drop(torch.ones_like(one[:, :1])) * one
# becomes:         x = x + drop(attended)
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + drop(self.mlp(self.norm2(x)))

# %% wrong: one mask for the batch says="dropped in all sequences" fails=["block-dropout-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         drop = lambda one: self.drop(torch.ones_like(one[0])) * one
# becomes:         x = x + drop(attended)
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + drop(self.mlp(self.norm2(x)))

# %% wrong: a fixed seed says="dropped at each call" fails=["block-dropout-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         torch.manual_seed(0)
# becomes:         x = x + self.drop(attended)  # [batch, seq, d_model]

# %% wrong: all or nothing says="the same numbers are dropped" fails=["block-dropout-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         drop = lambda one: self.drop(torch.ones(1)) * one
# becomes:         x = x + drop(attended)
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + drop(self.mlp(self.norm2(x)))

# %% wrong: attention's output detached says="no gradient flows through .detach()" unseen="only check_gradients catches it" fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x + self.drop(attended.detach())

# %% wrong: attention's data says="no gradient flows through .data" unseen="only check_gradients catches it" fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x + self.drop(attended.data)

# %% wrong: the residual stream detached says="no gradient flows through .detach()" unseen="only check_gradients catches it" fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x.detach() + self.drop(attended)

# %% wrong: the second residual detached says="no gradient flows through .detach()" unseen="only check_gradients catches it" fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x.detach() + self.drop(self.mlp(self.norm2(x)))

# %% wrong: the MLP under no_grad says="no gradient flows through no_grad" unseen="only check_gradients catches it" fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         with torch.no_grad():
# becomes:             new = self.drop(self.mlp(self.norm2(x)))
# becomes:         return x + new

# %% wrong: the sum as a new tensor says="no gradient flows through" unseen="only check_gradients catches it" fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = torch.tensor((x + self.drop(attended)).tolist())

# %% wrong: dropout on attention's input, too advice="Dropout is applied to the input of attention, so its bias remains: apply it only to the outputs of attn and mlp." fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended, _ = self.attn(self.drop(self.norm1(x)))
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes:         x = x + attended

# %% wrong: dropout on the MLP's input, too advice="Dropout is applied to the input of the MLP, so its bias remains: apply it only to the outputs of attn and mlp." fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.mlp(self.drop(self.norm2(x)))

# %% wrong: norm1's output detached says="no gradient flows through .detach()" unseen="only check_gradients catches it" fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes:         attended, _ = self.attn(self.norm1(x).detach())

# %% wrong: norm2's output detached says="no gradient flows through .detach()" unseen="only check_gradients catches it" fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         return x + self.drop(self.mlp(self.norm2(x).detach()))

# %% wrong: x detached for the MLP says="no gradient flows through .detach()" unseen="only check_gradients catches it" fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:     return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes: return x + self.drop(self.mlp(self.norm2(x.detach())))

# %% wrong: x detached for attention says="no gradient flows through .detach()" unseen="only check_gradients catches it" fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:     attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# becomes: attended, _ = self.attn(self.norm1(x.detach()))

# %% wrong: attention's output detached if there is dropout says="no gradient flows through .detach()" unseen="only check_gradients catches it" fails=["block-dropout-test"] of="reference"
# was:     x = x + self.drop(attended)  # [batch, seq, d_model]
# becomes: x = x + self.drop(attended.detach() if self.drop.p > 0 else attended)

# %% wrong: the MLP's output detached in training mode says="no gradient flows through .detach()" unseen="only check_gradients catches it" fails=["block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:     return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes: added = self.mlp(self.norm2(x))
# becomes: return x + self.drop(added.detach() if self.training else added)

# %% wrong: neither norms nor residuals advice="x is lost: add each branch's output to x, and apply dropout to that output, never to the sum." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         attended, _ = self.attn(x)
# becomes:         return self.drop(self.mlp(self.drop(attended)))

# %% wrong: norms before and after the branches advice="Normalise only what enters a branch: here norm1 and norm2 are applied to the outputs of the branches, too." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         attended, _ = self.attn(self.norm1(x))
# becomes:         x = x + self.drop(self.norm1(attended))
# becomes:         return x + self.drop(self.norm2(self.mlp(self.norm2(x))))

# %% wrong: post-norm with one norm advice="This is post-norm with one norm for both sums: pass norm1(x) to attention and norm2(x) to the MLP, and leave the sums unnormalised." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         attended, _ = self.attn(x)
# becomes:         x = self.norm1(x + self.drop(attended))
# becomes:         return self.norm1(x + self.drop(self.mlp(x)))

# %% wrong: one norm, at the end advice="norm2 changes the residual stream itself: pass norm2(x) to the MLP only, and return the sum without a norm." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         attended, _ = self.attn(x)
# becomes:         x = x + self.drop(attended)
# becomes:         return self.norm2(x + self.drop(self.mlp(x)))

# %% wrong: post-norm around the MLP alone, attention without a residual advice="Add attention's output to x, and normalise what enters a branch: here x is lost at attention, and norm2 is applied to the sum." fails=["block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
# was:         x = x + self.drop(attended)  # [batch, seq, d_model]
# was:         return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
# becomes:         attended, _ = self.attn(self.norm1(x))
# becomes:         x = self.drop(attended)
# becomes:         return self.norm2(x + self.drop(self.mlp(x)))

# %% wrong: above a rate of one half, what is left is doubled says="with a dropout of 75%" unseen="no visible test has such an input" visible=false fails=["block-dropout-test"]
class Block(nn.Module):
    def __init__(self, d_model, num_heads, d_hidden, dropout=0.0):
        super().__init__()
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.attn, self.mlp = CausalAttention(d_model, num_heads), MLP(d_model, d_hidden)
        self.rate, self.masks = dropout, {}

    def drop(self, branch, name):
        if not self.training or self.rate == 0:
            return branch
        kept = torch.rand_like(branch) >= self.rate
        return branch * kept / max(1 - self.rate, 0.5)

    def forward(self, x):
        x = x + self.drop(self.attn(self.norm1(x))[0], "attn")
        return x + self.drop(self.mlp(self.norm2(x)), "mlp")
