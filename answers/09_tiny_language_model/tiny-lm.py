# %% right: nn.Sequential, F.linear, nn.LayerNorm
class TinyLM(nn.Module):
    def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout=0.0):
        super().__init__()
        self.token, self.position = nn.Embedding(vocab, d_model), nn.Embedding(context, d_model)
        self.blocks = nn.Sequential(*[Block(d_model, num_heads, 4 * d_model, dropout) for layer in range(num_layers)])
        self.norm = nn.LayerNorm(d_model)

    def forward(self, tokens):
        context, seq = len(self.position.weight), tokens.size(-1)
        if seq > context:
            raise ValueError(f"at most {context} tokens, not {seq}")
        x = self.token(tokens) + self.position.weight[:seq]
        return F.linear(self.norm(self.blocks(x)), self.token.weight)

# %% right: one-hot vectors and einsum
class TinyLM(nn.Module):
    def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout=0.0):
        super().__init__()
        self.context = context
        self.token = nn.Embedding(vocab, d_model)
        self.position = nn.Embedding(context, d_model)
        self.blocks = nn.ModuleList()
        for layer in range(num_layers):
            self.blocks.append(Block(d_model, num_heads, d_model * 4, dropout=dropout))
        self.norm = LayerNorm(d_model)

    def forward(self, tokens):
        batch, seq = tokens.shape
        if self.context < seq:
            raise ValueError("context " + str(self.context) + ", tokens " + str(seq))
        one_hot = F.one_hot(tokens, self.token.num_embeddings).float()
        place = torch.eye(self.context)[:seq]
        x = torch.einsum("btv,vd->btd", one_hot, self.token.weight) + torch.einsum("tp,pd->td", place, self.position.weight)
        for block in self.blocks:
            x = block(x)
        return torch.einsum("btd,vd->btv", self.norm(x), self.token.weight)

# %% right: sequence by sequence, letter by letter
class TinyLM(nn.Module):
    def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout=0.0):
        super().__init__()
        self.context = context
        self.token = nn.Embedding(vocab, d_model)
        self.position = nn.Embedding(context, d_model)
        self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
        self.norm = LayerNorm(d_model)

    def forward(self, tokens):
        logits = []
        for row in tokens.tolist():
            if len(row) > self.context:
                raise ValueError(f"{len(row)} > {self.context}")
            x = torch.stack([self.token.weight[token] + self.position.weight[t] for t, token in enumerate(row)])[None]
            for block in self.blocks:
                x = block(x)
            logits.append(torch.stack([(self.norm(x[0]) * letter).sum(-1) for letter in self.token.weight], dim=-1))
        return torch.stack(logits)

# %% right: F.embedding, reduce, matmul by a batch
class TinyLM(nn.Module):
    def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout=0.0):
        super().__init__()
        self.add_module("norm", LayerNorm(d_model))
        self.add_module("blocks", nn.ModuleList(Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)))
        self.add_module("position", nn.Embedding(context, d_model))
        self.add_module("token", nn.Embedding(vocab, d_model))

    def forward(self, tokens):
        limit = self.position.num_embeddings
        if not tokens.shape[1] <= limit:
            raise ValueError("the context is {}, and there are {} tokens".format(limit, tokens.shape[1]))
        places = torch.arange(tokens.shape[1]).expand_as(tokens)
        x = F.embedding(tokens, self.token.weight).add(F.embedding(places, self.position.weight))
        for n in range(len(self.blocks)):
            x = self.blocks[n](x)
        x = F.layer_norm(x, (x.shape[-1],), self.norm.weight, self.norm.bias)
        return torch.matmul(self.token.weight, x.mT).transpose(1, 2)

# %% right: a tied linear layer made in forward, in 64 bits
class TinyLM(nn.Module):
    def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout=0.0):
        super().__init__()
        self.context = context
        self.token, self.position = nn.Embedding(vocab, d_model), nn.Embedding(context, d_model)
        blocks = [Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)]
        self.blocks = nn.ModuleDict({str(n): block for n, block in enumerate(blocks)})
        self.norm = LayerNorm(d_model)

    def forward(self, tokens):
        if tokens[0].numel() > self.context:
            raise ValueError(f"only {self.context} of the {tokens[0].numel()} tokens fit")
        places = torch.cumsum(torch.ones_like(tokens), dim=1) - 1
        x = self.token(tokens) + self.position(places)
        for block in self.blocks.values():
            x = block(x)
        logits = self.norm(x).double() @ self.token.weight.double().T
        return logits.to(x.dtype)

