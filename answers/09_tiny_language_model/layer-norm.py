# %% right: torch's own function
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)

# %% right: var_mean and rsqrt
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        variance, mean = torch.var_mean(x, dim=-1, keepdim=True, correction=0)
        return torch.addcmul(self.bias, (x - mean) * (variance + self.eps).rsqrt(), self.weight)

# %% right: loop over rows, in 64 bits
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        rows = []
        for row in x.reshape(-1, x.shape[-1]).double():
            mean = sum(row) / len(row)
            variance = sum((one - mean) ** 2 for one in row) / len(row)
            rows.append((row - mean) / (variance + self.eps) ** 0.5 * self.weight + self.bias)
        return torch.stack(rows).reshape(x.shape).to(x.dtype)

# %% right: a matrix that subtracts the mean, einsum
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        d_model = x.shape[-1]
        centre = torch.eye(d_model) - torch.full((d_model, d_model), 1 / d_model)
        x = torch.einsum("...d,de->...e", x, centre)
        length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
        return x / torch.sqrt(length**2 / d_model + self.eps) * self.weight + self.bias

# %% right: mean of squares less square of the mean, in 64 bits
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        wide = x.double()
        mean, square = wide.mean(-1), wide.square().mean(-1)
        root = torch.sqrt(square - mean**2 + self.eps)
        return ((wide - mean[..., None]) / root[..., None]).to(x.dtype) * self.weight + self.bias

# %% right: a channel for each row, group norm
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        rows = F.group_norm(x.reshape(1, -1, x.shape[-1]), x.shape[:-1].numel(), eps=self.eps)
        return rows.reshape(x.shape).mul(self.weight).add(self.bias)

# %% right: made of nn.LayerNorm
class LayerNorm(nn.LayerNorm):
    def __init__(self, d_model, eps=1e-5):
        super().__init__(d_model, eps=eps)

# %% right: std, squared again, parameters registered
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.register_parameter("weight", nn.Parameter(torch.full((d_model,), 1.0)))
        self.register_parameter("bias", nn.Parameter(torch.full((d_model,), 0.0)))
        self.epsilon = eps

    def forward(self, x):
        std = torch.std(x, dim=-1, unbiased=False, keepdim=True)
        return self.weight * (x - x.mean(-1, keepdim=True)) / torch.hypot(std, torch.tensor(self.epsilon**0.5)) + self.bias

# %% wrong: unbiased variance advice="The variance is divided by d_model − 1: divide by d_model, with unbiased=False." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# becomes:         variance = x.var(dim=-1, keepdim=True)  # [..., 1]

# %% wrong: eps outside of the root advice="eps is added to the standard deviation: add it to the variance, inside the root." of="reference" fails=["layer-norm-test", "tiny-lm-tied-test"]
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / (torch.sqrt(variance) + self.eps) * self.weight + self.bias  # [..., d_model]

# %% wrong: no eps advice="eps has almost no effect: add it to the variance, inside the root, not squared, and let its default be 1e-5." fails=["layer-norm-test", "tiny-lm-tied-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance) * self.weight + self.bias  # [..., d_model]

# %% wrong: over tokens and features advice="Mean and variance run over all tokens of a sequence: each row of the last axis has its own." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# becomes:         centred = x - x.mean(dim=(-2, -1), keepdim=True)  # [..., d_model]
# becomes:         variance = centred.pow(2).mean(dim=(-2, -1), keepdim=True)  # [..., 1]

# %% wrong: over tokens advice="Mean and variance run over the tokens: they have to run over the features, the last axis." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# becomes:         centred = x - x.mean(dim=-2, keepdim=True)  # [..., d_model]
# becomes:         variance = centred.pow(2).mean(dim=-2, keepdim=True)  # [..., 1]

# %% wrong: RMSNorm advice="The mean is not subtracted: divide x − mean, and take the variance of it, too." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# becomes:         centred = x

# %% wrong: no root advice="The row is divided by variance + eps: take its root, and divide by that once." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / (variance + self.eps) * self.weight + self.bias  # [..., d_model]

# %% wrong: bias before weight advice="The bias is added before the weight multiplies: first times weight, then plus bias." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return (centred / torch.sqrt(variance + self.eps) + self.bias) * self.weight

# %% wrong: no bias advice="The bias is left out: add it last." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + self.eps) * self.weight  # [..., d_model]

# %% wrong: no weight advice="The weight is left out: multiply by it before the bias is added." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + self.eps) + self.bias  # [..., d_model]

