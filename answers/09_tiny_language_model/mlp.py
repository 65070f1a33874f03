# %% right: F.gelu
class MLP(nn.Module):
    def __init__(self, d_model, d_hidden):
        super().__init__()
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))

# %% right: nn.GELU as a part
class MLP(nn.Module):
    def __init__(self, d_model, d_hidden):
        super().__init__()
        self.up = nn.Linear(in_features=d_model, out_features=d_hidden)
        self.act = nn.GELU(approximate="none")
        self.down = nn.Linear(in_features=d_hidden, out_features=d_model)

    def forward(self, x):
        for part in (self.up, self.act, self.down):
            x = part(x)
        return x

# %% right: the normal distribution's own function
class MLP(nn.Module):
    def __init__(self, d_model, d_hidden):
        super().__init__()
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)

    def forward(self, x):
        h = self.up(x)
        return self.down(h * torch.distributions.Normal(0.0, 1.0).cdf(h))

# %% right: ndtr, einsum with the weights
class MLP(nn.Module):
    def __init__(self, d_model, d_hidden):
        super().__init__()
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)

    def forward(self, x):
        h = torch.einsum("...d,hd->...h", x, self.up.weight) + self.up.bias
        h = h * torch.special.ndtr(h)
        return torch.einsum("...h,dh->...d", h, self.down.weight) + self.down.bias

# %% right: row by row, math.erfc
class MLP(nn.Module):
    def __init__(self, d_model, d_hidden):
        super().__init__()
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)

    def forward(self, x):
        rows = []
        for row in x.reshape(-1, x.shape[-1]):
            inner = [one * 0.5 * math.erfc(-one / 2**0.5) for one in self.up(row).tolist()]
            rows.append(self.down.weight @ torch.tensor(inner) + self.down.bias)
        return torch.stack(rows).reshape(x.shape)

# %% right: in 64 bits, F.linear
class MLP(nn.Module):
    def __init__(self, d_model, d_hidden):
        super().__init__()
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)

    def forward(self, x):
        h = F.linear(x.double(), self.up.weight.double(), self.up.bias.double())
        h = 0.5 * h * (1 + torch.special.erf(h * 0.5**0.5))
        return F.linear(h, self.down.weight.double(), self.down.bias.double()).to(x.dtype)

# %% right: an nn.Sequential of named parts
class MLP(nn.Sequential):
    def __init__(self, d_model, d_hidden):
        super().__init__()
        self.add_module("up", nn.Linear(d_model, d_hidden))
        self.add_module("gelu", nn.GELU())
        self.add_module("down", nn.Linear(d_hidden, d_model))

# %% right: NumPy
class MLP(nn.Module):
    def __init__(self, d_model, d_hidden):
        super().__init__()
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)

    def forward(self, x):
        erf = np.vectorize(math.erf, otypes=[float])
        numbers = [one.detach().numpy() for one in (x, self.up.weight, self.up.bias, self.down.weight, self.down.bias)]
        x, up, up_bias, down, down_bias = numbers
        h = x @ up.T + up_bias
        return torch.tensor(h * (1 + erf(h / np.sqrt(2))) / 2 @ down.T + down_bias, dtype=torch.float32)

# %% wrong: ReLU advice="This is ReLU: take the exact GELU, h · Φ(h)." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(F.relu(h))

# %% wrong: leaky ReLU advice="This is a leaky ReLU: take the exact GELU, h · Φ(h)." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(F.leaky_relu(h))

# %% wrong: SiLU advice="This is SiLU, h · sigmoid(h): take the exact GELU, h · Φ(h)." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(F.silu(h))

# %% wrong: GELU by a sigmoid advice="This is the approximation by a sigmoid: take the exact GELU, h · Φ(h), with erf." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(h * torch.sigmoid(1.702 * h))

# %% wrong: sigmoid alone advice="This is a sigmoid: take the exact GELU, h · Φ(h)." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(torch.sigmoid(h))

# %% wrong: ELU advice="This is ELU: take the exact GELU, h · Φ(h)." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(F.elu(h))

# %% wrong: softplus advice="This is softplus: take the exact GELU, h · Φ(h)." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(F.softplus(h))

# %% wrong: tanh alone advice="This is tanh: take the exact GELU, h · Φ(h)." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(torch.tanh(h))