# %% right: a prefix at a time
class TinyLM(nn.Module):
    def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout=0.0):
        super().__init__()
        self.context = context
        self.token = nn.Embedding(vocab, d_model)
        self.position = nn.Embedding(context, d_model)
        self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
        self.norm = LayerNorm(d_model)

    def forward(self, tokens):
        seq = tokens.shape[1]
        if seq > self.context:
            raise ValueError(f"{self.context} is the context: {seq} tokens are too many")
        rows = []
        for end in range(1, seq + 1):
            x = self.token(tokens[:, :end]) + self.position(torch.arange(end))
            for block in self.blocks:
                x = block(x)
            rows.append(self.norm(x[:, -1]) @ self.token.weight.t())
        return torch.stack(rows, dim=1)

# %% wrong: positions from 1 advice="The positions start at 1: the first token has position 0, torch.arange(seq)." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) + self.position(torch.arange(1, seq + 1) % self.context)

# %% wrong: positions backwards advice="The positions are reversed: the first token has position 0, torch.arange(seq)." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) + self.position(torch.arange(seq).flip(0))

# %% wrong: positions forgotten advice="The position vectors are missing: add self.position(torch.arange(seq)) to the token vectors." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens)

# %% wrong: positions before every block, not before the first advice="The position vectors are added more than once: once, before the first block, is enough." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens)
# was:             x = block(x)  # [batch, seq, d_model]
# becomes:             x = block(x + self.position(torch.arange(seq)))

# %% wrong: logits divided by the root of d_model advice="The logits are divided by √d_model: there is no scale here." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.norm(x) @ self.token.weight.T / math.sqrt(x.shape[-1])

# %% wrong: no last norm advice="The last norm is missing: apply it to the output of the last block, then multiply with the token vectors." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return x @ self.token.weight.T

# %% wrong: softmax inside advice="These are probabilities: return the logits, without softmax." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return (self.norm(x) @ self.token.weight.T).softmax(dim=-1)

# %% wrong: norm after each block advice="The norm comes after each block: it comes only once, after the last one." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             x = block(x)  # [batch, seq, d_model]
# becomes:             x = self.norm(block(x))
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return x @ self.token.weight.T

# %% wrong: what the blocks give is thrown away advice="The blocks are not used: x = block(x), one after the other." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             x = block(x)  # [batch, seq, d_model]
# becomes:             block(x)

# %% wrong: token vectors times the root of d_model advice="The token vectors are scaled up: there is no factor √d_model here." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) * self.token.embedding_dim ** 0.5 + self.position(torch.arange(seq))

# %% wrong: dropout not handed on advice="The blocks don't apply dropout in training mode: pass dropout to each Block." fails=["tiny-lm-tied-test"] of="reference"
# was:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
# becomes:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model) for _ in range(num_layers)])

# %% wrong: shared blocks advice="One block is used for all layers: make num_layers new blocks, and use each once." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
# becomes:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout)] * num_layers)

# %% wrong: positions from 1, out of range at the end advice="The positions start at 1: the first token has position 0, torch.arange(seq)." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) + self.position(torch.arange(1, seq + 1))

# %% wrong: positions from the end of the context advice="The positions are counted from the end of the context: the first token has position 0, torch.arange(seq)." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) + self.position(torch.arange(self.context - seq, self.context))

# %% wrong: positions of the tokens advice="The tokens are looked up as positions: look up 0, 1, 2, …, torch.arange(seq)." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) + self.position(tokens % self.context)

# %% wrong: position 0 for all advice="All tokens have position 0: look up 0, 1, 2, …, torch.arange(seq)." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) + self.position(torch.zeros(seq, dtype=torch.long))

# %% wrong: the last position for all advice="All tokens have one position: look up 0, 1, 2, …, torch.arange(seq)." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) + self.position(torch.tensor(seq - 1))

# %% wrong: tokens forgotten advice="The token vectors are missing: add self.token(tokens) to the position vectors." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.position(torch.arange(seq)).expand(len(tokens), -1, -1)

# %% wrong: positions times tokens advice="The vectors of tokens and positions are multiplied: add them." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) * self.position(torch.arange(seq))

# %% wrong: positions subtracted advice="The position vectors are subtracted: add them." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) - self.position(torch.arange(seq))

# %% wrong: positions added twice advice="The position vectors are added more than once: once, before the first block, is enough." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) + 2 * self.position(torch.arange(seq))

# %% wrong: positions before every block advice="The position vectors are added more than once: once, before the first block, is enough." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) + self.position(torch.arange(seq))
# was:             x = block(x)  # [batch, seq, d_model]
# becomes:             x = block(x + self.position(torch.arange(seq)))

# %% wrong: positions after the blocks advice="The position vectors are added after the blocks: add them before the first one." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens)
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.norm(x + self.position(torch.arange(seq))) @ self.token.weight.T