# %% wrong: sum for the variance advice="The squares are summed: the variance is their mean, divided by d_model." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# becomes:         variance = centred.pow(2).sum(dim=-1, keepdim=True)

# %% wrong: eps fixed advice="eps is a constant here: store the constructor's argument, self.eps = eps, and add that." of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + 1e-5) * self.weight + self.bias  # [..., d_model]

# %% wrong: unbiased std advice="The variance is divided by d_model − 1: divide by d_model, with unbiased=False." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         std = x.std(dim=-1, keepdim=True)
# becomes:         return (x - x.mean(dim=-1, keepdim=True)) / (std**2 + self.eps).sqrt() * self.weight + self.bias

# %% wrong: unbiased variance, eps outside advice="The variance is divided by d_model − 1: divide by d_model, with unbiased=False." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# becomes:         variance = (x.std(dim=-1, keepdim=True) + self.eps) ** 2 - self.eps

# %% wrong: eps squared advice="eps has almost no effect: add it to the variance, inside the root, not squared, and let its default be 1e-5." fails=["layer-norm-test", "tiny-lm-tied-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + self.eps ** 2) * self.weight + self.bias  # [..., d_model]

# %% wrong: eps as a lower bound advice="eps is taken as a lower bound of the variance: add it to the variance." fails=["layer-norm-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance.clamp(min=self.eps)) * self.weight + self.bias  # [..., d_model]

# %% wrong: eps twice advice="eps is added twice: add it once, to the variance, inside the root." fails=["layer-norm-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + self.eps + self.eps) * self.weight + self.bias  # [..., d_model]

# %% wrong: eps subtracted advice="eps is subtracted: add it to the variance." fails=["layer-norm-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance - self.eps) * self.weight + self.bias  # [..., d_model]

# %% wrong: root of eps advice="The root of eps is added to the variance: add eps itself, inside the root." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + self.eps ** 0.5) * self.weight + self.bias  # [..., d_model]

# %% wrong: eps fixed in the constructor advice="eps is a constant here: store the constructor's argument, self.eps = eps, and add that." of="reference"
# was:             self.eps = eps
# becomes:         self.eps = 1e-5

# %% wrong: eps fixed at 1e-6 advice="A smaller eps than the constructor's is added: store it, self.eps = eps, and add that." fails=["layer-norm-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + 1e-6) * self.weight + self.bias  # [..., d_model]

# %% wrong: eps fixed at 1e-6, outside of the root advice="A smaller eps than the constructor's is added, and to the standard deviation: add self.eps to the variance, inside the root." fails=["layer-norm-test", "tiny-lm-tied-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / (torch.sqrt(variance) + 1e-6) * self.weight + self.bias  # [..., d_model]

# %% wrong: eps fixed at 1e-8 advice="A smaller eps than the constructor's is added: store it, self.eps = eps, and add that." fails=["layer-norm-test", "tiny-lm-tied-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + 1e-8) * self.weight + self.bias  # [..., d_model]

# %% wrong: eps not kept says="self.…" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             self.eps = eps
# becomes:         pass

# %% wrong: eps without self says="is not defined" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + eps) * self.weight + self.bias  # [..., d_model]

# %% wrong: multiplied advice="The row is multiplied by its standard deviation: divide by it." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred * torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]

# %% wrong: not divided advice="The row is not divided by its standard deviation: divide by √(variance + eps)." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred * self.weight + self.bias  # [..., d_model]

# %% wrong: divided by the length advice="The squares are summed: the variance is their mean, divided by d_model." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         centred = x - x.mean(dim=-1, keepdim=True)
# becomes:         return F.normalize(centred, dim=-1) * self.weight + self.bias

# %% wrong: mean of absolute values advice="The spread is the mean of absolute values here: take the root of the mean of squares." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# becomes:         variance = centred.abs().mean(dim=-1, keepdim=True) ** 2

# %% wrong: largest for the spread advice="The row is divided by its largest number: divide by its standard deviation, √(variance + eps)." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# becomes:         variance = centred.abs().amax(dim=-1, keepdim=True) ** 2

# %% wrong: smallest and largest advice="Rows are stretched between their smallest and largest number: subtract the mean and divide by √(variance + eps)." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         low, high = x.amin(-1, keepdim=True), x.amax(-1, keepdim=True)
# becomes:         return (x - low) / (high - low) * self.weight + self.bias

# %% wrong: torch's RMSNorm advice="The mean is not subtracted: divide x − mean, and take the variance of it, too." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return F.rms_norm(x, x.shape[-1:], self.weight, self.eps) + self.bias