# %% wrong: erf alone advice="This is erf: take the exact GELU, h/2 · (1 + erf(h/√2))." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(torch.erf(h))

# %% wrong: Mish advice="This is Mish: take the exact GELU, h · Φ(h)." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(F.mish(h))

# %% wrong: softmax advice="This is a softmax: take the exact GELU, number by number, h · Φ(h)." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(h.softmax(dim=-1))

# %% wrong: the tanh form advice="This is the approximation by tanh: take the exact form, approximate=\"none\", or erf." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(F.gelu(h, approximate='tanh'))

# %% wrong: the tanh form by hand advice="This is the approximation by tanh: take the exact form, approximate=\"none\", or erf." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(0.5 * h * (1 + torch.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h**3))))

# %% wrong: tanh for erf advice="tanh stands in the place of erf: take torch.erf." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(h / 2 * (1 + torch.tanh(h / math.sqrt(2))))

# %% wrong: √2 left out advice="√2 is missing under erf: erf(h / √2)." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(h / 2 * (1 + torch.erf(h)))

# %% wrong: 2 for √2 advice="Under erf stands h / 2: divide by √2." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(h / 2 * (1 + torch.erf(h / 2)))

# %% wrong: times √2 advice="Under erf, h is multiplied by √2: divide by it." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(h / 2 * (1 + torch.erf(h * math.sqrt(2))))

# %% wrong: half left out advice="The factor ½ is missing: h / 2 · (1 + erf(h / √2))." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(h * (1 + torch.erf(h / math.sqrt(2))))

# %% wrong: 1 left out advice="The 1 is missing: h / 2 · (1 + erf(h / √2))." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(h / 2 * torch.erf(h / math.sqrt(2)))

# %% wrong: half of h only advice="The brackets are missing: h / 2 multiplies 1 + erf(h / √2), all of it." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(h / 2 + torch.erf(h / math.sqrt(2)))

# %% wrong: brackets around the first two only advice="The brackets are missing: h / 2 multiplies 1 + erf(h / √2), all of it." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(h / 2 * 1 + torch.erf(h / math.sqrt(2)))

# %% wrong: one minus erf advice="erf is subtracted: h / 2 · (1 + erf(h / √2))." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(h / 2 * (1 - torch.erf(h / math.sqrt(2))))

# %% wrong: erfc without the minus advice="erf is subtracted: h / 2 · (1 + erf(h / √2))." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(h / 2 * torch.erfc(h / math.sqrt(2)))

# %% wrong: Φ alone advice="This is Φ(h) alone: multiply it by h." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down((1 + torch.erf(h / math.sqrt(2))) / 2)

# %% wrong: the bell curve for Φ advice="The height of the bell curve stands in the place of Φ: Φ(h) is the probability below h, (1 + erf(h / √2)) / 2." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(h * torch.exp(-h**2 / 2) / math.sqrt(2 * math.pi))

# %% wrong: h squared advice="h is multiplied twice: h · Φ(h)." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(h**2 / 2 * (1 + torch.erf(h / math.sqrt(2))))

# %% wrong: no GELU advice="The GELU is missing between up and down." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(h)

# %% wrong: GELU twice advice="The GELU is taken twice: once is enough." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(F.gelu(F.gelu(h)))

# %% wrong: GELU after down advice="The GELU comes after down: it belongs between up and down." fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return F.gelu(self.down(h))

# %% wrong: GELU after down, too advice="After down comes a second GELU: leave it out." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return F.gelu(self.down(F.gelu(h)))

# %% wrong: GELU before up advice="x goes through a GELU before up: take x as it is." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             h = self.up(x)  # [..., d_hidden]
# becomes:         h = self.up(F.gelu(x))

# %% wrong: GELU before up only advice="The GELU comes before up: it belongs between up and down." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             h = self.up(x)  # [..., d_hidden]
# becomes:         h = self.up(F.gelu(x))

# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(h)

# %% wrong: ReLU after GELU advice="Negative numbers are cut off after the GELU: it is a little below 0 for negative h, so take no ReLU after it." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(F.gelu(h).relu())

# %% wrong: GELU of the absolute value advice="h loses its sign: take GELU of h itself." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(F.gelu(h.abs()))

# %% wrong: GELU of −h advice="erf is subtracted: h / 2 · (1 + erf(h / √2))." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(-F.gelu(-h))