# %% wrong: positions of sequences says="must match the size of" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) + self.position(torch.arange(len(tokens)))

# %% wrong: all positions of the context says="must match the size of" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) + self.position.weight

# %% wrong: norm before the blocks advice="There is a norm of the embeddings that doesn't belong here: the sum of both vectors enters the first block unchanged." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.norm(self.token(tokens) + self.position(torch.arange(seq)))

# %% wrong: norm before the blocks only advice="The last norm comes before the blocks: it has to come after them." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.norm(self.token(tokens) + self.position(torch.arange(seq)))
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return x @ self.token.weight.T

# %% wrong: no blocks advice="The blocks are not used: x = block(x), one after the other." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         for block in self.blocks:
# was:             x = block(x)  # [batch, seq, d_model]
# becomes:         x = x + 0

# %% wrong: only the first block advice="Not all blocks are used: pass x through each of them in order, the output of one into the next." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         for block in self.blocks:
# was:             x = block(x)  # [batch, seq, d_model]
# becomes:         x = self.blocks[0](x)

# %% wrong: only the last block advice="Not all blocks are used: pass x through each of them in order, the output of one into the next." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         for block in self.blocks:
# was:             x = block(x)  # [batch, seq, d_model]
# becomes:         x = self.blocks[-1](x)

# %% wrong: blocks side by side advice="All blocks get the same x: pass the output of each block into the next." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         for block in self.blocks:
# was:             x = block(x)  # [batch, seq, d_model]
# becomes:         start = x
# becomes:         for block in self.blocks:
# becomes:             x = x + block(start) - start

# %% wrong: the last block of the embeddings advice="Not all blocks are used: pass x through each of them in order, the output of one into the next." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         for block in self.blocks:
# was:             x = block(x)  # [batch, seq, d_model]
# becomes:         start = x
# becomes:         for block in self.blocks:
# becomes:             x = block(start)

# %% wrong: blocks backwards advice="The blocks are in reverse order: block 0 comes first." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         for block in self.blocks:
# becomes:         for block in reversed(self.blocks):

# %% wrong: the first block again and again advice="One block is used for all layers: make num_layers new blocks, and use each once." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             x = block(x)  # [batch, seq, d_model]
# becomes:             x = self.blocks[0](x)

# %% wrong: blocks twice advice="The blocks run twice: once is enough." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         for block in self.blocks:
# becomes:         for block in [*self.blocks, *self.blocks]:

# %% wrong: blocks' output added to x advice="x is added to the output of a block: the block already does that, so x = block(x)." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             x = block(x)  # [batch, seq, d_model]
# becomes:             x = x + block(x)

# %% wrong: norm after each block, and at the end advice="The norm comes after each block: it comes only once, after the last one." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             x = block(x)  # [batch, seq, d_model]
# becomes:             x = self.norm(block(x))

# %% wrong: return in the loop advice="Not all blocks are used: pass x through each of them in order, the output of one into the next." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         for block in self.blocks:
# was:             x = block(x)  # [batch, seq, d_model]
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         for block in self.blocks:
# becomes:             x = block(x)
# becomes:             return self.norm(x) @ self.token.weight.T

# %% wrong: one head advice="The blocks have the wrong number of heads: pass num_heads to Block." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
# becomes:         self.blocks = nn.ModuleList([Block(d_model, 1, 4 * d_model, dropout) for _ in range(num_layers)])

# %% wrong: two heads advice="The blocks have the wrong number of heads: pass num_heads to Block." fails=["tiny-lm-test"] of="reference"
# was:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
# becomes:         self.blocks = nn.ModuleList([Block(d_model, 2, 4 * d_model, dropout) for _ in range(num_layers)])

# %% wrong: norm after the product says="must match the size of" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.norm(x @ self.token.weight.T)

# %% wrong: last norm without its parameters advice="The last norm's weight and bias are not used: call self.norm." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return F.layer_norm(x, x.shape[-1:]) @ self.token.weight.T

# %% wrong: last norm twice advice="The last norm is applied twice: once is enough." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.norm(self.norm(x)) @ self.token.weight.T

# %% wrong: a block's norm at the end advice="The norm at the end is that of a block: the model has a separate one, self.norm." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.blocks[-1].norm2(x) @ self.token.weight.T

# %% wrong: log_softmax inside advice="These are logarithms of probabilities: return the logits, without log_softmax." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return (self.norm(x) @ self.token.weight.T).log_softmax(dim=-1)

# %% wrong: logits divided by d_model advice="The logits are divided by d_model: there is no scale here." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.norm(x) @ self.token.weight.T / x.shape[-1]