# %% wrong: square of x for the variance advice="The mean of x² is used as the variance: square x − mean, not x." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# becomes:         variance = x.pow(2).mean(dim=-1, keepdim=True)

# %% wrong: x for what is centred advice="x is divided without its mean subtracted: divide x − mean." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return x / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]

# %% wrong: mean added advice="The mean is added: subtract it." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# becomes:         centred = x + x.mean(dim=-1, keepdim=True)  # [..., d_model]

# %% wrong: median for the mean advice="The median is subtracted: subtract the mean." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# becomes:         centred = x - x.median(dim=-1, keepdim=True).values

# %% wrong: over axis 1 advice="Mean and variance run over the tokens: they have to run over the features, the last axis." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# becomes:         centred = x - x.mean(dim=1, keepdim=True)  # [..., d_model]
# becomes:         variance = centred.pow(2).mean(dim=1, keepdim=True)  # [..., 1]

# %% wrong: over the batch advice="Mean and variance run over the sequences: they have to run over the features, the last axis." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# becomes:         centred = x - x.mean(dim=0, keepdim=True)  # [..., d_model]
# becomes:         variance = centred.pow(2).mean(dim=0, keepdim=True)  # [..., 1]

# %% wrong: over batch and tokens, like batch norm advice="Mean and variance run over sequences and tokens, for each feature: they have to run over the features of each token, the last axis." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# becomes:         centred = x - x.mean(dim=(0, 1), keepdim=True)  # [..., d_model]
# becomes:         variance = centred.pow(2).mean(dim=(0, 1), keepdim=True)  # [..., 1]

# %% wrong: mean over tokens advice="The mean runs over the tokens: it has to run over the features, the last axis." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# becomes:         centred = x - x.mean(dim=-2, keepdim=True)  # [..., d_model]

# %% wrong: mean of all advice="The mean is that of all numbers: each row has its own, dim=-1." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# becomes:         centred = x - x.mean()

# %% wrong: variance of all advice="The variance is that of all numbers: each row has its own, dim=-1." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# becomes:         variance = centred.pow(2).mean()

# %% wrong: variance over tokens advice="The variance runs over the tokens: it has to run over the features, the last axis." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# becomes:         variance = centred.pow(2).mean(dim=-2, keepdim=True)  # [..., 1]

# %% wrong: mean and std of all advice="Mean and variance are those of all numbers: each row has its own, dim=-1, keepdim=True." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return (x - x.mean()) / torch.sqrt(x.var(unbiased=False) + self.eps) * self.weight + self.bias

# %% wrong: torch's function over two axes advice="Mean and variance run over all tokens of a sequence: each row of the last axis has its own." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return F.layer_norm(x, x.shape[1:], None, None, self.eps) * self.weight + self.bias

# %% wrong: weight and bias before the division advice="Weight and bias come before the division: divide first, then times weight, then plus bias." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return (centred * self.weight + self.bias) / torch.sqrt(variance + self.eps)

# %% wrong: weight and bias before the norm advice="Weight and bias come before the norm: normalise first, then times weight, then plus bias." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# becomes:         x = x * self.weight + self.bias
# becomes:         centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]

# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + self.eps)

# %% wrong: neither weight nor bias advice="Weight and bias are left out: multiply by weight, then add bias." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + self.eps)

# %% wrong: weight and bias swapped advice="Weight and bias are swapped: multiply by weight, then add bias." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + self.eps) * self.bias + self.weight  # [..., d_model]

# %% wrong: bias subtracted advice="The bias is subtracted: add it." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + self.eps) * self.weight - self.bias  # [..., d_model]

# %% wrong: weight divides advice="The row is divided by weight: multiply by it." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + self.eps) / self.weight + self.bias  # [..., d_model]

# %% wrong: weight as 1 + weight advice="1 is added to weight: multiply by weight itself, which is initialized with ones." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + self.eps) * (1 + self.weight) + self.bias  # [..., d_model]

# %% wrong: residual added advice="x is added to the result: return the normalized vectors only." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return x + centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]

# %% wrong: mean put back advice="The mean is added again: subtract it and leave it out." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return x.mean(dim=-1, keepdim=True) + centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]

# %% wrong: weight by a matrix product says="make the sizes fit" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + self.eps) @ self.weight + self.bias  # [..., d_model]

# %% wrong: keeps the input advice="The result is x unchanged: return the normalized vectors." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return x

