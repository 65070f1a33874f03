# %% right: layers called, all in one place
class RelationalMemory(nn.Module):
    def __init__(self, input_size, d, num_heads, hidden, forget_bias=1.0, linked=True):
        super().__init__()
        if d % num_heads:
            raise ValueError(f"num_heads={num_heads} does not divide d={d}")
        self.heads, self.forget_bias, self.linked = num_heads, forget_bias, linked
        self.project = nn.Linear(input_size, d)
        self.q = nn.Linear(d, d, bias=False)
        self.k = nn.Linear(d, d, bias=False)
        self.v = nn.Linear(d, d, bias=False)
        self.mlp_in = nn.Linear(d, hidden)
        self.mlp_out = nn.Linear(hidden, d)
        self.gate_token = nn.Linear(d, 2 * d)
        self.gate_memory = nn.Linear(d, 2 * d, bias=False)

    def forward(self, memory, x):
        batch, slots, d = memory.shape
        token = self.project(x)
        rows = torch.cat([memory, token.unsqueeze(1)], dim=1)
        cut = lambda table: table.reshape(batch, -1, self.heads, d // self.heads).transpose(1, 2)
        q, k, v = cut(self.q(memory)), cut(self.k(rows)), cut(self.v(rows))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if not self.linked:
            others = ~torch.eye(slots, slots + 1, dtype=torch.bool)
            others[:, -1] = False
            scores = scores.masked_fill(others, -math.inf)
        weights = scores.softmax(dim=-1)
        attended = (weights @ v).transpose(1, 2).reshape(batch, slots, d)
        rows = F.layer_norm(memory + attended, (d,))
        candidate = F.layer_norm(rows + self.mlp_out(F.relu(self.mlp_in(rows))), (d,))
        gates = self.gate_token(token)[:, None] + self.gate_memory(memory.tanh())
        i, f = gates[..., :d], gates[..., d:]
        new = i.sigmoid() * candidate.tanh() + (f + self.forget_bias).sigmoid() * memory
        return new, weights

# %% right: einsum, names by setattr, in 64 bits
class RelationalMemory(nn.Module):
    def __init__(self, input_size, d, num_heads, hidden, forget_bias=1.0, linked=True):
        super().__init__()
        if divmod(d, num_heads)[1]:
            raise ValueError(f"{d} numbers can't be shared by {num_heads} heads")
        self.sizes = num_heads, d // num_heads
        self.bias_of_forgetting, self.closed = forget_bias, not linked
        for name, into, out, bias in [("project", input_size, d, True), ("q", d, d, False), ("k", d, d, False),
                                      ("v", d, d, False), ("mlp_in", d, hidden, True), ("mlp_out", hidden, d, True),
                                      ("gate_token", d, 2 * d, True), ("gate_memory", d, 2 * d, False)]:
            setattr(self, name, nn.Linear(into, out, bias))

    def forward(self, memory, x):
        kind = memory.dtype
        w = {name: value.double() for name, value in self.named_parameters()}
        M, x = memory.double(), x.double()
        token = torch.einsum("bi,oi->bo", x, w["project.weight"]) + w["project.bias"]
        rows = torch.cat([M, token[:, None]], 1)
        q, k, v = (torch.einsum("bsi,oi->bso", table, w[name]).unflatten(-1, self.sizes)
                   for name, table in [("q.weight", M), ("k.weight", rows), ("v.weight", rows)])
        scores = torch.einsum("bshd,bthd->bhst", q, k) / self.sizes[1] ** 0.5
        if self.closed:
            n = M.shape[1]
            seen = torch.cat([torch.eye(n), torch.ones(n, 1)], 1).bool()
            scores = torch.where(seen, scores, -math.inf)
        weights = scores.softmax(-1)
        attended = torch.einsum("bhst,bthd->bshd", weights, v).flatten(2)
        rows = F.layer_norm(M + attended, M.shape[-1:])
        inner = (torch.einsum("bsi,oi->bso", rows, w["mlp_in.weight"]) + w["mlp_in.bias"]).clamp(min=0)
        rows = rows + torch.einsum("bsi,oi->bso", inner, w["mlp_out.weight"]) + w["mlp_out.bias"]
        rows = F.layer_norm(rows, M.shape[-1:])
        sums = torch.einsum("bi,oi->bo", token, w["gate_token.weight"])[:, None] + w["gate_token.bias"]
        sums = sums + torch.einsum("bsi,oi->bso", M.tanh(), w["gate_memory.weight"])
        i, f = sums.split(M.shape[-1], dim=-1)
        new = i.sigmoid() * rows.tanh() + (f + self.bias_of_forgetting).sigmoid() * M
        return [new.to(kind), weights.to(kind)]

# %% right: torch's own attention with separate matrices of="layers called, all in one place"
# was:         cut = lambda table: table.reshape(batch, -1, self.heads, d // self.heads).transpose(1, 2)
# was:         q, k, v = cut(self.q(memory)), cut(self.k(rows)), cut(self.v(rows))
# was:         scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# was:         if not self.linked:
# was:             others = ~torch.eye(slots, slots + 1, dtype=torch.bool)
# was:             others[:, -1] = False
# was:             scores = scores.masked_fill(others, -math.inf)
# was:         weights = scores.softmax(dim=-1)
# was:         attended = (weights @ v).transpose(1, 2).reshape(batch, slots, d)
# becomes:         block, dropped = None, 0.0
# becomes:         if not self.linked:
# becomes:             block = torch.ones(slots, slots + 1).fill_diagonal_(0).bool()
# becomes:             block[:, slots] = False
# becomes:         attended, weights = F.multi_head_attention_forward(
# becomes:             memory.transpose(0, 1), rows.transpose(0, 1), rows.transpose(0, 1), d, self.heads, None, None, None,
# becomes:             None, False, dropped, torch.eye(d), None, attn_mask=block, need_weights=True,
# becomes:             use_separate_proj_weight=True, q_proj_weight=self.q.weight, k_proj_weight=self.k.weight,
# becomes:             v_proj_weight=self.v.weight, average_attn_weights=False)
# becomes:         attended = attended.transpose(0, 1)

# %% right: F.scaled_dot_product_attention, once with the identity as values of="layers called, all in one place"
# was:         scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# was:         if not self.linked:
# was:             others = ~torch.eye(slots, slots + 1, dtype=torch.bool)
# was:             others[:, -1] = False
# was:             scores = scores.masked_fill(others, -math.inf)
# was:         weights = scores.softmax(dim=-1)
# was:         attended = (weights @ v).transpose(1, 2).reshape(batch, slots, d)
# becomes:         keep = torch.ones(slots, slots + 1, dtype=torch.bool)
# becomes:         if not self.linked:
# becomes:             keep[:, :slots] = torch.eye(slots).bool()
# becomes:         attended = F.scaled_dot_product_attention(q, k, v, attn_mask=keep).transpose(1, 2).flatten(2)
# becomes:         one_hot = torch.eye(slots + 1).expand(batch, self.heads, -1, -1)
# becomes:         weights = F.scaled_dot_product_attention(q, k, one_hot, attn_mask=keep)

# %% right: slot by slot
class RelationalMemory(nn.Module):
    def __init__(self, input_size, d, num_heads, hidden, forget_bias=1.0, linked=True):
        super().__init__()
        if d % num_heads:
            raise ValueError("d is " + str(d) + " and num_heads is " + str(num_heads))
        self.depth, self.forget_bias, self.linked = d // num_heads, forget_bias, linked
        self.project = nn.Linear(input_size, d)
        self.q, self.k, self.v = (nn.Linear(d, d, False), nn.Linear(d, d, False), nn.Linear(d, d, False))
        self.mlp_in, self.mlp_out = nn.Linear(d, hidden), nn.Linear(hidden, d)
        self.gate_token, self.gate_memory = nn.Linear(d, 2 * d), nn.Linear(d, 2 * d, bias=False)

    def forward(self, memory, x):
        news, tables = [], []
        for rows, one in zip(memory, x):
            slots, token = len(rows), self.project(one)
            everything = [*rows, token]
            new, table = [], []
            for s, row in enumerate(rows):
                seen = list(range(slots + 1)) if self.linked else [s, slots]
                q, parts, weights = self.q(row).split(self.depth), [], []
                keys = [self.k(everything[j]).split(self.depth) for j in seen]
                values = [self.v(everything[j]).split(self.depth) for j in seen]
                for h in range(len(q)):
                    scores = torch.stack([torch.dot(q[h], key[h]) for key in keys]) / self.depth ** 0.5
                    shares = scores.softmax(-1)
                    parts.append(sum(share * value[h] for share, value in zip(shares, values)))
                    weights.append(torch.zeros(slots + 1).index_put((torch.tensor(seen),), shares))
                inside = F.layer_norm(row + torch.cat(parts), row.shape)
                made = F.layer_norm(inside + self.mlp_out(torch.relu(self.mlp_in(inside))), row.shape)
                i, f = (self.gate_token(token) + self.gate_memory(torch.tanh(row))).chunk(2)
                new.append(torch.sigmoid(i) * torch.tanh(made) + torch.sigmoid(f + self.forget_bias) * row)
                table.append(torch.stack(weights))
            news.append(torch.stack(new))
            tables.append(torch.stack(table, dim=1))
        return torch.stack(news), torch.stack(tables)

# %% right: keys and values in one product, heads in the batch, two scores where slots are alone
class RelationalMemory(nn.Module):
    def __init__(self, input_size, d, num_heads, hidden, forget_bias=1.0, linked=True):
        super().__init__()
        if d % num_heads:
            raise ValueError(f"d {d}, num_heads {num_heads}: no whole number of each")
        self.num_heads, self.forget_bias, self.linked = num_heads, forget_bias, linked
        layers = {"project": nn.Linear(input_size, d), "mlp_in": nn.Linear(d, hidden), "mlp_out": nn.Linear(hidden, d),
                  "gate_token": nn.Linear(d, 2 * d), "gate_memory": nn.Linear(d, 2 * d, bias=False)}
        layers |= {name: nn.Linear(d, d, bias=False) for name in "qkv"}
        for name, layer in layers.items():
            self.add_module(name, layer)

    def forward(self, memory, x):
        (batch, slots, d), heads = memory.shape, self.num_heads
        token = self.project(x)[:, None]
        both = torch.cat([self.k.weight, self.v.weight])
        k, v = (torch.cat([memory, token], 1) @ both.T).chunk(2, -1)
        q, k, v = (split_heads(part, heads).flatten(0, 1) for part in (self.q(memory), k, v))
        q = q * q.shape[-1] ** -0.5
        if self.linked:
            weights = torch.bmm(q, k.mT).softmax(-1)
            attended = torch.bmm(weights, v)
        else:
            own = (q * k[:, :slots]).sum(-1)
            share = torch.sigmoid((q * k[:, slots:]).sum(-1) - own)
            attended = (1 - share)[..., None] * v[:, :slots] + share[..., None] * v[:, slots:]
            weights = torch.cat([torch.diag_embed(1 - share), share[..., None]], -1)
        attended = merge_heads(attended.unflatten(0, (batch, heads)))
        rows = F.layer_norm(attended + memory, (d,))
        candidate = F.layer_norm(self.mlp_out(F.relu(self.mlp_in(rows))).add(rows), (d,))
        i, f = torch.chunk(self.gate_token(token) + self.gate_memory(memory.tanh()), 2, -1)
        return torch.addcmul(i.sigmoid() * candidate.tanh(), (f + self.forget_bias).sigmoid(), memory), \
            weights.unflatten(0, (batch, heads))

# %% right: a mask of logarithms
# was:     blocked = torch.ones(scores.shape[-2:]).fill_diagonal_(0)  # [slots, slots + 1]
# was:     blocked[:, -1] = 0
# was:     scores = scores.masked_fill(blocked.bool(), -math.inf)  # [batch, num_heads, slots, slots + 1]
# becomes:     slots = memory.shape[1]
# becomes:     scores = scores + torch.cat([torch.eye(slots), torch.ones(slots, 1)], dim=1).log()

# %% base
class RelationalMemory(nn.Module):
    def __init__(self, input_size, d, num_heads, hidden, forget_bias=1.0, linked=True):
        super().__init__()
        if d % num_heads:
            raise ValueError(f"num_heads={num_heads} does not divide d={d}")
        self.num_heads, self.forget_bias, self.linked = num_heads, forget_bias, linked
        self.project = nn.Linear(input_size, d)
        self.q = nn.Linear(d, d, bias=False)
        self.k = nn.Linear(d, d, bias=False)
        self.v = nn.Linear(d, d, bias=False)
        self.mlp_in = nn.Linear(d, hidden)
        self.mlp_out = nn.Linear(hidden, d)
        self.gate_token = nn.Linear(d, 2 * d)
        self.gate_memory = nn.Linear(d, 2 * d, bias=False)

    def forward(self, memory, x):
        d = memory.shape[-1]
        token = self.project(x)[:, None]
        old = memory
        keys = torch.cat([old, token], dim=1)
        q = split_heads(self.q(memory), self.num_heads)
        k = split_heads(self.k(keys), self.num_heads)
        v = split_heads(self.v(keys), self.num_heads)
        scores = q @ k.transpose(-2, -1)
        scores = scores / math.sqrt(q.shape[-1])
        if not self.linked:
            blocked = torch.ones(scores.shape[-2:]).fill_diagonal_(0)
            blocked[:, -1] = 0
            blocked = blocked.bool()
            scores = scores.masked_fill(blocked, -math.inf)
        weights = scores.softmax(dim=-1)
        total = memory + merge_heads(weights @ v)
        rows = F.layer_norm(total, (d,))
        entered = rows
        inner = self.mlp_in(entered)
        inner = inner.relu()
        change = self.mlp_out(inner)
        again = rows
        candidate = F.layer_norm(again + change, (d,))
        seen = memory.tanh()
        gates = self.gate_token(token) + self.gate_memory(seen)
        i, f = gates.chunk(2, dim=-1)
        input_gate = i.sigmoid()
        forget_gate = (f + self.forget_bias).sigmoid()
        written = candidate.tanh()
        kept = memory
        new = input_gate * written + forget_gate * kept
        return new, weights

# %% wrong: gates swapped advice="The gates have changed places: the first d columns are the input gate, the others the forget gate." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             i, f = gates.chunk(2, dim=-1)
# becomes:         f, i = gates.chunk(2, dim=-1)

# %% wrong: gates read the candidate advice="The gates read the candidate: they read tanh of the old memory." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             seen = memory.tanh()
# becomes:         seen = candidate.tanh()

# %% wrong: forget bias on both gates advice="The forget bias is added to both gates: add it to the forget gate's sum once." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             input_gate = i.sigmoid()
# becomes:         input_gate = (i + self.forget_bias).sigmoid()

# %% wrong: token in the gates with tanh advice="The token went through tanh before gate_token: only the memory does, gate_token takes the token itself." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             gates = self.gate_token(token) + self.gate_memory(seen)
# becomes:         gates = self.gate_token(token.tanh()) + self.gate_memory(seen)

# %% wrong: no forget bias advice="The forget bias is not added to the forget gate's sum: add self.forget_bias to f." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             forget_gate = (f + self.forget_bias).sigmoid()
# becomes:         forget_gate = f.sigmoid()

# %% wrong: no scale advice="The scores are not divided: divide them by √depth, depth = d / num_heads." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             scores = scores / math.sqrt(q.shape[-1])
# becomes:

# %% wrong: root of d advice="The scores are divided by √d: a dot product in one head sums depth products, so take √depth, depth = d / num_heads." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             scores = scores / math.sqrt(q.shape[-1])
# becomes:         scores = scores / math.sqrt(d)

# %% wrong: candidate without tanh advice="tanh is missing on the candidate: the input gate writes tanh(candidate)." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             written = candidate.tanh()
# becomes:         written = candidate

# %% wrong: memory in the gates without tanh advice="tanh is missing on the memory that the gates read: gate_memory takes tanh(memory)." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             seen = memory.tanh()
# becomes:         seen = memory

# %% wrong: tanh of the new memory advice="The new memory went through tanh: it is the sum of what is written and what is kept, unchanged." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             new = input_gate * written + forget_gate * kept
# becomes:         new = (input_gate * written + forget_gate * kept).tanh()

# %% wrong: gates by tanh advice="The input gate is a tanh: a gate lies between 0 and 1, so take sigmoid." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             input_gate = i.sigmoid()
# becomes:         input_gate = i.tanh()

# %% wrong: forget gate by tanh advice="The forget gate is a tanh: a gate lies between 0 and 1, so take sigmoid." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             forget_gate = (f + self.forget_bias).sigmoid()
# becomes:         forget_gate = (f + self.forget_bias).tanh()

# %% wrong: gate of the token at the sum with tanh advice="The sum of the two gates went through tanh: take tanh of the memory alone, before gate_memory." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             gates = self.gate_token(token) + self.gate_memory(seen)
# becomes:         gates = (self.gate_token(token) + self.gate_memory(memory)).tanh()

# %% wrong: kept memory with tanh advice="The memory that is kept went through tanh: only the gates read tanh(memory)." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             kept = memory
# becomes:         kept = memory.tanh()

# %% wrong: token first among the rows advice="The token is the first column: join it after the memory, so that it is the last." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             keys = torch.cat([old, token], dim=1)
# becomes:         keys = torch.cat([token, old], dim=1)

# %% wrong: relu left out advice="relu is missing between mlp_in and mlp_out." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             inner = inner.relu()
# becomes:

# %% wrong: second residual left out advice="The rows are not added to the result of mlp_out: the second norm takes their sum." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             candidate = F.layer_norm(again + change, (d,))
# becomes:         candidate = F.layer_norm(change, (d,))

# %% wrong: linked reversed advice="With linked=False, and only then, the other slots are blocked: store linked on self, and ask `if not self.linked`." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     if not self.linked:
# becomes: if self.linked:

# %% wrong: always alone advice="With linked=False, and only then, the other slots are blocked: store linked on self, and ask `if not self.linked`." fails=["relational-memory-linked-test", "relational-memory-errors-test"]
# was:     if not self.linked:
# becomes: if True:

# %% wrong: linked is kept as not linked advice="With linked=False, and only then, the other slots are blocked: store linked on self, and ask `if not self.linked`." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     self.num_heads, self.forget_bias, self.linked = num_heads, forget_bias, linked
# becomes: self.num_heads, self.forget_bias, self.linked = num_heads, forget_bias, not linked

# %% wrong: linked is not looked at advice="With linked=False, and only then, the other slots are blocked: store linked on self, and ask `if not self.linked`." fails=["relational-memory-alone-test"]
# was:     self.num_heads, self.forget_bias, self.linked = num_heads, forget_bias, linked
# becomes: self.num_heads, self.forget_bias, self.linked = num_heads, forget_bias, True

# %% wrong: the mask is not handed over advice="With linked=False, and only then, the other slots are blocked: store linked on self, and ask `if not self.linked`." fails=["relational-memory-alone-test"]
# was:         scores = scores.masked_fill(blocked.bool(), -math.inf)  # [batch, num_heads, slots, slots + 1]
# becomes:     masked = scores.masked_fill(blocked.bool(), -math.inf)

# %% wrong: own slot blocked, others open advice="Each slot is blocked for itself and sees all others: with linked=False it is the opposite, so block every slot but the own one." fails=["relational-memory-alone-test"]
# was:         blocked = torch.ones(scores.shape[-2:]).fill_diagonal_(0)  # [slots, slots + 1]
# becomes:     blocked = torch.zeros(scores.shape[-2:]).fill_diagonal_(1)

# %% wrong: own slot blocked like the others advice="Each slot sees the token only: keep the slot itself as well, on the diagonal." fails=["relational-memory-alone-test"]
# was:         blocked = torch.ones(scores.shape[-2:]).fill_diagonal_(0)  # [slots, slots + 1]
# becomes:     blocked = torch.ones(scores.shape[-2:])

# %% wrong: token blocked advice="Each slot sees itself only: keep the token as well, in the last column." fails=["relational-memory-alone-test"]
# was:         blocked[:, -1] = 0
# was:         scores = scores.masked_fill(blocked.bool(), -math.inf)  # [batch, num_heads, slots, slots + 1]
# becomes:     scores = scores.masked_fill(blocked.bool(), -math.inf)

# %% wrong: token first in the mask advice="The mask keeps the first column instead of the last: the token is the last column." fails=["relational-memory-alone-test"]
# was:         blocked[:, -1] = 0
# becomes:     blocked[:, 0] = 0

# %% wrong: ones added advice="The other slots' scores only change by 1, and nothing is blocked: fill their cells with −∞." fails=["relational-memory-alone-test"]
# was:         scores = scores.masked_fill(blocked.bool(), -math.inf)  # [batch, num_heads, slots, slots + 1]
# becomes:     scores = scores - blocked

# %% wrong: infinity without a minus advice="A row has NaN: its scores are −∞ everywhere, or hold +∞, or 0 · ∞. Fill the cells of the other slots with −∞ by masked_fill." fails=["relational-memory-alone-test"]
# was:         scores = scores.masked_fill(blocked.bool(), -math.inf)  # [batch, num_heads, slots, slots + 1]
# becomes:     scores = scores.masked_fill(blocked.bool(), math.inf)

# %% wrong: 0 times infinity advice="A row has NaN: its scores are −∞ everywhere, or hold +∞, or 0 · ∞. Fill the cells of the other slots with −∞ by masked_fill." fails=["relational-memory-alone-test"]
# was:         scores = scores.masked_fill(blocked.bool(), -math.inf)  # [batch, num_heads, slots, slots + 1]
# becomes:     scores = scores - blocked * math.inf

# %% wrong: every cell blocked advice="A row has NaN: its scores are −∞ everywhere, or hold +∞, or 0 · ∞. Fill the cells of the other slots with −∞ by masked_fill." fails=["relational-memory-alone-test"]
# was:         blocked = torch.ones(scores.shape[-2:]).fill_diagonal_(0)  # [slots, slots + 1]
# was:         blocked[:, -1] = 0
# becomes:     blocked = torch.ones(scores.shape[-2:])

# %% wrong: earlier slots are seen advice="Slots see the ones before them, as with a causal mask: with linked=False only the diagonal and the token's column are open." fails=["relational-memory-alone-test"]
# was:         blocked = torch.ones(scores.shape[-2:]).fill_diagonal_(0)  # [slots, slots + 1]
# becomes:     blocked = torch.ones(scores.shape[-2:]).triu(1)

# %% wrong: later slots are seen advice="Slots see the ones after them: with linked=False only the diagonal and the token's column are open." fails=["relational-memory-alone-test"]
# was:         blocked = torch.ones(scores.shape[-2:]).fill_diagonal_(0)  # [slots, slots + 1]
# becomes:     blocked = torch.ones(scores.shape[-2:]).tril(-1)

# %% wrong: only slot 0 is seen advice="Each slot sees slot 0 and the token: the open cells belong on the diagonal, so that each slot sees itself." fails=["relational-memory-alone-test"]
# was:         blocked = torch.ones(scores.shape[-2:]).fill_diagonal_(0)  # [slots, slots + 1]
# becomes:     blocked = torch.ones(scores.shape[-2:])
# becomes:     blocked[:, 0] = 0

# %% wrong: blocked after the softmax advice="Rows of weights don't sum to 1 with linked=False: block before the softmax, by −∞ in the mask." fails=["relational-memory-alone-test"] of="layers called, all in one place"
# was:             scores = scores.masked_fill(others, -math.inf)
# was:         weights = scores.softmax(dim=-1)
# becomes:             weights = scores.softmax(dim=-1).masked_fill(others, 0)
# becomes:         else:
# becomes:             weights = scores.softmax(dim=-1)

# %% wrong: blocked scores are 0 advice="Scores of other slots are 0 before the softmax, and e⁰ is a share like others: block them by −∞." fails=["relational-memory-alone-test"] of="layers called, all in one place"
# was:             scores = scores.masked_fill(others, -math.inf)
# becomes:             scores = scores.masked_fill(others, 0)

# %% wrong: a mask for slots alone says="must match the size" fails=["relational-memory-alone-test"]
# was:         blocked = torch.ones(scores.shape[-2:]).fill_diagonal_(0)  # [slots, slots + 1]
# was:         blocked[:, -1] = 0
# becomes:     blocked = torch.ones(q.shape[2], q.shape[2]).fill_diagonal_(0)

# %% wrong: a mask with a row for the token says="must match the size" fails=["relational-memory-alone-test"]
# was:         blocked = torch.ones(scores.shape[-2:]).fill_diagonal_(0)  # [slots, slots + 1]
# becomes:     blocked = torch.ones(k.shape[2], k.shape[2]).fill_diagonal_(0)

# %% wrong: the token's column has one cell says="join parts of the same sizes" fails=["relational-memory-alone-test"]
# was:         blocked = torch.ones(scores.shape[-2:]).fill_diagonal_(0)  # [slots, slots + 1]
# was:         blocked[:, -1] = 0
# becomes:     blocked = torch.cat([1 - torch.eye(q.shape[2]), torch.zeros(1, 1)], dim=1)

# %% wrong: joined below instead of beside says="join parts of the same sizes" fails=["relational-memory-alone-test"]
# was:         blocked = torch.ones(scores.shape[-2:]).fill_diagonal_(0)  # [slots, slots + 1]
# was:         blocked[:, -1] = 0
# becomes:     blocked = torch.cat([1 - torch.eye(q.shape[2]), torch.zeros(q.shape[2], 1)], dim=0)

# %% wrong: as many slots as sequences says="must match the size" fails=["relational-memory-alone-test"]
# was:         blocked = torch.ones(scores.shape[-2:]).fill_diagonal_(0)  # [slots, slots + 1]
# becomes:     blocked = torch.ones(len(memory), len(memory) + 1).fill_diagonal_(0)

# %% wrong: four slots are fixed says="linked=False, one slot" fails=["relational-memory-alone-test"]
# was:         blocked = torch.ones(scores.shape[-2:]).fill_diagonal_(0)  # [slots, slots + 1]
# becomes:     blocked = torch.ones(4, 5).fill_diagonal_(0)

# %% wrong: no attention where slots are alone advice="The result of attention is not used: add merge_heads of (weights @ v) to the memory, also with linked=False." fails=["relational-memory-alone-test"]
# was:     rows = F.layer_norm(memory + merge_heads(weights @ v), memory.shape[-1:])  # [batch, slots, d]
# becomes: rows = F.layer_norm(memory + self.linked * merge_heads(weights @ v), memory.shape[-1:])

# %% wrong: no matrix transposed for attention advice="The weights of q, k and v are not transposed: call the layers, or multiply by weight.T, since nn.Linear stores (out, in)." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     q = split_heads(self.q(memory), self.num_heads)  # [batch, num_heads, slots, depth]
# was:     k = split_heads(self.k(rows), self.num_heads)  # [batch, num_heads, slots + 1, depth]
# was:     v = split_heads(self.v(rows), self.num_heads)  # [batch, num_heads, slots + 1, depth]
# becomes: q = split_heads(memory @ self.q.weight, self.num_heads)
# becomes: k = split_heads(rows @ self.k.weight, self.num_heads)
# becomes: v = split_heads(rows @ self.v.weight, self.num_heads)

# %% wrong: q not transposed advice="q.weight is not transposed: call the layer, or multiply by q.weight.T, since nn.Linear stores (out, in)." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     q = split_heads(self.q(memory), self.num_heads)  # [batch, num_heads, slots, depth]
# becomes: q = split_heads(memory @ self.q.weight, self.num_heads)

# %% wrong: k not transposed advice="k.weight is not transposed: call the layer, or multiply by k.weight.T, since nn.Linear stores (out, in)." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     k = split_heads(self.k(rows), self.num_heads)  # [batch, num_heads, slots + 1, depth]
# becomes: k = split_heads(rows @ self.k.weight, self.num_heads)

# %% wrong: v not transposed advice="v.weight is not transposed: call the layer, or multiply by v.weight.T, since nn.Linear stores (out, in)." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     v = split_heads(self.v(rows), self.num_heads)  # [batch, num_heads, slots + 1, depth]
# becomes: v = split_heads(rows @ self.v.weight, self.num_heads)

# %% wrong: q and k swapped advice="q and k have changed places: queries are self.q(memory), keys self.k(rows)." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     q = split_heads(self.q(memory), self.num_heads)  # [batch, num_heads, slots, depth]
# was:     k = split_heads(self.k(rows), self.num_heads)  # [batch, num_heads, slots + 1, depth]
# becomes: q = split_heads(self.k(memory), self.num_heads)
# becomes: k = split_heads(self.q(rows), self.num_heads)

# %% wrong: k and v swapped advice="k and v have changed places: keys are self.k(rows), values self.v(rows)." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     k = split_heads(self.k(rows), self.num_heads)  # [batch, num_heads, slots + 1, depth]
# was:     v = split_heads(self.v(rows), self.num_heads)  # [batch, num_heads, slots + 1, depth]
# becomes: k = split_heads(self.v(rows), self.num_heads)
# becomes: v = split_heads(self.k(rows), self.num_heads)

# %% wrong: q and v swapped advice="q and v have changed places: queries are self.q(memory), values self.v(rows)." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     q = split_heads(self.q(memory), self.num_heads)  # [batch, num_heads, slots, depth]
# becomes: q = split_heads(self.v(memory), self.num_heads)

# was:     v = split_heads(self.v(rows), self.num_heads)  # [batch, num_heads, slots + 1, depth]
# becomes: v = split_heads(self.q(rows), self.num_heads)

# %% wrong: k for the values advice="The values are made with k: they are self.v(rows)." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     v = split_heads(self.v(rows), self.num_heads)  # [batch, num_heads, slots + 1, depth]
# becomes: v = split_heads(self.k(rows), self.num_heads)

# %% wrong: two heads are fixed advice="The number of heads is wrong: pass num_heads to split_heads, neither depth nor a fixed number." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     self.num_heads, self.forget_bias, self.linked = num_heads, forget_bias, linked
# becomes: self.num_heads, self.forget_bias, self.linked = 2, forget_bias, linked

# %% wrong: one head advice="The number of heads is wrong: pass num_heads to split_heads, neither depth nor a fixed number." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     self.num_heads, self.forget_bias, self.linked = num_heads, forget_bias, linked
# becomes: self.num_heads, self.forget_bias, self.linked = 1, forget_bias, linked

# %% wrong: depth for num_heads advice="The number of heads is wrong: pass num_heads to split_heads, neither depth nor a fixed number." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     self.num_heads, self.forget_bias, self.linked = num_heads, forget_bias, linked
# becomes: self.num_heads, self.forget_bias, self.linked = d // num_heads, forget_bias, linked

# %% wrong: x for the token in attention says="in line" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     rows = torch.cat([memory, token], dim=1)  # [batch, slots + 1, d]
# becomes: rows = torch.cat([memory, x[:, None]], dim=1)

# %% wrong: x for the token in the gates says="mat1 and mat2" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     gates = self.gate_token(token) + self.gate_memory(memory.tanh())  # [batch, slots, 2 * d]
# becomes: gates = self.gate_token(x[:, None]) + self.gate_memory(memory.tanh())

# %% wrong: project's bias left out advice="The bias of project is left out: call the layer, self.project(x)." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     token = self.project(x)[:, None]  # [batch, 1, d]
# becomes: token = (x @ self.project.weight.T)[:, None]

# %% wrong: relu of the token advice="The token went through relu: use the result of project." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     token = self.project(x)[:, None]  # [batch, 1, d]
# becomes: token = self.project(x)[:, None].relu()

# %% wrong: tanh of the token advice="The token went through tanh: use the result of project." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     token = self.project(x)[:, None]  # [batch, 1, d]
# becomes: token = self.project(x)[:, None].tanh()

# %% wrong: token normalized advice="The token was normalized: use the result of project." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     token = self.project(x)[:, None]  # [batch, 1, d]
# becomes: token = F.layer_norm(self.project(x)[:, None], memory.shape[-1:])

# %% wrong: memory normalized first advice="The memory was normalized before the step: a norm belongs after each of the two sums alone." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     token = self.project(x)[:, None]  # [batch, 1, d]
# becomes: token = self.project(x)[:, None]
# becomes: memory = F.layer_norm(memory, memory.shape[-1:])

# %% wrong: the first sequence's token for all advice="Every sequence gets the token of sequence 0: use project(x) as it is, with an axis for the slots." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     token = self.project(x)[:, None]  # [batch, 1, d]
# becomes: token = self.project(x[:1])[:, None].expand(len(x), 1, -1)

# %% wrong: the token has three axes says="in line" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     rows = torch.cat([memory, token], dim=1)  # [batch, slots + 1, d]
# becomes: rows = torch.cat([memory, token[:, None]], dim=1)

# %% wrong: mlp not transposed says="mat1 and mat2" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     change = self.mlp_out(self.mlp_in(rows).relu())  # [batch, slots, d]
# becomes: change = self.mlp_out((rows @ self.mlp_in.weight).relu())

# %% wrong: what was attended is not used advice="The result of attention is not used: add merge_heads of (weights @ v) to the memory, also with linked=False." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     rows = F.layer_norm(memory + merge_heads(weights @ v), memory.shape[-1:])  # [batch, slots, d]
# becomes: rows = F.layer_norm(memory, memory.shape[-1:])

# %% wrong: residual added before update_rows advice="The memory is added twice: add it to the result of attention once." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     rows = F.layer_norm(memory + merge_heads(weights @ v), memory.shape[-1:])  # [batch, slots, d]
# becomes: rows = F.layer_norm(memory + memory + merge_heads(weights @ v), memory.shape[-1:])

# %% wrong: inner bias left out advice="The bias of mlp_in is left out: call the layer." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     change = self.mlp_out(self.mlp_in(rows).relu())  # [batch, slots, d]
# becomes: change = self.mlp_out((rows @ self.mlp_in.weight.T).relu())

# %% wrong: outer bias left out advice="The bias of mlp_out is left out: call the layer." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     change = self.mlp_out(self.mlp_in(rows).relu())  # [batch, slots, d]
# becomes: change = self.mlp_in(rows).relu() @ self.mlp_out.weight.T

# %% wrong: no update of the rows advice="The result of attention went straight to the gates: the candidate comes after norm, network and norm." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     candidate = F.layer_norm(rows + change, memory.shape[-1:])  # [batch, slots, d]
# becomes: candidate = merge_heads(weights @ v)

# %% wrong: residual and norm only advice="The network is left out of the candidate: after the first norm come mlp_in, relu and mlp_out, then a sum and a norm." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     candidate = F.layer_norm(rows + change, memory.shape[-1:])  # [batch, slots, d]
# becomes: candidate = rows

# %% wrong: no gates advice="This is the candidate: the new memory is the sum of what the gates write and keep." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     return i.sigmoid() * candidate.tanh() + kept, weights  # [batch, slots, d], [batch, num_heads, slots, slots + 1]
# becomes: return candidate, weights

# %% wrong: the old memory comes back advice="The old memory was returned: return the sum of what is written and what is kept." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     return i.sigmoid() * candidate.tanh() + kept, weights  # [batch, slots, d], [batch, num_heads, slots, slots + 1]
# becomes: return memory, weights

# %% wrong: memory and candidate swapped advice="Candidate and old memory have changed places in the gates: the forget gate keeps the old memory, and the gates read it." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     gates = self.gate_token(token) + self.gate_memory(memory.tanh())  # [batch, slots, 2 * d]
# becomes: memory, candidate = candidate, memory
# becomes: gates = self.gate_token(token) + self.gate_memory(memory.tanh())

# %% wrong: the candidate takes the memory's name advice="The candidate has replaced the old memory before the gates: give it a name of its own." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     gates = self.gate_token(token) + self.gate_memory(memory.tanh())  # [batch, slots, 2 * d]
# becomes: memory = candidate
# becomes: gates = self.gate_token(token) + self.gate_memory(memory.tanh())

# %% wrong: the memory is its own candidate advice="The old memory is written as its own candidate: the input gate writes tanh(candidate)." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     return i.sigmoid() * candidate.tanh() + kept, weights  # [batch, slots, d], [batch, num_heads, slots, slots + 1]
# becomes: return i.sigmoid() * memory.tanh() + kept, weights

# %% wrong: the memory with what was attended is gated advice="memory was assigned another value before the gates: they use the memory that was passed in." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     rows = F.layer_norm(memory + merge_heads(weights @ v), memory.shape[-1:])  # [batch, slots, d]
# becomes: memory = memory + merge_heads(weights @ v)
# becomes: rows = F.layer_norm(memory, memory.shape[-1:])

# %% wrong: one matrix for both advice="gate_memory is not used: the memory went through gate_token as well." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     gates = self.gate_token(token) + self.gate_memory(memory.tanh())  # [batch, slots, 2 * d]
# becomes: gates = self.gate_token(token) + memory.tanh() @ self.gate_token.weight.T

# %% wrong: gate's bias left out advice="The bias of gate_token is left out: call the layer." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     gates = self.gate_token(token) + self.gate_memory(memory.tanh())  # [batch, slots, 2 * d]
# becomes: gates = token @ self.gate_token.weight.T + self.gate_memory(memory.tanh())

# %% wrong: gate's bias counted twice advice="The bias of gate_token counts twice: the layer adds it, so add it nowhere else." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="layers called, all in one place"
# was:         i, f = gates[..., :d], gates[..., d:]
# becomes:         i, f = (gates + self.gate_token.bias).chunk(2, dim=-1)

# %% wrong: gate matrices not transposed says="mat1 and mat2" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     gates = self.gate_token(token) + self.gate_memory(memory.tanh())  # [batch, slots, 2 * d]
# becomes: gates = token @ self.gate_token.weight + self.gate_memory(memory.tanh())

# %% wrong: forget_bias not handed over advice="forget_bias changes nothing: store it on self, and add it to the forget gate's sum." fails=["relational-memory-linked-test", "relational-memory-alone-test"]
# was:     kept = (f + self.forget_bias).sigmoid() * memory  # [batch, slots, d]
# becomes: kept = (f + 1.0).sigmoid() * memory

# %% wrong: token not read by the gates advice="The gates don't read the token: add gate_token(token), the same for every slot." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="layers called, all in one place"
# was:         gates = self.gate_token(token)[:, None] + self.gate_memory(memory.tanh())
# becomes:         gates = self.gate_token.bias + self.gate_memory(memory.tanh())

# %% wrong: no axis for the slots in the gates says="must match the size" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="layers called, all in one place"
# was:         gates = self.gate_token(token)[:, None] + self.gate_memory(memory.tanh())
# becomes:         gates = self.gate_token(token) + self.gate_memory(memory.tanh())

# %% wrong: softmax over the query slots advice="The softmax runs over the query slots: give it dim=-1, so that each row sums to 1." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="layers called, all in one place"
# was:         weights = scores.softmax(dim=-1)
# becomes:         weights = scores.softmax(dim=-2)

# %% wrong: token not among the rows advice="The token is missing among the keys and values: join it after the memory, so that it is the last column." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="layers called, all in one place"
# was:         rows = torch.cat([memory, token.unsqueeze(1)], dim=1)
# becomes:         rows = memory

# %% wrong: heads cut by a bare reshape advice="A bare reshape gives parts of rows to the wrong head: cut the last axis into (num_heads, depth), then swap axes 1 and 2, as split_heads does." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="layers called, all in one place"
# was:         cut = lambda table: table.reshape(batch, -1, self.heads, d // self.heads).transpose(1, 2)
# becomes:         cut = lambda table: table.reshape(batch, self.heads, -1, d // self.heads)

# %% wrong: heads merged by a bare reshape advice="A bare reshape puts the heads together in the wrong places: swap axes 1 and 2 first, as merge_heads does." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="layers called, all in one place"
# was:         attended = (weights @ v).transpose(1, 2).reshape(batch, slots, d)
# becomes:         attended = (weights @ v).reshape(batch, slots, d)

# %% wrong: second residual adds the memory advice="The second residual adds the memory: add the rows that went into mlp_in." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="layers called, all in one place"
# was:         candidate = F.layer_norm(rows + self.mlp_out(F.relu(self.mlp_in(rows))), (d,))
# becomes:         candidate = F.layer_norm(memory + self.mlp_out(F.relu(self.mlp_in(rows))), (d,))

# %% wrong: norm over slots and features advice="The norm runs over slots and features together: each row has its own mean and variance." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="layers called, all in one place"
# was:         rows = F.layer_norm(memory + attended, (d,))
# becomes:         rows = F.layer_norm(memory + attended, (slots, d))

# %% wrong: first norm left out advice="The first norm is missing: normalize memory + attended before the network." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="layers called, all in one place"
# was:         rows = F.layer_norm(memory + attended, (d,))
# becomes:         rows = memory + attended

# %% wrong: second norm left out advice="The second norm is missing: normalize the sum of the rows and the result of mlp_out." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="layers called, all in one place"
# was:         candidate = F.layer_norm(rows + self.mlp_out(F.relu(self.mlp_in(rows))), (d,))
# becomes:         candidate = rows + self.mlp_out(F.relu(self.mlp_in(rows)))

# %% wrong: both norms left out advice="Both norms are missing: normalize memory + attended, and the sum of the rows and the result of mlp_out." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="layers called, all in one place"
# was:         rows = F.layer_norm(memory + attended, (d,))
# was:         candidate = F.layer_norm(rows + self.mlp_out(F.relu(self.mlp_in(rows))), (d,))
# becomes:         rows = memory + attended
# becomes:         candidate = rows + self.mlp_out(F.relu(self.mlp_in(rows)))

# %% wrong: weights first advice="The two results are in the wrong order: return the memory first, then the weights." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     return i.sigmoid() * candidate.tanh() + kept, weights  # [batch, slots, d], [batch, num_heads, slots, slots + 1]
# becomes: return weights, i.sigmoid() * candidate.tanh() + kept

# %% wrong: the memory alone says="return two things: (memory, weights)" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     return i.sigmoid() * candidate.tanh() + kept, weights  # [batch, slots, d], [batch, num_heads, slots, slots + 1]
# becomes: return i.sigmoid() * candidate.tanh() + kept

# %% wrong: three things says="return two things: (memory, weights)" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     return i.sigmoid() * candidate.tanh() + kept, weights  # [batch, slots, d], [batch, num_heads, slots, slots + 1]
# becomes: return i.sigmoid() * candidate.tanh() + kept, weights, candidate

# %% wrong: a dict says="return two things: (memory, weights)" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     return i.sigmoid() * candidate.tanh() + kept, weights  # [batch, slots, d], [batch, num_heads, slots, slots + 1]
# becomes: return {"memory": i.sigmoid() * candidate.tanh() + kept, "weights": weights}

# %% wrong: no return says="does your function end with a return?" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     return i.sigmoid() * candidate.tanh() + kept, weights  # [batch, slots, d], [batch, num_heads, slots, slots + 1]
# becomes: self.last = i.sigmoid() * candidate.tanh() + kept, weights

# %% wrong: heads averaged advice="The heads were averaged: return the weights of each head." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     return i.sigmoid() * candidate.tanh() + kept, weights  # [batch, slots, d], [batch, num_heads, slots, slots + 1]
# becomes: return i.sigmoid() * candidate.tanh() + kept, weights.mean(dim=1)

# %% wrong: weights transposed advice="The weights are transposed: a row is the query slot, and the token is the last column." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     return i.sigmoid() * candidate.tanh() + kept, weights  # [batch, slots, d], [batch, num_heads, slots, slots + 1]
# becomes: return i.sigmoid() * candidate.tanh() + kept, weights.transpose(-2, -1)

# %% wrong: what was attended for the weights advice="The result of attention was returned in place of the weights: return softmax(scores)." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     return i.sigmoid() * candidate.tanh() + kept, weights  # [batch, slots, d], [batch, num_heads, slots, slots + 1]
# becomes: return i.sigmoid() * candidate.tanh() + kept, merge_heads(weights @ v)

# %% wrong: the memory is kept on self says="a second call with the same input returns other numbers" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     token = self.project(x)[:, None]  # [batch, 1, d]
# becomes: memory = getattr(self, "memory", memory)
# becomes: token = self.project(x)[:, None]

# was:     return i.sigmoid() * candidate.tanh() + kept, weights  # [batch, slots, d], [batch, num_heads, slots, slots + 1]
# becomes: self.memory = (i.sigmoid() * candidate.tanh() + kept).detach()
# becomes: return i.sigmoid() * candidate.tanh() + kept, weights

# %% wrong: dropout says="a second call with the same input returns other numbers" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     token = self.project(x)[:, None]  # [batch, 1, d]
# becomes: token = F.dropout(self.project(x)[:, None], 0.5)

# %% wrong: the caller's memory is added to says="differs from its value before the call" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="layers called, all in one place"
# was:         rows = F.layer_norm(memory + attended, (d,))
# becomes:         old = memory.clone()
# becomes:         memory += attended
# becomes:         rows = F.layer_norm(memory, (d,))
# becomes:         old, memory = memory, old

# %% wrong: the new memory is written into the old one says="differs from its value before the call" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     return i.sigmoid() * candidate.tanh() + kept, weights  # [batch, slots, d], [batch, num_heads, slots, slots + 1]
# becomes: memory.copy_(i.sigmoid() * candidate.tanh() + kept)
# becomes: return memory.clone(), weights

# %% wrong: the caller's x is written into says="differs from its value before the call" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     token = self.project(x)[:, None]  # [batch, 1, d]
# becomes: token = self.project(x)[:, None]
# becomes: x.zero_()

# %% wrong: q, k and v with biases says="also holds k.bias, q.bias, v.bias" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:         self.q, self.k, self.v = (nn.Linear(d, d, bias=False) for _ in range(3))
# becomes:         self.q, self.k, self.v = (nn.Linear(d, d) for _ in range(3))

# %% wrong: gate_memory with a bias says="also holds gate_memory.bias" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:         self.gate_token, self.gate_memory = nn.Linear(d, 2 * d), nn.Linear(d, 2 * d, bias=False)
# becomes:         self.gate_token, self.gate_memory = nn.Linear(d, 2 * d), nn.Linear(d, 2 * d)

# %% wrong: gate_token without a bias says="has no gate_token.bias" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:         self.gate_token, self.gate_memory = nn.Linear(d, 2 * d), nn.Linear(d, 2 * d, bias=False)
# becomes:         self.gate_token, self.gate_memory = (nn.Linear(d, 2 * d, bias=False) for _ in range(2))

# %% wrong: project without a bias says="has no project.bias" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:         self.project = nn.Linear(input_size, d)
# becomes:         self.project = nn.Linear(input_size, d, bias=False)

# %% wrong: other names says="has no k.weight, q.weight, v.weight" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:         self.q, self.k, self.v = (nn.Linear(d, d, bias=False) for _ in range(3))
# becomes:         self.W_q, self.W_k, self.W_v = (nn.Linear(d, d, bias=False) for _ in range(3))

# %% wrong: layers in a list says="has no k.weight, q.weight, v.weight" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:         self.q, self.k, self.v = (nn.Linear(d, d, bias=False) for _ in range(3))
# becomes:         self.looks = [nn.Linear(d, d, bias=False) for _ in range(3)]

# %% wrong: a layer is not kept on self says="has no project.bias, project.weight" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:         self.project = nn.Linear(input_size, d)
# becomes:         project = nn.Linear(input_size, d)

# %% wrong: a norm with a gain says="also holds norm.bias, norm.weight" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:         self.project = nn.Linear(input_size, d)
# becomes:         self.project, self.norm = nn.Linear(input_size, d), nn.LayerNorm(d)

# %% wrong: the forget bias is learned says="also holds forget_bias" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:         self.num_heads, self.forget_bias, self.linked = num_heads, forget_bias, linked
# becomes:         self.num_heads, self.forget_bias, self.linked = num_heads, nn.Parameter(torch.tensor(forget_bias)), linked

# %% wrong: the mask is saved says="also holds mask" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:         self.project = nn.Linear(input_size, d)
# becomes:         self.project = nn.Linear(input_size, d)
# becomes:         self.register_buffer("mask", torch.full((64, 64), -math.inf).fill_diagonal_(0))

# %% wrong: sizes of project swapped says="project.weight has the shape" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:         self.project = nn.Linear(input_size, d)
# becomes:         self.project = nn.Linear(d, input_size)

# %% wrong: mlp the wrong way round says="mlp_in.weight has the shape" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:         self.mlp_in, self.mlp_out = nn.Linear(d, hidden), nn.Linear(hidden, d)
# becomes:         self.mlp_in, self.mlp_out = nn.Linear(hidden, d), nn.Linear(d, hidden)

# %% wrong: gates of width d says="gate_token.weight has the shape" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:         self.gate_token, self.gate_memory = nn.Linear(d, 2 * d), nn.Linear(d, 2 * d, bias=False)
# becomes:         self.gate_token, self.gate_memory = nn.Linear(d, d), nn.Linear(d, d, bias=False)

# %% wrong: gate_token reads x says="gate_token.weight has the shape" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:         self.gate_token, self.gate_memory = nn.Linear(d, 2 * d), nn.Linear(d, 2 * d, bias=False)
# becomes:         self.gate_token, self.gate_memory = nn.Linear(input_size, 2 * d), nn.Linear(d, 2 * d, bias=False)

# %% wrong: hidden is fixed says="has the shape" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:         self.mlp_in, self.mlp_out = nn.Linear(d, hidden), nn.Linear(hidden, d)
# becomes:         self.mlp_in, self.mlp_out = nn.Linear(d, 32), nn.Linear(32, d)

# %% wrong: num_heads not kept says="has no attribute 'num_heads'" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:         self.num_heads, self.forget_bias, self.linked = num_heads, forget_bias, linked
# becomes:         self.forget_bias, self.linked = forget_bias, linked

# %% wrong: a layer without self says="is not defined" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     token = self.project(x)[:, None]  # [batch, 1, d]
# becomes: token = project(x)[:, None]

# %% wrong: the layers are made anew at each step says="a second call with the same input returns other numbers" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     token = self.project(x)[:, None]  # [batch, 1, d]
# becomes: token = nn.Linear(x.shape[-1], memory.shape[-1])(x)[:, None]

# %% wrong: no error advice="No ValueError was raised: the constructor should raise one if d % num_heads is not 0." fails=["relational-memory-errors-test"] of="reference"
# was:         if d % num_heads:
# was:             raise ValueError(f"d = {d} can't be cut into num_heads = {num_heads} equal heads")
# was:         self.num_heads, self.forget_bias, self.linked = num_heads, forget_bias, linked
# becomes:         self.num_heads, self.forget_bias, self.linked = num_heads, forget_bias, linked

# %% wrong: an assert says="should raise ValueError" fails=["relational-memory-errors-test"] of="reference"
# was:         if d % num_heads:
# was:             raise ValueError(f"d = {d} can't be cut into num_heads = {num_heads} equal heads")
# was:         self.num_heads, self.forget_bias, self.linked = num_heads, forget_bias, linked
# becomes:         assert d % num_heads == 0, f"d = {d} can't be cut into num_heads = {num_heads} equal heads"
# becomes:         self.num_heads, self.forget_bias, self.linked = num_heads, forget_bias, linked

# %% wrong: another error says="should raise ValueError" fails=["relational-memory-errors-test"] of="reference"
# was:             raise ValueError(f"d = {d} can't be cut into num_heads = {num_heads} equal heads")
# becomes:             raise RuntimeError(f"d = {d} can't be cut into num_heads = {num_heads} equal heads")

# %% wrong: an error without numbers says="should contain both values" fails=["relational-memory-errors-test"] of="reference"
# was:             raise ValueError(f"d = {d} can't be cut into num_heads = {num_heads} equal heads")
# becomes:             raise ValueError("num_heads must divide d")

# %% wrong: braces without an f says="should contain both values" fails=["relational-memory-errors-test"] of="reference"
# was:             raise ValueError(f"d = {d} can't be cut into num_heads = {num_heads} equal heads")
# becomes:             raise ValueError("d = {d} can't be cut into num_heads = {num_heads} equal heads")

# %% wrong: an error that names d alone says="should contain both values" fails=["relational-memory-errors-test"] of="reference"
# was:             raise ValueError(f"d = {d} can't be cut into num_heads = {num_heads} equal heads")
# becomes:             raise ValueError(f"d = {d} can't be cut into equal heads")

# %% wrong: an error that names 6 and 4 always says="d 10 and 3 heads" fails=["relational-memory-errors-test"] of="reference"
# was:             raise ValueError(f"d = {d} can't be cut into num_heads = {num_heads} equal heads")
# becomes:             raise ValueError("d = 6 can't be cut into num_heads = 4 equal heads")

# %% wrong: the error is printed advice="No ValueError was raised: the constructor should raise one if d % num_heads is not 0." fails=["relational-memory-errors-test"] of="reference"
# was:             raise ValueError(f"d = {d} can't be cut into num_heads = {num_heads} equal heads")
# becomes:             print(f"ValueError: d = {d} can't be cut into num_heads = {num_heads} equal heads")

# %% wrong: the error comes too late advice="No ValueError was raised: the constructor should raise one if d % num_heads is not 0." fails=["relational-memory-errors-test"] of="reference"
# was:         if d % num_heads:
# was:             raise ValueError(f"d = {d} can't be cut into num_heads = {num_heads} equal heads")
# was:         self.num_heads, self.forget_bias, self.linked = num_heads, forget_bias, linked
# becomes:         self.num_heads, self.forget_bias, self.linked = num_heads, forget_bias, linked

# was:         token = self.project(x)[:, None]  # [batch, 1, d]
# becomes:         if memory.shape[-1] % self.num_heads:
# becomes:             raise ValueError(f"{memory.shape[-1]} and {self.num_heads}")
# becomes:         token = self.project(x)[:, None]

# %% wrong: only more heads than numbers are refused advice="No ValueError was raised: the constructor should raise one if d % num_heads is not 0." fails=["relational-memory-errors-test"] of="reference"
# was:         if d % num_heads:
# becomes:         if d < num_heads:

# %% wrong: only a remainder of 1 is refused advice="No ValueError was raised: the constructor should raise one if d % num_heads is not 0." fails=["relational-memory-errors-test"] of="reference"
# was:         if d % num_heads:
# becomes:         if d % num_heads == 1:

# %% wrong: the remainder the wrong way round says="this line refuses too much" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:         if d % num_heads:
# becomes:         if num_heads % d:

# %% wrong: a quotient for a remainder says="this line refuses too much" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:         if d % num_heads:
# becomes:         if d // num_heads:

# %% wrong: as many heads as numbers are refused says="equal heads" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:         if d % num_heads:
# becomes:         if d % num_heads or d == num_heads:

# %% wrong: the loop over time is in the core says="in line" fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# was:     token = self.project(x)[:, None]  # [batch, 1, d]
# becomes: token = self.project(x[:, 0])[:, None]

# %% wrong: the rows are kept advice="The normalized rows are kept instead of the memory: the forget gate multiplies the memory that was passed in." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             kept = memory
# becomes:         kept = rows

# %% wrong: the new memory normalized advice="The new memory is normalized once more: return the sum of what is written and what is kept." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             new = input_gate * written + forget_gate * kept
# becomes:         new = F.layer_norm(input_gate * written + forget_gate * kept, (d,))

# %% wrong: tanh of the memory in keys and values advice="Keys and values read tanh(memory): join the memory itself with the token, because only the gates read it through tanh." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             old = memory
# becomes:         old = memory.tanh()

# %% wrong: tanh of the memory in the whole step advice="The memory went through tanh before the step: only gate_memory takes tanh(memory)." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             d = memory.shape[-1]
# becomes:         memory = memory.tanh()
# becomes:         d = memory.shape[-1]

# %% wrong: coupled by the forget gate advice="The candidate is multiplied by 1 minus the forget gate: it has a gate of its own, the sigmoid of i." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             input_gate = i.sigmoid()
# becomes:         input_gate = 1 - (f + self.forget_bias).sigmoid()

# %% wrong: coupled by the input gate advice="The memory is multiplied by 1 minus the input gate: it has a gate of its own, the sigmoid of f + forget_bias." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             forget_gate = (f + self.forget_bias).sigmoid()
# becomes:         forget_gate = 1 - i.sigmoid()

# %% wrong: forget bias on the input gate advice="The forget bias is added to the input gate: add it to f." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             input_gate = i.sigmoid()
# becomes:         input_gate = (i + self.forget_bias).sigmoid()

# was:             forget_gate = (f + self.forget_bias).sigmoid()
# becomes:         forget_gate = f.sigmoid()

# %% wrong: columns in turn advice="The gates take every other column: columns 0 to d−1 are the input gate, columns d to 2d−1 the forget gate." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             i, f = gates.chunk(2, dim=-1)
# becomes:         i, f = gates[..., ::2], gates[..., 1::2]

# %% wrong: the network of the sum advice="The network works on memory + attended: send the normalized rows through mlp_in." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             entered = rows
# becomes:         entered = total

# %% wrong: second residual adds the sum advice="The second residual adds memory + attended as it was before the norm: add the rows that went into mlp_in." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             again = rows
# becomes:         again = total

# %% wrong: relu at the end advice="The relu comes after mlp_out: it belongs between mlp_in and mlp_out." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             inner = inner.relu()
# becomes:

# was:             change = self.mlp_out(inner)
# becomes:         change = self.mlp_out(inner).relu()

# %% wrong: relu twice advice="A second relu follows mlp_out: only the result of mlp_in goes through one." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             change = self.mlp_out(inner)
# becomes:         change = self.mlp_out(inner).relu()

# %% wrong: gelu for relu advice="The hidden layer has a gelu: it should have a relu." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             inner = inner.relu()
# becomes:         inner = F.gelu(inner)

# %% wrong: tanh for relu advice="The hidden layer has a tanh: it should have a relu." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             inner = inner.relu()
# becomes:         inner = inner.tanh()

# %% wrong: the mask inverted advice="The mask is inverted: with linked=False, block the other slots, and keep the slot itself and the token." fails=["relational-memory-alone-test"] of="base"
# was:                 blocked = blocked.bool()
# becomes:             blocked = ~blocked.bool()

# %% wrong: the mask of the kept cells advice="The mask is inverted: with linked=False, block the other slots, and keep the slot itself and the token." fails=["relational-memory-alone-test"] of="base"
# was:                 scores = scores.masked_fill(blocked, -math.inf)
# becomes:             scores = scores - 1e9 * (1 - blocked.float())

# %% wrong: a large number for −∞ advice="Blocked scores are a finite number, and kept ones may be lower: fill the cells with −∞, -math.inf." fails=["relational-memory-alone-test"] of="base"
# was:                 scores = scores.masked_fill(blocked, -math.inf)
# becomes:             scores = scores.masked_fill(blocked, -1000)

# %% wrong: a larger number for −∞ advice="Blocked scores are a finite number, and kept ones may be lower: fill the cells with −∞, -math.inf." fails=["relational-memory-alone-test"] of="base"
# was:                 scores = scores.masked_fill(blocked, -math.inf)
# becomes:             scores = scores.masked_fill(blocked, -1e5)

# %% wrong: a small number for −∞ advice="Blocked scores are a finite number, and the other slots keep some weight: fill the cells with −∞, -math.inf." fails=["relational-memory-alone-test"] of="base"
# was:                 scores = scores.masked_fill(blocked, -math.inf)
# becomes:             scores = scores.masked_fill(blocked, -10)

# %% wrong: the memory detached says="no gradient flows through .detach()" unseen="only check_gradients shows it" fails=["relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             d = memory.shape[-1]
# becomes:         memory = memory.detach()
# becomes:         d = memory.shape[-1]

# %% wrong: the weights detached says="no gradient flows through .detach()" unseen="only check_gradients shows it" fails=["relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             total = memory + merge_heads(weights @ v)
# becomes:         total = memory + merge_heads(weights.detach() @ v)

# %% wrong: the weights of q as data says="no gradient flows through .data" unseen="only check_gradients shows it" fails=["relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             q = split_heads(self.q(memory), self.num_heads)
# becomes:         q = split_heads(memory @ self.q.weight.data.T, self.num_heads)

# %% wrong: the step without gradients says="no gradient flows through no_grad" unseen="only check_gradients shows it" fails=["relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             return new, weights
# becomes:         with torch.no_grad():
# becomes:             return 1 * new, weights

# %% wrong: the candidate by NumPy says="no gradient flows through" unseen="only check_gradients shows it" fails=["relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             written = candidate.tanh()
# becomes:         written = torch.from_numpy(np.tanh(candidate.detach().numpy()))

# %% wrong: the gates as new tensors says="no gradient flows through" unseen="only check_gradients shows it" fails=["relational-memory-alone-test", "relational-memory-errors-test"] of="base"
# was:             gates = self.gate_token(token) + self.gate_memory(seen)
# becomes:         gates = torch.tensor((self.gate_token(token) + self.gate_memory(seen)).tolist())

# %% wrong: −1e9 for −∞ advice="Blocked scores are a finite number, and kept ones may be lower: fill the cells with −∞, -math.inf." fails=["relational-memory-alone-test"] of="base"
# was:                 scores = scores.masked_fill(blocked, -math.inf)
# becomes:             scores = scores.masked_fill(blocked, -1e9)

# %% wrong: −1e20 for −∞ advice="Blocked scores are a finite number, and kept ones may be lower: fill the cells with −∞, -math.inf." fails=["relational-memory-alone-test"] of="base"
# was:                 scores = scores.masked_fill(blocked, -math.inf)
# becomes:             scores = scores.masked_fill(blocked, -1e20)

# %% wrong: the memory detached in the gates says="no gradient flows through .detach()" unseen="only check_gradients shows it" fails=["relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     gates = self.gate_token(token) + self.gate_memory(memory.tanh())  # [batch, slots, 2 * d]
# becomes: gates = self.gate_token(token) + self.gate_memory(memory.detach().tanh())

# %% wrong: the second residual detached says="no gradient flows through .detach()" unseen="only check_gradients shows it" fails=["relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     candidate = F.layer_norm(rows + change, memory.shape[-1:])  # [batch, slots, d]
# becomes: candidate = F.layer_norm(rows.detach() + change, memory.shape[-1:])

# %% wrong: what is kept detached says="no gradient flows through .detach()" unseen="only check_gradients shows it" fails=["relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     kept = (f + self.forget_bias).sigmoid() * memory  # [batch, slots, d]
# becomes: kept = (f + self.forget_bias).sigmoid() * memory.detach()

# %% wrong: mask of the first call kept: wrong for another number of slots in a later call says="must match the size" unseen="no visible test has such an input" visible=false fails=["relational-memory-alone-test"]
class RelationalMemory(nn.Module):
    def __init__(self, input_size, d, num_heads, hidden, forget_bias=1.0, linked=True):
        super().__init__()
        if d % num_heads:
            raise ValueError(f"d = {d} cannot be divided by num_heads = {num_heads}")
        self.num_heads, self.forget_bias, self.linked = num_heads, forget_bias, linked
        self.mask = None
        self.project = nn.Linear(input_size, d)
        self.q, self.k, self.v = (nn.Linear(d, d, bias=False) for _ in range(3))
        self.mlp_in, self.mlp_out = nn.Linear(d, hidden), nn.Linear(hidden, d)
        self.gate_token, self.gate_memory = nn.Linear(d, 2 * d), nn.Linear(d, 2 * d, bias=False)

    def forward(self, memory, x):
        token = self.project(x)
        rows = torch.cat([memory, token[:, None]], dim=1)
        q, k, v = (split_heads(a, self.num_heads) for a in (self.q(memory), self.k(rows), self.v(rows)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if not self.linked:
            if self.mask is None:
                blocked = torch.ones(scores.shape[-2:]).fill_diagonal_(0)
                blocked[:, -1] = 0
                self.mask = blocked.bool()
            scores = scores.masked_fill(self.mask, -math.inf)
        weights = scores.softmax(dim=-1)
        r = F.layer_norm(memory + merge_heads(weights @ v), memory.shape[-1:])
        candidate = F.layer_norm(r + self.mlp_out(self.mlp_in(r).relu()), r.shape[-1:])
        i, f = (self.gate_token(token)[:, None] + self.gate_memory(memory.tanh())).chunk(2, dim=-1)
        return i.sigmoid() * candidate.tanh() + (f + self.forget_bias).sigmoid() * memory, weights

# %% wrong: no forget bias, and no sum around the MLP advice="Add forget_bias to the forget gate before the sigmoid, and add the rows to what the MLP makes of them, before the layer norm." fails=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="layers called, all in one place"
# was:         candidate = F.layer_norm(rows + self.mlp_out(F.relu(self.mlp_in(rows))), (d,))
# becomes:     candidate = F.layer_norm(self.mlp_out(F.relu(self.mlp_in(rows))), (d,))

# was:         new = i.sigmoid() * candidate.tanh() + (f + self.forget_bias).sigmoid() * memory
# becomes:     new = i.sigmoid() * candidate.tanh() + f.sigmoid() * memory