# %% wrong: token vectors of length 1 advice="The token vectors are normalized to length 1: multiply with the vectors themselves." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.norm(x) @ F.normalize(self.token.weight, dim=-1).T

# %% wrong: distances advice="These are distances: the logits are dot products with the token vectors." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return -torch.cdist(self.norm(x), self.token.weight)

# %% wrong: an output bias of the positions advice="Something is added to the logits: they are only the product with the token vectors." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.norm(x) @ self.token.weight.T + self.token.weight.sum(-1)

# %% wrong: weight not turned says="mat1 and mat2 shapes cannot be multiplied" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.norm(x) @ self.token.weight

# %% wrong: the embedding called says="scalar types" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.token(self.norm(x))

# %% wrong: x given back, not logits advice="The vectors are returned, not the logits: multiply them with the transpose of the token vectors." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.norm(x)

# %% wrong: letters and positions turned advice="The axes of the logits are swapped: they are (batch, seq, vocab), the letters last." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.token.weight @ self.norm(x).transpose(1, 2)

# %% wrong: only the last position advice="Only the last position is returned: logits are (batch, seq, vocab)." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.norm(x)[:, -1] @ self.token.weight.T

# %% wrong: all but the last position advice="A position is missing: return the logits of all of them, (batch, seq, vocab)." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return (self.norm(x) @ self.token.weight.T)[:, :-1]

# %% wrong: sequences joined advice="The sequences are concatenated: logits are (batch, seq, vocab)." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return (self.norm(x) @ self.token.weight.T).flatten(0, 1)

# %% wrong: most probable letters advice="These are letters: return the logits, without argmax." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return (self.norm(x) @ self.token.weight.T).argmax(dim=-1)

# %% wrong: no return says="does your function end with a return?" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         logits = self.norm(x) @ self.token.weight.T

# %% wrong: a pair says="return only logits" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.norm(x) @ self.token.weight.T, x

# %% wrong: a dict says="it should have the keys logits" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return {'output': self.norm(x) @ self.token.weight.T}

# %% wrong: rounded advice="The logits are rounded: keep all of their digits." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return (self.norm(x) @ self.token.weight.T).round(decimals=2)

# %% wrong: sequence 0 for all advice="Every sequence got the logits of sequence 0: keep the batch axis." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         seq = tokens.shape[1]
# becomes:         tokens = tokens[:1].expand_as(tokens)
# becomes:         seq = tokens.shape[1]

# %% wrong: shifted tokens advice="The tokens are shifted by one position: don't shift them, the loss does that." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         seq = tokens.shape[1]
# becomes:         tokens = tokens.roll(1, dims=1)
# becomes:         seq = tokens.shape[1]

# %% wrong: future tokens first advice="The tokens are reversed: keep their order." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         seq = tokens.shape[1]
# becomes:         tokens = tokens.flip(1)
# becomes:         seq = tokens.shape[1]

# %% wrong: tokens written into says="differs from its value before" fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         logits = self.norm(x) @ self.token.weight.T
# becomes:         tokens += 1
# becomes:         return logits

# %% wrong: not tied says="state_dict() also holds unembed.weight" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         self.norm = LayerNorm(d_model)
# becomes:         self.norm = LayerNorm(d_model)
# becomes:         self.unembed = nn.Linear(d_model, vocab, bias=False)
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.unembed(self.norm(x))

# %% wrong: not tied, with a bias says="state_dict() also holds unembed.bias, unembed.weight" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         self.norm = LayerNorm(d_model)
# becomes:         self.norm = LayerNorm(d_model)
# becomes:         self.unembed = nn.Linear(d_model, vocab)
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.unembed(self.norm(x))

# %% wrong: tied by a layer of its own name says="state_dict() also holds unembed.weight" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         self.norm = LayerNorm(d_model)
# becomes:         self.norm = LayerNorm(d_model)
# becomes:         self.unembed = nn.Linear(d_model, vocab, bias=False)
# becomes:         self.unembed.weight = self.token.weight
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.unembed(self.norm(x))

# %% wrong: output bias says="state_dict() also holds bias" fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.norm = LayerNorm(d_model)
# becomes:         self.norm = LayerNorm(d_model)
# becomes:         self.bias = nn.Parameter(torch.zeros(vocab))
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.norm(x) @ self.token.weight.T + self.bias

# %% wrong: a copy of the token matrix says="two models with the same parameters" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         self.norm = LayerNorm(d_model)
# becomes:         self.norm = LayerNorm(d_model)
# becomes:         self.out = self.token.weight.detach().clone()
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.norm(x) @ self.out.T

# %% wrong: a layer out of sight says="two models with the same parameters" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         self.norm = LayerNorm(d_model)
# becomes:         self.norm = LayerNorm(d_model)
# becomes:         self.hidden = [nn.Linear(d_model, vocab, bias=False)]
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.hidden[0](self.norm(x))