# %% wrong: centred alone advice="Only the mean is subtracted: divide by √(variance + eps), then times weight, plus bias." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred

# %% wrong: minus sign advice="The sign is wrong: subtract the mean from x, not x from the mean." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return -centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]

# %% wrong: x taken from the mean advice="The sign is wrong: subtract the mean from x, not x from the mean." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# becomes:         centred = x.mean(dim=-1, keepdim=True) - x

# %% wrong: softmax advice="This is a softmax: subtract the mean and divide by √(variance + eps)." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return x.softmax(dim=-1) * self.weight + self.bias

# %% wrong: rounded advice="The numbers are rounded: don't round them." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return torch.round(centred / torch.sqrt(variance + self.eps) * self.weight + self.bias, decimals=2)

# %% wrong: keepdim left out of the mean says="make the sizes fit" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# becomes:         centred = x - x.mean(dim=-1)

# %% wrong: keepdim left out of the variance says="make the sizes fit" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# becomes:         variance = centred.pow(2).mean(dim=-1)

# %% wrong: axis of 1 in the wrong place says="make the sizes fit" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# becomes:         centred = x - x.mean(dim=-1)[:, None]

# %% wrong: weight begins with zeros advice="A new LayerNorm returns zeros: initialize weight with ones, torch.ones(d_model)." of="reference"
# was:             self.weight = nn.Parameter(torch.ones(d_model))
# becomes:         self.weight = nn.Parameter(torch.zeros(d_model))

# %% wrong: weight begins at random advice="A new LayerNorm scales features differently: initialize weight with ones, torch.ones(d_model)." of="reference"
# was:             self.weight = nn.Parameter(torch.ones(d_model))
# becomes:         self.weight = nn.Parameter(torch.linspace(-1, 1, d_model))

# %% wrong: bias begins with ones advice="A new LayerNorm adds 1: initialize bias with zeros." of="reference"
# was:             self.bias = nn.Parameter(torch.zeros(d_model))
# becomes:         self.bias = nn.Parameter(torch.ones(d_model))

# %% wrong: beginnings swapped advice="A new LayerNorm returns ones: initialize weight with ones and bias with zeros." of="reference"
# was:             self.weight = nn.Parameter(torch.ones(d_model))
# becomes:         self.weight = nn.Parameter(torch.zeros(d_model))

# was:             self.bias = nn.Parameter(torch.zeros(d_model))
# becomes:         self.bias = nn.Parameter(torch.ones(d_model))

# %% wrong: other names says="has no bias, weight" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             self.weight = nn.Parameter(torch.ones(d_model))
# becomes:         self.gamma = nn.Parameter(torch.ones(d_model))

# was:             self.bias = nn.Parameter(torch.zeros(d_model))
# becomes:         self.beta = nn.Parameter(torch.zeros(d_model))

# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + self.eps) * self.gamma + self.beta  # [..., d_model]

# %% wrong: plain tensors says="has no bias, weight" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             self.weight = nn.Parameter(torch.ones(d_model))
# becomes:         self.weight = torch.ones(d_model)

# was:             self.bias = nn.Parameter(torch.zeros(d_model))
# becomes:         self.bias = torch.zeros(d_model)

# %% wrong: a plain tensor for the bias says="has no bias" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             self.bias = nn.Parameter(torch.zeros(d_model))
# becomes:         self.bias = torch.zeros(d_model)

# %% wrong: no bias at all says="has no bias" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             self.bias = nn.Parameter(torch.zeros(d_model))
# was:             self.eps = eps
# becomes:         self.eps = eps

# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + self.eps) * self.weight  # [..., d_model]

# %% wrong: a layer inside says="has no bias, weight" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"]
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.norm = nn.LayerNorm(d_model, eps)

    def forward(self, x):
        return self.norm(x)

# %% wrong: eps as a parameter says="also holds eps" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             self.eps = eps
# becomes:         self.eps = nn.Parameter(torch.tensor(eps))

# %% wrong: one weight for all features says="weight has the shape" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             self.weight = nn.Parameter(torch.ones(d_model))
# becomes:         self.weight = nn.Parameter(torch.ones(1))

# %% wrong: one bias for all features says="bias has the shape" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             self.bias = nn.Parameter(torch.zeros(d_model))
# becomes:         self.bias = nn.Parameter(torch.tensor(0.0))

# %% wrong: a matrix for the weight says="weight has the shape" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             self.weight = nn.Parameter(torch.ones(d_model))
# becomes:         self.weight = nn.Parameter(torch.ones(d_model, d_model))