# %% wrong: residual added advice="x is added to the result: the block does that later, so give back what down makes." fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return x + self.down(F.gelu(h))

# %% wrong: gated advice="h is multiplied twice: h · Φ(h)." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(F.gelu(h) * h)

# %% wrong: down left out advice="This is what goes into down: call self.down, too." fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return F.gelu(h)

# %% wrong: up alone advice="This is what up makes: its GELU goes into down, and that is what comes back." fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return h

# %% wrong: x back advice="This is x as it came: return what down makes." fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return x

# %% wrong: zeros advice="Only down's bias is left: give down the GELU of up(x)." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(0 * h)

# %% wrong: bias of down left out advice="The bias of down is left out: call the layer, self.down(…)." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return F.gelu(h) @ self.down.weight.T

# %% wrong: bias of up left out advice="The bias of up is left out: call the layer, self.up(x)." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             h = self.up(x)  # [..., d_hidden]
# becomes:         h = x @ self.up.weight.T

# %% wrong: no biases advice="Both biases are left out: call the layers, self.up(x) and self.down(…)." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             h = self.up(x)  # [..., d_hidden]
# becomes:         h = x @ self.up.weight.T

# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return F.gelu(h) @ self.down.weight.T

# %% wrong: bias of down subtracted advice="The bias of down is subtracted: call the layer, self.down(…)." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return F.gelu(h) @ self.down.weight.T - self.down.bias

# %% wrong: bias of up twice advice="The bias of up is added twice: self.up(x) adds it already." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             h = self.up(x)  # [..., d_hidden]
# becomes:         h = self.up(x) + self.up.bias

# %% wrong: normalised first advice="x is normalised first: the block does that, so take x as it is." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             h = self.up(x)  # [..., d_hidden]
# becomes:         h = self.up(F.layer_norm(x, x.shape[-1:]))

# %% wrong: h normalised advice="h is normalised: what up gives goes straight into the GELU." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             h = self.up(x)  # [..., d_hidden]
# becomes:         h = F.layer_norm(self.up(x), self.up.bias.shape)

# %% wrong: mean over tokens advice="All tokens of a sequence get the same: each is worked on by itself, so take x as it is." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             h = self.up(x)  # [..., d_hidden]
# becomes:         h = self.up(x.mean(dim=-2, keepdim=True).expand_as(x))

# %% wrong: first token for all advice="Every token gets what belongs to token 0: take x as it is." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             h = self.up(x)  # [..., d_hidden]
# becomes:         h = self.up(x[..., :1, :].expand_as(x))

# %% wrong: first sequence for all advice="Every sequence gets what belongs to sequence 0: take x as it is." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             h = self.up(x)  # [..., d_hidden]
# becomes:         h = self.up(x[:1].expand_as(x))

# %% wrong: rounded advice="The numbers are rounded: give back all their digits." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return torch.round(self.down(F.gelu(h)), decimals=2)

# %% wrong: flattened advice="The axes in front are gone: give back the shape of x." fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(F.gelu(h)).flatten(0, -2)

# %% wrong: turned advice="The last two axes are turned: give back the shape of x." fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(F.gelu(h)).transpose(-2, -1)

# %% wrong: sizes of up swapped says="up." fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             self.up = nn.Linear(d_model, d_hidden)
# becomes:         self.up = nn.Linear(d_hidden, d_model)

# %% wrong: sizes of down swapped says="down." fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             self.down = nn.Linear(d_hidden, d_model)
# becomes:         self.down = nn.Linear(d_model, d_hidden)

# %% wrong: both sizes swapped says="which size goes in" fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             self.up = nn.Linear(d_model, d_hidden)
# was:             self.down = nn.Linear(d_hidden, d_model)
# becomes:         self.up = nn.Linear(d_hidden, d_model)
# becomes:         self.down = nn.Linear(d_model, d_hidden)

# %% wrong: hidden size four times d_model says="which size goes in" fails=["mlp-test", "block-test", "block-dropout-test"] of="reference"
# was:             self.up = nn.Linear(d_model, d_hidden)
# becomes:         d_hidden = 4 * d_model
# becomes:         self.up = nn.Linear(d_model, d_hidden)

# %% wrong: sizes fixed says="which size goes in" fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             self.up = nn.Linear(d_model, d_hidden)
# becomes:         d_model, d_hidden = 48, 192
# becomes:         self.up = nn.Linear(d_model, d_hidden)