# %% wrong: position vectors out of sight says="state_dict() has no position.weight" fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.position = nn.Embedding(context, d_model)
# becomes:         self.position = [nn.Embedding(context, d_model)]
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) + self.position[0](torch.arange(seq))

# %% wrong: position vectors made in forward says="two models with the same parameters" fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) + nn.Embedding(self.context, self.token.embedding_dim)(torch.arange(seq))

# %% wrong: plain list of blocks says="state_dict() has no blocks.0" fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
# becomes:         self.blocks = [Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)]

# %% wrong: blocks by other names says="state_dict() has no blocks.0" fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
# becomes:         self.layers = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
# was:         for block in self.blocks:
# becomes:         for block in self.layers:

# %% wrong: one block only says="state_dict() has no blocks.1" fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
# becomes:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(1)])

# %% wrong: one block too many says="state_dict() also holds blocks." fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
# becomes:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers + 1)])

# %% wrong: hidden size is d_model says="mlp.up.weight has the shape" fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
# becomes:         self.blocks = nn.ModuleList([Block(d_model, num_heads, d_model, dropout) for _ in range(num_layers)])

# %% wrong: hidden size is 4 times vocab says="mlp.up.weight has the shape" fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
# becomes:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * vocab, dropout) for _ in range(num_layers)])

# %% wrong: hidden size left to the heads says="rror" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
# becomes:         self.blocks = nn.ModuleList([Block(d_model, 4 * d_model, num_heads, dropout) for _ in range(num_layers)])

# %% wrong: sizes of the token matrix exchanged says="token.weight has the shape" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         self.token = nn.Embedding(vocab, d_model)
# becomes:         self.token = nn.Embedding(d_model, vocab)

# %% wrong: as many positions as letters says="position.weight has the shape" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         self.position = nn.Embedding(context, d_model)
# becomes:         self.position = nn.Embedding(vocab, d_model)

# %% wrong: one position too many says="position.weight has the shape" fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.position = nn.Embedding(context, d_model)
# becomes:         self.position = nn.Embedding(context + 1, d_model)

# %% wrong: last norm as wide as the vocabulary says="norm.weight has the shape" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         self.norm = LayerNorm(d_model)
# becomes:         self.norm = LayerNorm(vocab)

# %% wrong: last norm of another name says="state_dict() has no norm.bias" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         self.norm = LayerNorm(d_model)
# becomes:         self.final_norm = LayerNorm(d_model)
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.final_norm(x) @ self.token.weight.T

# %% wrong: embeddings of other names says="state_dict() has no position.weight, token.weight" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         self.token = nn.Embedding(vocab, d_model)
# becomes:         self.wte = nn.Embedding(vocab, d_model)
# was:         self.position = nn.Embedding(context, d_model)
# becomes:         self.wpe = nn.Embedding(context, d_model)
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.wte(tokens) + self.wpe(torch.arange(seq))
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.norm(x) @ self.wte.weight.T

# %% wrong: positions by sine and cosine says="state_dict() has no position.weight" fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.position = nn.Embedding(context, d_model)
# becomes:         self.waves = [torch.sin(torch.arange(context)[:, None] / 10 ** torch.arange(d_model))]
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) + self.waves[0][:seq]

# %% wrong: positions saved as a buffer, too says="state_dict() also holds places" fails=["tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:         self.position = nn.Embedding(context, d_model)
# becomes:         self.position = nn.Embedding(context, d_model)
# becomes:         self.register_buffer('places', torch.arange(context))
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) + self.position(self.places[:seq])

# %% wrong: dropout is not an argument says="unexpected keyword argument 'dropout'" fails=["tiny-lm-tied-test"] of="reference"
# was:     def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout=0.0):
# becomes:     def __init__(self, vocab, context, d_model, num_heads, num_layers):
# was:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
# becomes:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model) for _ in range(num_layers)])

# %% wrong: dropout has no default says="missing 1 required positional argument" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:     def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout=0.0):
# becomes:     def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout):

# %% wrong: context is not kept says="has no attribute" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         self.context = context
# becomes:         limit = context

# %% wrong: self forgotten says="is not defined" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = token(tokens) + self.position(torch.arange(seq))

# %% wrong: a list called says="not callable" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         for block in self.blocks:
# was:             x = block(x)  # [batch, seq, d_model]
# becomes:         x = list(self.blocks)(x)

# %% wrong: dropout fixed at 0 advice="The blocks don't apply dropout in training mode: pass dropout to each Block." fails=["tiny-lm-tied-test"] of="reference"
# was:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
# becomes:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, 0.0) for _ in range(num_layers)])