# %% wrong: sizes of the lesson's model says="weight has the shape" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             self.weight = nn.Parameter(torch.ones(d_model))
# becomes:         self.weight = nn.Parameter(torch.ones(48))

# %% wrong: super left out says="super().__init__()" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"]
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        centred = x - x.mean(dim=-1, keepdim=True)
        return centred / torch.sqrt(centred.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight + self.bias

# %% wrong: eps is no argument says="other arguments than it takes"
class LayerNorm(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias)

# %% wrong: weight without self says="is not defined" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + self.eps) * weight + self.bias  # [..., d_model]

# %% wrong: three axes are fixed says="as there are parts" of="reference"
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# becomes:         batch, seq, d_model = x.shape
# becomes:         variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]

# %% wrong: centred in place says="differs from its value before" fails=["layer-norm-test", "block-test", "block-dropout-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# becomes:         x -= x.mean(dim=-1, keepdim=True)
# becomes:         centred = x

# %% wrong: divided in place says="differs from its value before" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         x.copy_(centred / torch.sqrt(variance + self.eps))
# becomes:         return x * self.weight + self.bias

# %% wrong: no return says="does your function end with a return?" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         x = centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]

# %% wrong: mean as well says="it returned 2 values" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias, variance

# %% wrong: a dict says="it should have the keys normed" fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return {'out': centred / torch.sqrt(variance + self.eps) * self.weight + self.bias}

# %% wrong: flattened advice="The leading axes are gone: return the shape of x." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return (centred / torch.sqrt(variance + self.eps) * self.weight + self.bias).flatten(0, -2)

# %% wrong: turned advice="The last two axes are swapped: return the shape of x." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return (centred / torch.sqrt(variance + self.eps) * self.weight + self.bias).transpose(-2, -1)

# %% wrong: one sequence for all advice="All sequences get x − mean of sequence 0: each has its own." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred[:1] /  torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]

# %% wrong: weight as a buffer says="weight doesn't learn" fails=["layer-norm-test", "block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:             self.weight = nn.Parameter(torch.ones(d_model))
# becomes:         self.register_buffer('weight', torch.ones(d_model))

# %% wrong: bias as a buffer says="bias doesn't learn" fails=["layer-norm-test", "block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:             self.bias = nn.Parameter(torch.zeros(d_model))
# becomes:         self.register_buffer('bias', torch.zeros(d_model))

# %% wrong: weight without a gradient says="weight doesn't learn" fails=["layer-norm-test", "block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:             self.weight = nn.Parameter(torch.ones(d_model))
# becomes:         self.weight = nn.Parameter(torch.ones(d_model), requires_grad=False)

# %% wrong: mean added, variance right advice="The mean is added: subtract it." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         variance = x.var(dim=-1, keepdim=True, unbiased=False)
# becomes:         return (x + x.mean(dim=-1, keepdim=True)) / torch.sqrt(variance + self.eps) * self.weight + self.bias

# %% wrong: mean over tokens, variance right advice="The mean runs over the tokens: it has to run over the features, the last axis." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         variance = x.var(dim=-1, keepdim=True, unbiased=False)
# becomes:         return (x - x.mean(dim=-2, keepdim=True)) / torch.sqrt(variance + self.eps) * self.weight + self.bias

# %% wrong: variance over tokens, mean right advice="The variance runs over the tokens: it has to run over the features, the last axis." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         variance = x.var(dim=-2, keepdim=True, unbiased=False)
# becomes:         return (x - x.mean(dim=-1, keepdim=True)) / torch.sqrt(variance + self.eps) * self.weight + self.bias

# %% wrong: weight added advice="The weight is added: multiply by it." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + self.eps) + self.weight + self.bias  # [..., d_model]

# %% wrong: bias multiplied advice="The bias is multiplied: add it." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + self.eps) * self.weight * self.bias  # [..., d_model]

# %% wrong: numbers of the parameters alone says="no gradient flows through .data" unseen="only check_gradients catches it" fails=["layer-norm-test", "block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + self.eps) * self.weight.data + self.bias.data

# %% wrong: weight detached says="no gradient flows through .detach()" unseen="only check_gradients catches it" fails=["layer-norm-test", "block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return centred / torch.sqrt(variance + self.eps) * self.weight.detach() + self.bias

# %% wrong: x detached says="no gradient flows through .detach()" unseen="only check_gradients catches it" fails=["layer-norm-test", "tiny-lm-tied-test", "block-dropout-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# becomes:         x = x.detach()
# becomes:         centred = x - x.mean(dim=-1, keepdim=True)

# %% wrong: computed under no_grad says="no gradient flows through no_grad" unseen="only check_gradients catches it" fails=["layer-norm-test", "block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         with torch.no_grad():
# becomes:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias

# %% wrong: the standard deviation as a new tensor says="no gradient flows through" unseen="only check_gradients catches it" fails=["layer-norm-test", "tiny-lm-tied-test", "block-dropout-test"] of="reference"
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return torch.tensor((centred / torch.sqrt(variance + self.eps)).tolist()) * self.weight + self.bias

# %% wrong: NumPy in between says="no gradient flows through" unseen="only check_gradients catches it" fails=["layer-norm-test", "tiny-lm-tied-test", "block-dropout-test"]
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        numbers = x.detach().numpy()
        centred = numbers - np.mean(numbers, axis=-1, keepdims=True)
        scaled = centred / np.sqrt(np.var(numbers, axis=-1, keepdims=True) + self.eps)
        return torch.from_numpy(scaled) * self.weight + self.bias

# %% wrong: the mean detached says="no gradient flows through .detach()" unseen="only check_gradients catches it" fails=["layer-norm-test", "block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:     centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# becomes: centred = x - x.mean(dim=-1, keepdim=True).detach()

# %% wrong: the variance detached says="no gradient flows through .detach()" unseen="only check_gradients catches it" fails=["layer-norm-test", "block-dropout-test", "tiny-lm-tied-test"] of="reference"
# was:     variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# becomes: variance = centred.pow(2).mean(dim=-1, keepdim=True).detach()

# %% wrong: RMSNorm, without a bias advice="This is RMSNorm: a layer norm subtracts the mean first, divides by the root of variance + eps, and adds the bias at the end." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         square = x.pow(2).mean(dim=-1, keepdim=True)
# becomes:         return x * torch.rsqrt(square + self.eps) * self.weight

# %% wrong: RMSNorm, times 1 + weight advice="This is RMSNorm with 1 + weight: a layer norm subtracts the mean first, multiplies by weight itself, and adds the bias at the end." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         square = x.pow(2).mean(dim=-1, keepdim=True)
# becomes:         return x * torch.rsqrt(square + self.eps) * (1 + self.weight)

# %% wrong: RMSNorm, neither weight nor bias advice="This is RMSNorm alone: a layer norm subtracts the mean first, then comes the division, times weight, plus bias." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         square = x.pow(2).mean(dim=-1, keepdim=True)
# becomes:         return x * torch.rsqrt(square + self.eps)

# %% wrong: unbiased std, neither weight nor bias advice="Divide by the root of the plain mean of squares, with unbiased=False, then multiply by weight and add bias: here x.std divides by d_model − 1, and weight and bias are left out." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         mean, std = x.mean(dim=-1, keepdim=True), x.std(dim=-1, keepdim=True)
# becomes:         return (x - mean) / (std + self.eps)

# %% wrong: unbiased std, no bias advice="Divide by the root of the plain mean of squares, with unbiased=False, and add bias at the end: here x.std divides by d_model − 1, and the bias is left out." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         mean, std = x.mean(dim=-1, keepdim=True), x.std(dim=-1, keepdim=True)
# becomes:         return self.weight * (x - mean) / (std + self.eps)

# %% wrong: each vector made of length 1 advice="Subtract the mean and divide by √(variance + eps): here each vector was divided by its length." fails=["layer-norm-test", "block-test", "block-dropout-test", "tiny-lm-test", "tiny-lm-tied-test"] of="reference"
# was:             centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
# was:             variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
# was:             return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
# becomes:         return F.normalize(x, dim=-1) * self.weight + self.bias

# %% wrong: in eval mode, the mean and variance of the last training call says="in larger rows in eval mode" unseen="no visible test has such an input" visible=false fails=["layer-norm-test", "block-test", "tiny-lm-test", "tiny-lm-tied-test"]
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight, self.bias, self.eps = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model)), eps
        self.seen = None

    def forward(self, x):
        if self.training or self.seen is None:
            mean, var = x.mean(dim=-1, keepdim=True), x.var(dim=-1, keepdim=True, unbiased=False)
            if self.training:
                self.seen = mean.detach().mean(), var.detach().mean()
        else:
            mean, var = self.seen
        return (x - mean) / torch.sqrt(var + self.eps) * self.weight + self.bias