# %% wrong: up without a bias says="has no up.bias" fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             self.up = nn.Linear(d_model, d_hidden)
# becomes:         self.up = nn.Linear(d_model, d_hidden, bias=False)

# %% wrong: down without a bias says="has no down.bias" fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             self.down = nn.Linear(d_hidden, d_model)
# becomes:         self.down = nn.Linear(d_hidden, d_model, bias=False)

# %% wrong: other names says="state_dict() has no" fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"]
class MLP(nn.Module):
    def __init__(self, d_model, d_hidden):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)

    def forward(self, x):
        return self.fc2(F.gelu(self.fc1(x)))

# %% wrong: an nn.Sequential inside says="state_dict() has no" fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"]
class MLP(nn.Module):
    def __init__(self, d_model, d_hidden):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_model, d_hidden), nn.GELU(), nn.Linear(d_hidden, d_model))

    def forward(self, x):
        return self.net(x)

# %% wrong: layers in a list says="state_dict() has no" fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"]
class MLP(nn.Module):
    def __init__(self, d_model, d_hidden):
        super().__init__()
        self.layers = [nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)]

    def forward(self, x):
        up, down = self.layers
        return down(F.gelu(up(x)))

# %% wrong: layers made anew in forward says="state_dict() has no" fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"]
class MLP(nn.Module):
    def __init__(self, d_model, d_hidden):
        super().__init__()
        self.sizes = d_model, d_hidden

    def forward(self, x):
        d_model, d_hidden = self.sizes
        return nn.Linear(d_hidden, d_model)(F.gelu(nn.Linear(d_model, d_hidden)(x)))

# %% wrong: layers and a Sequential of them says="also holds" fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             self.down = nn.Linear(d_hidden, d_model)
# becomes:         self.down = nn.Linear(d_hidden, d_model)
# becomes:         self.net = nn.Sequential(self.up, nn.GELU(), self.down)

# %% wrong: down is up says="down." fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             self.down = nn.Linear(d_hidden, d_model)
# becomes:         self.down = self.up

# %% wrong: a norm beside says="also holds norm" fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             self.down = nn.Linear(d_hidden, d_model)
# becomes:         self.down = nn.Linear(d_hidden, d_model)
# becomes:         self.norm = nn.LayerNorm(d_hidden)

# %% wrong: super left out says="super().__init__()" fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"]
class MLP(nn.Module):
    def __init__(self, d_model, d_hidden):
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))

# %% wrong: math.erf of many numbers says="one number is expected here" fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(h / 2 * (1 + math.erf(h / math.sqrt(2))))

# %% wrong: torch.sqrt of a number says="must be Tensor, not int" fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(h / 2 * (1 + torch.erf(h / torch.sqrt(2))))

# %% wrong: GELU without brackets says="in line" fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(nn.GELU(h))

# %% wrong: layers without self says="is not defined" fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return down(F.gelu(h))

# %% wrong: weights without a turn says="in a product" fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             h = self.up(x)  # [..., d_hidden]
# becomes:         h = x @ self.up.weight + self.up.bias

# %% wrong: layers called in the other order says="in a product" fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             h = self.up(x)  # [..., d_hidden]
# becomes:         h = self.down(x)

# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.up(F.gelu(h))

# %% wrong: x grown in place says="an input was changed" of="reference"
# was:             h = self.up(x)  # [..., d_hidden]
# becomes:         x *= 1
# becomes:         x.add_(1)
# becomes:         h = self.up(x - 1)

# %% wrong: x goes through a GELU in place says="an input was changed" of="reference"
# was:             h = self.up(x)  # [..., d_hidden]
# becomes:         h = self.up(x)
# becomes:         x.copy_(F.gelu(x))

# %% wrong: no return says="does your function end with a return?" fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         self.down(F.gelu(h))

# %% wrong: h as well says="it returned 2 values" fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(F.gelu(h)), h

# %% wrong: a dict says="it should have the keys output" fails=["mlp-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return {'out': self.down(F.gelu(h))}

# %% wrong: h halved alone advice="Only h / 2 is left of the GELU: multiply it by 1 + erf(h / √2)." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(h / 2)

# %% wrong: halved twice advice="The factor ½ is taken twice: h / 2 · (1 + erf(h / √2))." fails=["mlp-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
# becomes:         return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))) / 2)