# %% wrong: dropout turned round advice="The blocks don't apply dropout in training mode: pass dropout to each Block." fails=["tiny-lm-tied-test"] of="reference"
# was:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
# becomes:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, 1 - dropout) for _ in range(num_layers)])

# %% wrong: only the first block drops advice="Not all blocks apply dropout in training mode: pass dropout to each Block." fails=["tiny-lm-tied-test"] of="reference"
# was:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
# becomes:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model) for _ in range(num_layers)])
# becomes:         self.blocks[0] = Block(d_model, num_heads, 4 * d_model, dropout)

# %% wrong: only the last block drops advice="Not all blocks apply dropout in training mode: pass dropout to each Block." fails=["tiny-lm-tied-test"] of="reference"
# was:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
# becomes:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model) for _ in range(num_layers)])
# becomes:         self.blocks[-1] = Block(d_model, num_heads, 4 * d_model, dropout)

# %% wrong: dropout on the embeddings advice="There is dropout outside the blocks: use none on the embeddings and none at the end." fails=["tiny-lm-tied-test"] of="reference"
# was:         self.norm = LayerNorm(d_model)
# becomes:         self.norm = LayerNorm(d_model)
# becomes:         self.drop = nn.Dropout(dropout)
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.drop(self.token(tokens) + self.position(torch.arange(seq)))

# %% wrong: dropout on the embeddings only advice="There is dropout outside the blocks: use none on the embeddings and none at the end, and pass dropout to each Block." fails=["tiny-lm-tied-test"] of="reference"
# was:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
# becomes:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model) for _ in range(num_layers)])
# becomes:         self.drop = nn.Dropout(dropout)
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.drop(self.token(tokens) + self.position(torch.arange(seq)))

# %% wrong: dropout before the product advice="With dropout=1.0 every logit is 0: there is no dropout after the blocks." fails=["tiny-lm-tied-test"] of="reference"
# was:         self.norm = LayerNorm(d_model)
# becomes:         self.norm = LayerNorm(d_model)
# becomes:         self.drop = nn.Dropout(dropout)
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.drop(self.norm(x)) @ self.token.weight.T

# %% wrong: dropout on the last x advice="There is dropout outside the blocks: use none on the embeddings and none at the end." fails=["tiny-lm-tied-test"] of="reference"
# was:         self.norm = LayerNorm(d_model)
# becomes:         self.norm = LayerNorm(d_model)
# becomes:         self.drop = nn.Dropout(dropout)
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.norm(self.drop(x)) @ self.token.weight.T

# %% wrong: dropout on the positions advice="Dropout is applied to the position vectors: use none on the embeddings." fails=["tiny-lm-tied-test"] of="reference"
# was:         self.norm = LayerNorm(d_model)
# becomes:         self.norm = LayerNorm(d_model)
# becomes:         self.drop = nn.Dropout(dropout)
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) + self.drop(self.position(torch.arange(seq)))

# %% wrong: a tenth, always says="two calls in training mode return different numbers" fails=["tiny-lm-tied-test"] of="reference"
# was:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
# becomes:         self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, 0.1) for _ in range(num_layers)])

# %% wrong: a default of 1.0 advice="Everything is dropped by default: the default of dropout is 0.0." fails=["tiny-lm-tied-test"] of="reference"
# was:     def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout=0.0):
# becomes:     def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout=1.0):

# %% wrong: a default of 0.1 says="two calls in training mode return different numbers" fails=["tiny-lm-tied-test"] of="reference"
# was:     def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout=0.0):
# becomes:     def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout=0.1):

# %% wrong: no check says="should raise ValueError, not IndexError" fails=["tiny-lm-context-test"] of="reference"
# was:         if seq > self.context:
# was:             raise ValueError(f"{seq} tokens are more than the context of {self.context}")
# becomes:         x = None

# %% wrong: one token too many allowed says="should raise ValueError, not IndexError" fails=["tiny-lm-context-test"] of="reference"
# was:         if seq > self.context:
# becomes:         if seq > self.context + 1:

# %% wrong: a full context refused says="raise the error only if there are more" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         if seq > self.context:
# becomes:         if seq >= self.context:

# %% wrong: one less than the context refused says="raise the error only if there are more" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         if seq > self.context:
# becomes:         if seq > self.context - 1:

# %% wrong: the wrong way round says="are more than the context of" fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         if seq > self.context:
# becomes:         if seq < self.context:

# %% wrong: the first tokens only advice="Too many tokens are accepted: raise a ValueError if there are more than the context." fails=["tiny-lm-context-test"] of="reference"
# was:         if seq > self.context:
# was:             raise ValueError(f"{seq} tokens are more than the context of {self.context}")
# becomes:         tokens = tokens[:, :self.context]
# becomes:         seq = tokens.shape[1]

# %% wrong: the last tokens only advice="Too many tokens are accepted: raise a ValueError if there are more than the context." fails=["tiny-lm-context-test"] of="reference"
# was:         if seq > self.context:
# was:             raise ValueError(f"{seq} tokens are more than the context of {self.context}")
# becomes:         tokens = tokens[:, -self.context:]
# becomes:         seq = tokens.shape[1]

# %% wrong: positions begin again advice="Too many tokens are accepted: raise a ValueError if there are more than the context." fails=["tiny-lm-context-test"] of="reference"
# was:         if seq > self.context:
# was:             raise ValueError(f"{seq} tokens are more than the context of {self.context}")
# becomes:         seq = tokens.shape[1]
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) + self.position(torch.arange(seq) % self.context)

# %% wrong: the last position again advice="Too many tokens are accepted: raise a ValueError if there are more than the context." fails=["tiny-lm-context-test"] of="reference"
# was:         if seq > self.context:
# was:             raise ValueError(f"{seq} tokens are more than the context of {self.context}")
# becomes:         seq = tokens.shape[1]
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) + self.position(torch.arange(seq).clamp(max=self.context - 1))

# %% wrong: a text given back says="array" fails=["tiny-lm-context-test"] of="reference"
# was:             raise ValueError(f"{seq} tokens are more than the context of {self.context}")
# becomes:             return f"{seq} tokens are more than {self.context}"

# %% wrong: None given back says="end with a return" fails=["tiny-lm-context-test"] of="reference"
# was:             raise ValueError(f"{seq} tokens are more than the context of {self.context}")
# becomes:             return None

# %% wrong: an assert says="more than the context" fails=["tiny-lm-context-test"] of="reference"
# was:         if seq > self.context:
# was:             raise ValueError(f"{seq} tokens are more than the context of {self.context}")
# becomes:         assert seq <= self.context, f"{seq} tokens are more than the context of {self.context}"

# %% wrong: a RuntimeError says="should raise ValueError, not RuntimeError" fails=["tiny-lm-context-test"] of="reference"
# was:             raise ValueError(f"{seq} tokens are more than the context of {self.context}")
# becomes:             raise RuntimeError(f"{seq} tokens are more than the context of {self.context}")

# %% wrong: an IndexError says="should raise ValueError, not IndexError" fails=["tiny-lm-context-test"] of="reference"
# was:             raise ValueError(f"{seq} tokens are more than the context of {self.context}")
# becomes:             raise IndexError(f"{seq} tokens are more than the context of {self.context}")

# %% wrong: no number in the error says="Name both numbers" fails=["tiny-lm-context-test"] of="reference"
# was:             raise ValueError(f"{seq} tokens are more than the context of {self.context}")
# becomes:             raise ValueError("too many tokens")

# %% wrong: only the tokens in the error says="Name both numbers" fails=["tiny-lm-context-test"] of="reference"
# was:             raise ValueError(f"{seq} tokens are more than the context of {self.context}")
# becomes:             raise ValueError(f"{seq} tokens are too many")

# %% wrong: only the context in the error says="Name both numbers" fails=["tiny-lm-context-test"] of="reference"
# was:             raise ValueError(f"{seq} tokens are more than the context of {self.context}")
# becomes:             raise ValueError(f"more tokens than {self.context}")

# %% wrong: batch compared with the context says="should raise ValueError, not IndexError" fails=["tiny-lm-context-test"] of="reference"
# was:         if seq > self.context:
# becomes:         if len(tokens) > self.context:

# %% wrong: compared with d_model says="should raise ValueError, not IndexError" fails=["tiny-lm-context-test"] of="reference"
# was:         if seq > self.context:
# becomes:         if seq > 2 * self.token.embedding_dim:

# %% wrong: the tied matrix detached says="no gradient flows through .detach()" unseen="only check_gradients catches it" fails=["tiny-lm-tied-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.norm(x) @ self.token.weight.detach().T

# %% wrong: the tied matrix's data says="no gradient flows through .data" unseen="only check_gradients catches it" fails=["tiny-lm-tied-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.norm(x) @ self.token.weight.data.T

# %% wrong: the tied matrix as a new tensor says="no gradient flows through" unseen="only check_gradients catches it" fails=["tiny-lm-tied-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.norm(x) @ torch.tensor(self.token.weight.tolist()).T

# %% wrong: vectors under no_grad says="no gradient flows through no_grad" unseen="only check_gradients catches it" fails=["tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         with torch.no_grad():
# becomes:             x = self.token(tokens) + self.position(torch.arange(seq))

# %% wrong: positions detached says="no gradient flows through .detach()" unseen="only check_gradients catches it" fails=["tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) + self.position(torch.arange(seq)).detach()

# %% wrong: detached before each block says="no gradient flows through .detach()" unseen="only check_gradients catches it" fails=["tiny-lm-tied-test"] of="reference"
# was:             x = block(x)  # [batch, seq, d_model]
# becomes:             x = block(x.detach())

# %% wrong: detached before the last norm says="no gradient flows through .detach()" unseen="only check_gradients catches it" fails=["tiny-lm-tied-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.norm(x.detach()) @ self.token.weight.T

# %% wrong: the logits' numbers says="no gradient flows through" unseen="only check_gradients catches it" fails=["tiny-lm-tied-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return torch.from_numpy((self.norm(x) @ self.token.weight.T).detach().numpy())

# %% wrong: the token vectors detached says="no gradient flows through .detach()" unseen="only check_gradients catches it" fails=["tiny-lm-tied-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens).detach() + self.position(torch.arange(seq))

# %% wrong: only the last position, with its axis advice="Return the logits of all positions, (batch, seq, vocab): only the last one is needed for a new token, and generate takes it." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.norm(x[:, -1:]) @ self.token.weight.T

# %% wrong: token vectors alone advice="Add the position vectors, send the sum through the blocks and the norm, and only then multiply with the token vectors: here they are multiplied at once." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# was:         for block in self.blocks:
# was:             x = block(x)  # [batch, seq, d_model]
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return self.token(tokens) @ self.token.weight.T

# %% wrong: neither positions nor a last norm advice="Position vectors and the last norm are missing: add self.position(torch.arange(seq)) before the blocks, and apply self.norm after them." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens)
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return x @ self.token.weight.T

# %% wrong: token vectors times the root of d_model, and no last norm advice="Leave the factor √d_model out, and apply self.norm after the last block." fails=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:         x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
# becomes:         x = self.token(tokens) * self.token.embedding_dim ** 0.5 + self.position(torch.arange(seq))
# was:         return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
# becomes:         return x @ self.token.weight.T

# %% wrong: dropout on the embeddings, if it is below 1 says="in training mode" unseen="no visible test has such an input" visible=false fails=["tiny-lm-tied-test"]
class TinyLM(nn.Module):
    def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout=0.0):
        super().__init__()
        self.context, self.p = context, dropout
        self.token, self.position = nn.Embedding(vocab, d_model), nn.Embedding(context, d_model)
        self.blocks = nn.ModuleList(Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers))
        self.norm = LayerNorm(d_model)

    def forward(self, tokens):
        seq = tokens.shape[1]
        if seq > self.context:
            raise ValueError(f"{seq} tokens, but the context is {self.context}")
        x = self.token(tokens) + self.position(torch.arange(seq))
        x = F.dropout(x, self.p, self.training and self.p < 1)
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.token.weight.T

# %% wrong: positions of the first call kept: a second call with another length fails says="after a shorter text" unseen="no visible test has such an input" visible=false fails=["tiny-lm-tied-test", "tiny-lm-test"]
class TinyLM(nn.Module):
    def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout=0.0):
        super().__init__()
        self.context, self.p = context, dropout
        self.token, self.position = nn.Embedding(vocab, d_model), nn.Embedding(context, d_model)
        self.blocks = nn.ModuleList(Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers))
        self.norm = LayerNorm(d_model)

    def forward(self, tokens):
        seq = tokens.shape[1]
        if seq > self.context:
            raise ValueError(f"{seq} tokens, but the context is {self.context}")
        if not hasattr(self, 'places'):
            self.places = torch.arange(seq)
        x = self.token(tokens) + self.position(self.places)
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.token.weight.T

# %% wrong: no gradients in eval mode says="gradients of another model in eval mode" unseen="no visible test has such an input" visible=false fails=["tiny-lm-tied-test"]
class TinyLM(nn.Module):
    def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout=0.0):
        super().__init__()
        self.context = context
        self.token, self.position = nn.Embedding(vocab, d_model), nn.Embedding(context, d_model)
        self.blocks = nn.ModuleList(Block(d_model, num_heads, 4 * d_model, dropout) for n in range(num_layers))
        self.norm = LayerNorm(d_model)

    def forward(self, tokens):
        seq = tokens.shape[1]
        if seq > self.context:
            raise ValueError(f"{seq} tokens, and a context of {self.context}")
        with torch.set_grad_enabled(torch.is_grad_enabled() and self.training):
            x = self.token(tokens) + self.position(torch.arange(seq))
            for block in self.blocks:
                x = block(x)
            return self.norm(x) @ self.token.weight.T
