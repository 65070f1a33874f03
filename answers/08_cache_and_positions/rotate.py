# %% right: complex numbers
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError(f"d is {d}, which is odd")
    speeds = np.power(float(base), -np.arange(0, d, 2) / d)
    points = (x[..., ::2] + 1j * x[..., 1::2]) * np.exp(1j * np.outer(positions, speeds))
    turned = np.zeros(x.shape)
    turned[..., ::2], turned[..., 1::2] = points.real, points.imag
    return turned

# %% right: loops over all numbers
def rotate(x, positions, base=10000.0):
    *_, d = x.shape
    if d & 1:
        raise ValueError("d must be even, but is " + str(d))
    turned = np.zeros(x.shape)
    for *front, t, i in np.ndindex(*x.shape[:-1], d // 2):
        angle = positions[t] / base ** (2 * i / d)
        first, second = (*front, t, 2 * i), (*front, t, 2 * i + 1)
        turned[first] = x[first] * math.cos(angle) - x[second] * math.sin(angle)
        turned[second] = x[first] * math.sin(angle) + x[second] * math.cos(angle)
    return turned

# %% right: a 2 by 2 matrix for each token and pair, einsum
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError(f"can't make pairs of {d} features")
    pairs = x.reshape(*x.shape[:-1], d // 2, 2)
    angles = np.outer(positions, float(base) ** -np.linspace(0, 1, pairs.shape[-2], endpoint=False))
    c, s = np.cos(angles), np.sin(angles)
    return np.einsum("rcni,...nic->...nir", np.array([[c, -s], [s, c]]), pairs).reshape(x.shape)

# %% right: stacked and reshaped
def rotate(x, positions, base=10000.0):
    d = np.shape(x)[-1]
    if d & 1:
        raise ValueError(f"{d} is no even number of features")
    angles = np.c_[positions] * np.exp(-math.log(base) * np.arange(0, d, 2) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    c, s = np.cos(angles), np.sin(angles)
    return np.stack([a * c - b * s, b * c + a * s], axis=-1).reshape(x.shape)

# %% right: features times cosine, their partners times sine
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError(f"the number of features, {d}, is odd")
    angles = np.repeat(np.asarray(positions)[:, None] * base ** (-(np.arange(d)[::2] / d)), 2, axis=1)
    partner = np.stack([-x[..., 1::2], x[..., ::2]], axis=-1).reshape(x.shape)
    return x * np.cos(angles) + partner * np.sin(angles)

# %% right: torch's complex numbers
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError(f"odd: {d}")
    x, p = (torch.from_numpy(np.array(one, dtype=float)) for one in (x, positions))
    angles = torch.outer(p, torch.from_numpy(base ** (-np.arange(0, d, 2) / d)))
    turned = torch.complex(x[..., 0::2], x[..., 1::2]) * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turned).flatten(-2).numpy()

# %% right: one large matrix for each token
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError(f"{d} features do not make pairs")
    turned = np.zeros(x.shape)
    for t, p in enumerate(positions):
        matrix = np.zeros((d, d))
        for i in range(0, d, 2):
            angle = p * base ** (-i / d)
            matrix[i:i + 2, i:i + 2] = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
        turned[..., t, :] = x[..., t, :] @ matrix.T
    return turned

# %% right: radius and direction
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError(f"{d} features do not make pairs")
    first, second = x[..., 0::2], x[..., 1::2]
    radius = np.hypot(first, second)
    angles = np.arctan2(second, first) + np.asarray(positions)[:, None] * base ** (-np.arange(0, d, 2) / d)
    return np.dstack([(radius * np.cos(angles)).ravel(), (radius * np.sin(angles)).ravel()]).reshape(x.shape)

# %% right: token by token in lists
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError(f"{d} features do not make pairs")
    if x.ndim > 2:
        return [rotate(part, positions, base) for part in x]
    rows = []
    for row, p in zip(x, positions):
        points = [complex(a, b) * np.exp(1j * p * base ** (-2 * i / d)) for i, (a, b) in enumerate(zip(row[::2], row[1::2]))]
        rows.append([part for z in points for part in (z.real, z.imag)])
    return rows

# %% wrong: i/d for 2i/d advice="The later pairs rotate too quickly: pair i has the speed base^(−2i/d), with 2i in the exponent, not i." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = base ** (-np.arange(d // 2) / d)

# %% wrong: turned backwards advice="Each point is rotated in the wrong direction: it is (a cos − b sin, a sin + b cos), with a the feature 2i and b the feature 2i + 1." of="reference"
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     rotated[..., 0::2] = x[..., 0::2] * cos + x[..., 1::2] * sin
# becomes:     rotated[..., 1::2] = x[..., 1::2] * cos - x[..., 0::2] * sin

# %% wrong: speeds grow advice="The speeds grow from pair to pair: multiply the positions by base^(−2i/d), with a minus in the exponent." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = base ** (np.arange(0, d, 2) / d)

# %% wrong: 2i over half of d advice="The later pairs rotate too slowly: pair i has the speed base^(−2i/d), so with 4 features and base 10000 the speeds are 1 and 0.01." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = base ** (-np.arange(0, d, 2) / (d // 2))

# %% wrong: positions counted from 1 advice="The positions are larger by 1: use them unchanged." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = (np.asarray(positions)[:, None] + 1) * theta

# %% wrong: the base is ignored advice="The argument base is ignored: use base instead of 10000." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = 10000.0 ** (-np.arange(0, d, 2) / d)

# %% wrong: plus twice advice="The first of each pair has the wrong sign: it is a cos − b sin." of="reference"
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# becomes:     rotated[..., 0::2] = x[..., 0::2] * cos + x[..., 1::2] * sin

# %% wrong: exponents counted from -2 advice="The exponents are shifted by one pair: pair i has the speed base^(−2i/d), and i starts at 0, so that pair 0 has the speed 1." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = base ** (-np.arange(-2, d - 2, 2) / d)

# %% wrong: exponents counted from -2, turned backwards advice="The exponents are shifted by one pair, and the direction is wrong: pair i has the speed base^(−2i/d), where i starts at 0, and the first of each pair is a cos − b sin." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = base ** (-np.arange(-2, d - 2, 2) / d)
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     rotated[..., 0::2] = x[..., 0::2] * cos + x[..., 1::2] * sin
# becomes:     rotated[..., 1::2] = x[..., 1::2] * cos - x[..., 0::2] * sin

# %% wrong: cosine and sine exchanged advice="Cosine and sine are swapped: the first is a cos − b sin." of="reference"
# was:     cos, sin = np.cos(angles), np.sin(angles)
# becomes:     sin, cos = np.cos(angles), np.sin(angles)

# %% wrong: written into a copy of x advice="The result is cut to whole numbers, because x holds integers here: keep the result as floats, in an array such as np.empty(x.shape), and don't convert it to the type of x." of="reference"
# was:     rotated = np.empty(x.shape)
# becomes:     rotated = x.copy()

# %% wrong: half-split, by a reshape advice="Feature i was paired with i + d/2: here pairs are neighbours, 2i and 2i + 1." of="reference"
# was:     rotated = np.empty(x.shape)
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# was:     return rotated
# becomes:     a, b = np.moveaxis(x.reshape(*x.shape[:-1], 2, -1), -2, 0)
# becomes:     return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)

# %% wrong: in degrees advice="The angles were converted to degrees: they are radians, as np.cos takes them." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = np.degrees(np.asarray(positions)[:, None] * theta)

# %% wrong: positions ignored advice="The angles are those of the positions 0, 1, 2, …: take the argument positions." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = np.arange(x.shape[-2])[:, None] * theta

# %% wrong: the first half of the speeds of all features advice="The later pairs rotate too quickly: pair i has the speed base^(−2i/d), with 2i in the exponent, not i." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = (base ** (-np.arange(d) / d))[:d // 2]

# %% wrong: the last speed is 1/base advice="The later pairs rotate too slowly: pair i has the speed base^(−2i/d), so with 4 features and base 10000 the speeds are 1 and 0.01." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = base ** -np.linspace(0, 1, d // 2)

# %% wrong: whole numbers in the exponent advice="The later pairs rotate too slowly: pair i has the speed base^(−2i/d), so with 4 features and base 10000 the speeds are 1 and 0.01." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = base ** (-np.arange(0, d, 2) // d)

# %% wrong: 2 counted twice advice="The later pairs rotate too slowly: pair i has the speed base^(−2i/d), so with 4 features and base 10000 the speeds are 1 and 0.01." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = base ** (-2 * np.arange(0, d, 2) / d)

# %% wrong: not divided by d advice="Pair 1 does not rotate, or hardly at all: rotate all d/2 pairs, pair i with the speed base^(−2i/d)." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = base ** (-np.arange(0, d, 2))

# %% wrong: divided by d after the power advice="The power is divided by d, not its exponent: put −2i/d in parentheses, because ** binds more tightly than /." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = base ** -np.arange(0, d, 2) / d

# %% wrong: pairs counted from 1 advice="Pair 0 doesn't rotate by 1 for each position: count the pairs from 0, so that its exponent is 0." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = base ** (-np.arange(2, d + 2, 2) / d)

# %% wrong: odd places in the exponent advice="Pair 0 doesn't rotate by 1 for each position: the exponents are −2i/d for i = 0, 1, …." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = base ** (-np.arange(1, d, 2) / d)

# %% wrong: speeds in reverse order advice="The speeds are in reverse order: pair 0 is the fastest, with speed 1." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = base ** (-np.arange(0, d, 2) / d)[::-1]

# %% wrong: one speed for all pairs advice="Every pair rotates at the same speed: pair i has the speed base^(−2i/d), with d the last size of x." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = np.ones(d // 2)

# %% wrong: d from the axis of tokens advice="Every pair rotates at the same speed: pair i has the speed base^(−2i/d), with d the last size of x." of="reference"
# was:     d = x.shape[-1]
# becomes:     d = x.shape[1]

# %% wrong: base to the power of e advice="The speeds are e^(−2i/d): use powers of base." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = np.exp(-np.arange(0, d, 2) / d)

# %% wrong: logarithm forgotten advice="Pair 1 does not rotate, or hardly at all: rotate all d/2 pairs, pair i with the speed base^(−2i/d)." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = np.exp(-base * np.arange(0, d, 2) / d)

# %% wrong: base 1000 advice="The speed of pair 1 is 0.0316 here, as with base 1000: use the argument base, which defaults to 10000." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = 1000.0 ** (-np.arange(0, d, 2) / d)

# %% wrong: positions from 1 to n advice="The angles are those of the positions 1, 2, …: take the argument positions." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = np.arange(1, x.shape[-2] + 1)[:, None] * theta

# %% wrong: distances from the first token advice="The first token is not rotated: take the positions as they are, without subtracting the first one." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     p = np.asarray(positions)
# becomes:     angles = (p - p[0])[:, None] * theta

# %% wrong: positions in reverse order advice="The positions are in reverse order: token 0 has the first of them." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = np.asarray(positions)[::-1, None] * theta

# %% wrong: positions sorted advice="The positions were sorted: each token keeps its own." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = np.sort(positions)[:, None] * theta

# %% wrong: one position for all tokens advice="Every token rotates by the angles of the first position: each has its own." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = np.asarray(positions)[:1, None] * theta

# %% wrong: whole positions only advice="A position of 0.5 became an integer: take positions as they are." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = np.asarray(positions).astype(int)[:, None] * theta

# %% wrong: positions without their sign advice="Position −3 is rotated like 3: keep the sign." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = np.abs(positions)[:, None] * theta

# %% wrong: negative positions become 0 advice="Position −3 is rotated like 0: keep negative positions as they are." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = np.maximum(positions, 0)[:, None] * theta

# %% wrong: a table of 32 positions says="out of bounds" of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     table = np.arange(32)[:, None] * theta
# becomes:     angles = table[np.asarray(positions).astype(int)]

# %% wrong: from degrees to radians advice="The angles were taken for degrees: they are radians already, as np.cos takes them." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = np.radians(np.asarray(positions)[:, None] * theta)

# %% wrong: whole turns advice="The angles are 2π times as large: they are positions times speeds, in radians." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = 2 * np.pi * np.asarray(positions)[:, None] * theta

# %% wrong: position plus speed advice="Positions and speeds are added: multiply them." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = np.asarray(positions)[:, None] + theta

# %% wrong: position over speed advice="The speeds grow from pair to pair: multiply the positions by base^(−2i/d), with a minus in the exponent." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = np.asarray(positions)[:, None] / theta

# %% wrong: no column made of the positions advice="All tokens rotate by the same angles, pair 0 by the first position and pair 1 by the second: make a column of the positions with [:, None]." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = np.asarray(positions) * theta

# %% wrong: speeds as the column advice="The table of angles is transposed: its rows are tokens and its columns pairs, so the positions are the column." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = np.asarray(positions) * theta[:, None]

# %% wrong: outer product the other way advice="The table of angles is transposed: its rows are tokens and its columns pairs, so the positions are the column." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = np.outer(theta, positions)

# %% wrong: positions along the first axis advice="The positions run along the first axis, the sequences: they belong to the tokens, the last axis but one." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = angles[(slice(None), *[None] * (x.ndim - 2))]

# %% wrong: the second feature of a pair is taken for the first advice="Each point is rotated in the wrong direction: it is (a cos − b sin, a sin + b cos), with a the feature 2i and b the feature 2i + 1." of="reference"
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     rotated[..., 1::2] = x[..., 1::2] * cos - x[..., 0::2] * sin
# becomes:     rotated[..., 0::2] = x[..., 1::2] * sin + x[..., 0::2] * cos

# %% wrong: a rotation matrix turned advice="Each point is rotated in the wrong direction: it is (a cos − b sin, a sin + b cos), with a the feature 2i and b the feature 2i + 1." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = -np.asarray(positions)[:, None] * theta

# %% wrong: minus twice advice="The second of each pair has the wrong sign: it is a sin + b cos." of="reference"
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     rotated[..., 1::2] = x[..., 0::2] * sin - x[..., 1::2] * cos

# %% wrong: the second one's sign exchanged advice="The second of each pair has the wrong sign: it is a sin + b cos, and here it is b cos − a sin." of="reference"
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     rotated[..., 1::2] = x[..., 1::2] * cos - x[..., 0::2] * sin

# %% wrong: speed to the power of the position advice="The speeds are raised to the power of the position: the angle is position times speed." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = theta ** np.asarray(positions, dtype=float)[:, None]

# %% wrong: sine in place of the cosine advice="The cosine is missing: the first of a pair is a cos − b sin, and the second a sin + b cos." of="reference"
# was:     cos, sin = np.cos(angles), np.sin(angles)
# becomes:     cos, sin = np.sin(angles), np.sin(angles)

# %% wrong: halves, with the angles of neighbours advice="Feature i is paired with i + d/2, but the angles are those of neighbours: pair 2i with 2i + 1, and give both the angle of pair i." of="reference"
# was:     rotated = np.empty(x.shape)
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     angles = np.repeat(angles, 2, axis=-1)
# becomes:     turned = np.concatenate([-x[..., d // 2:], x[..., :d // 2]], axis=-1)
# becomes:     rotated = x * np.cos(angles) + turned * np.sin(angles)

# %% wrong: no partner in the second advice="The second of each pair was made of b alone: it is a sin + b cos, with a the feature before it." of="reference"
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     rotated[..., 1::2] = x[..., 1::2] * sin + x[..., 1::2] * cos

# %% wrong: no partner in the first advice="The first of each pair was made of a alone: it is a cos − b sin, with b the feature after it." of="reference"
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# becomes:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 0::2] * sin

# %% wrong: cosine times the first, sine times the second advice="Each feature was multiplied by a single factor: the first is a cos − b sin, the second a sin + b cos." of="reference"
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     rotated[..., 0::2] = x[..., 0::2] * cos
# becomes:     rotated[..., 1::2] = x[..., 1::2] * sin

# %% wrong: first overwritten advice="The first of each pair was overwritten before the second was made: use the old one in both formulas." of="reference"
# was:     rotated = np.empty(x.shape)
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     rotated = np.array(x)
# becomes:     rotated[..., 0::2] = rotated[..., 0::2] * cos - rotated[..., 1::2] * sin
# becomes:     rotated[..., 1::2] = rotated[..., 0::2] * sin + rotated[..., 1::2] * cos

# %% wrong: first overwritten in x itself advice="The first of each pair was overwritten before the second was made: use the old one in both formulas." of="reference"
# was:     rotated = np.empty(x.shape)
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     rotated = x
# becomes:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# becomes:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos

# %% wrong: first overwritten through a view advice="The first of each pair was overwritten before the second was made: use the old one in both formulas." of="reference"
# was:     rotated = np.empty(x.shape)
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     rotated = np.array(x)
# becomes:     a, b = rotated[..., 0::2], rotated[..., 1::2]
# becomes:     rotated[..., 0::2] = a * cos - b * sin
# becomes:     rotated[..., 1::2] = a * sin + b * cos

# %% wrong: second overwritten advice="The second of each pair was overwritten before the first was made: use the old one in both formulas." of="reference"
# was:     rotated = np.empty(x.shape)
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     rotated = np.array(x)
# becomes:     rotated[..., 1::2] = rotated[..., 0::2] * sin + rotated[..., 1::2] * cos
# becomes:     rotated[..., 0::2] = rotated[..., 0::2] * cos - rotated[..., 1::2] * sin

# %% wrong: x changed in place says="differs from its value before" of="reference"
# was:     rotated = np.empty(x.shape)
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# was:     return rotated
# becomes:     a, b = x[..., 0::2].copy(), x[..., 1::2].copy()
# becomes:     x[..., 0::2], x[..., 1::2] = a * cos - b * sin, a * sin + b * cos
# becomes:     return x

# %% wrong: half-split advice="Feature i was paired with i + d/2: here pairs are neighbours, 2i and 2i + 1." of="reference"
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     h = d // 2
# becomes:     rotated[..., :h] = x[..., :h] * cos - x[..., h:] * sin
# becomes:     rotated[..., h:] = x[..., :h] * sin + x[..., h:] * cos

# %% wrong: half-split, backwards advice="Feature i was paired with i + d/2, and the points rotate in the wrong direction: pairs are neighbours, 2i and 2i + 1, and become (a cos − b sin, a sin + b cos)." of="reference"
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     h = d // 2
# becomes:     rotated[..., :h] = x[..., :h] * cos + x[..., h:] * sin
# becomes:     rotated[..., h:] = x[..., h:] * cos - x[..., :h] * sin

# %% wrong: given back in halves advice="The rotated features are in the wrong places: first and second features of the pairs must alternate, 0::2 and 1::2." of="reference"
# was:     rotated = np.empty(x.shape)
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# was:     return rotated
# becomes:     a, b = x[..., 0::2], x[..., 1::2]
# becomes:     return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)

# %% wrong: stacked along the wrong axis advice="The rotated features are in the wrong places: first and second features of the pairs must alternate, 0::2 and 1::2." of="reference"
# was:     rotated = np.empty(x.shape)
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# was:     return rotated
# becomes:     a, b = x[..., 0::2], x[..., 1::2]
# becomes:     return np.stack([a * cos - b * sin, a * sin + b * cos], axis=-2).reshape(x.shape)

# %% wrong: halves read, neighbours written advice="Feature i was paired with i + d/2 and written among neighbours: read the features 0::2 and 1::2, too." of="reference"
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     a, b = x[..., :d // 2], x[..., d // 2:]
# becomes:     rotated[..., 0::2] = a * cos - b * sin
# becomes:     rotated[..., 1::2] = a * sin + b * cos

# %% wrong: first and last make a pair advice="Feature i was paired with d − 1 − i: pairs are neighbours, 2i and 2i + 1." of="reference"
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     h = d // 2
# becomes:     a, b = x[..., :h], x[..., :h - 1:-1]
# becomes:     rotated[..., :h] = a * cos - b * sin
# becomes:     rotated[..., :h - 1:-1] = a * sin + b * cos

# %% wrong: the two of a pair exchanged advice="The two features of each pair are swapped: a cos − b sin comes first." of="reference"
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     rotated[..., 1::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# becomes:     rotated[..., 0::2] = x[..., 0::2] * sin + x[..., 1::2] * cos

# %% wrong: each feature has its own angle advice="The two features of a pair rotate by different angles: both take that of pair i, position · base^(−2i/d)." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# was:     angles = np.asarray(positions)[:, None] * theta
# was:     cos, sin = np.cos(angles), np.sin(angles)
# was:     rotated = np.empty(x.shape)
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# was:     return rotated
# becomes:     angles = np.asarray(positions)[:, None] * base ** (-np.arange(d) / d)
# becomes:     partner = np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)
# becomes:     return x * np.cos(angles) + partner * np.sin(angles)

# %% wrong: angles tiled, not repeated advice="The angles run 0, 1, 0, 1, … over the features: neighbours make a pair, so each angle occurs twice in a row (np.repeat)." of="reference"
# was:     cos, sin = np.cos(angles), np.sin(angles)
# was:     rotated = np.empty(x.shape)
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# was:     return rotated
# becomes:     angles = np.concatenate([angles, angles], axis=-1)
# becomes:     partner = np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)
# becomes:     return x * np.cos(angles) + partner * np.sin(angles)

# %% wrong: only the first pair turned advice="Pair 1 does not rotate, or hardly at all: rotate all d/2 pairs, pair i with the speed base^(−2i/d)." of="reference"
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     rotated[:] = x
# becomes:     rotated[..., 0] = x[..., 0] * cos[:, 0] - x[..., 1] * sin[:, 0]
# becomes:     rotated[..., 1] = x[..., 0] * sin[:, 0] + x[..., 1] * cos[:, 0]

# %% wrong: the last pair left out advice="The last pair is missing: there are d/2 pairs." of="reference"
# was:     rotated = np.empty(x.shape)
# becomes:     rotated = np.zeros(x.shape)
# becomes:     cos[:, -1] = sin[:, -1] = 0

# %% wrong: waves added advice="The waves are added to the features: rotate each pair instead, (a cos − b sin, a sin + b cos)." of="reference"
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     rotated[..., 0::2] = x[..., 0::2] + sin
# becomes:     rotated[..., 1::2] = x[..., 1::2] + cos

# %% wrong: the partner added without a factor advice="b is subtracted as it is: multiply it by the sine, a cos − b sin." of="reference"
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# becomes:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2]

# %% wrong: whole numbers come back advice="The results were cut to integers: make an array of floats for them." of="reference"
# was:     rotated = np.empty(x.shape)
# becomes:     rotated = np.empty(x.shape, dtype=int)

# %% wrong: an axis too many advice="Each pair has an axis of its own: reshape what you stacked to the shape of x." of="reference"
# was:     rotated = np.empty(x.shape)
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# was:     return rotated
# becomes:     a, b = x[..., 0::2], x[..., 1::2]
# becomes:     return np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1)

# %% wrong: a tuple of both halves advice="Two halves were returned: write both into one array like x, at 0::2 and 1::2." of="reference"
# was:     rotated = np.empty(x.shape)
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# was:     return rotated
# becomes:     a, b = x[..., 0::2], x[..., 1::2]
# becomes:     return a * cos - b * sin, a * sin + b * cos

# %% wrong: complex numbers come back advice="Only the first feature of each pair was returned: write both of them, at 0::2 and 1::2." of="reference"
# was:     rotated = np.empty(x.shape)
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# was:     return rotated
# becomes:     return ((x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * angles)).real

# %% wrong: forgets return says="does your function end with a return?" of="reference"
# was:     return rotated
# becomes:

# %% wrong: two axes only says="values" of="reference"
# was:     d = x.shape[-1]
# becomes:     n, d = x.shape

# %% wrong: slices of the second axis says="could not be broadcast" of="reference"
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     rotated[:, 0::2] = x[:, 0::2] * cos - x[:, 1::2] * sin
# becomes:     rotated[:, 1::2] = x[:, 0::2] * sin + x[:, 1::2] * cos

# %% wrong: two axes in front only says="the left side of = has another size" of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = np.asarray(positions)[None, :, None] * theta
# becomes:     angles = np.repeat(angles, len(x), axis=0)

# %% wrong: angles for every feature says="could not be broadcast" of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = base ** (-np.arange(d) / d)

# %% wrong: math.cos of an array says="one number is expected here" of="reference"
# was:     cos, sin = np.cos(angles), np.sin(angles)
# becomes:     cos, sin = math.cos(angles), math.sin(angles)

# %% wrong: theta is no name says="is not defined" of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = np.asarray(positions)[:, None] * speeds

# %% wrong: odd sizes not refused says="Check d before you compute" of="reference"
# was:     if d % 2:
# was:         raise ValueError(f"{d} features do not make pairs")
# becomes:

# %% wrong: odd sizes: the sentence does not name d says="raise a ValueError whose message names d" of="reference"
# was:         raise ValueError(f"{d} features do not make pairs")
# becomes:         raise ValueError("the number of features is odd")

# %% wrong: odd sizes: an assert says="should raise ValueError, not AssertionError" of="reference"
# was:     if d % 2:
# was:         raise ValueError(f"{d} features do not make pairs")
# becomes:     assert d % 2 == 0, f"{d} features do not make pairs"

# %% wrong: odd sizes: another error says="should raise ValueError, not TypeError" of="reference"
# was:         raise ValueError(f"{d} features do not make pairs")
# becomes:         raise TypeError(f"{d} features do not make pairs")

# %% wrong: odd sizes: printed says="does your function end with a return?" of="reference"
# was:         raise ValueError(f"{d} features do not make pairs")
# becomes:         print(f"{d} features do not make pairs")
# becomes:         return None

# %% wrong: odd sizes: the last feature dropped advice="An odd number of features can't be paired: raise a ValueError whose message names d." of="reference"
# was:     if d % 2:
# was:         raise ValueError(f"{d} features do not make pairs")
# becomes:     x = x[..., :d // 2 * 2]
# becomes:     d = x.shape[-1]

# %% wrong: odd sizes: the last feature as it was advice="An odd number of features can't be paired: raise a ValueError whose message names d." of="reference"
# was:         raise ValueError(f"{d} features do not make pairs")
# becomes:         return np.concatenate([rotate(x[..., :-1], positions, base), x[..., -1:]], axis=-1)

# %% wrong: odd numbers of tokens refused says="this line refuses too much" of="reference"
# was:     if d % 2:
# becomes:     if x.shape[-2] % 2:

# %% wrong: even sizes refused says="this line refuses too much" of="reference"
# was:     if d % 2:
# becomes:     if d % 2 == 0:

# %% wrong: half-split, positions ignored advice="Pairs are neighbours, 2i and 2i + 1, and the angles come from the argument positions: here i is paired with i + d/2, and the positions are 0, 1, 2, …" of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = np.arange(x.shape[-2])[:, None] * theta
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     h = d // 2
# becomes:     rotated[..., :h] = x[..., :h] * cos - x[..., h:] * sin
# becomes:     rotated[..., h:] = x[..., :h] * sin + x[..., h:] * cos

# %% wrong: half-split, i/d for 2i/d advice="Pairs are neighbours, 2i and 2i + 1, and pair i has the speed base^(−2i/d): here i is paired with i + d/2, and the speed is base^(−i/d)." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes:     theta = base ** (-np.arange(d // 2) / d)
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     h = d // 2
# becomes:     rotated[..., :h] = x[..., :h] * cos - x[..., h:] * sin
# becomes:     rotated[..., h:] = x[..., :h] * sin + x[..., h:] * cos

# %% wrong: waves added, sines before cosines advice="These are the waves of another positional encoding, added to the features, sines first: rotate each pair instead, (a cos − b sin, a sin + b cos)." of="reference"
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     rotated[...] = x + np.concatenate([sin, cos], axis=-1)

# %% wrong: only the waves advice="These are the sines and cosines alone: rotate each pair of features by their angle, (a cos − b sin, a sin + b cos)." of="reference"
# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes:     rotated[..., 0::2] = sin
# becomes:     rotated[..., 1::2] = cos

# %% wrong: neighbours, rotated backwards, positions ignored advice="Take the argument positions, and rotate (a, b) to (a cos − b sin, a sin + b cos): here the positions are 0, 1, 2, …, and the direction is the other one." of="reference"
# was:     angles = np.asarray(positions)[:, None] * theta
# becomes:     angles = -np.arange(x.shape[-2])[:, None] * theta

# %% wrong: positions in the dtype of x: real positions are cut if the features are integers says="in the rotated features" unseen="no visible test has such an input" visible=false fails=["rotate-test"]
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError(f"d must be even, not {d}")
    places = np.asarray(positions).astype(x.dtype)
    angles = places[:, None] * float(base) ** (-np.arange(0, d, 2) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    out = np.empty(x.shape)
    out[..., 0::2] = a * np.cos(angles) - b * np.sin(angles)
    out[..., 1::2] = a * np.sin(angles) + b * np.cos(angles)
    return out

# %% wrong: half-split results, and i/d for 2i/d advice="The rotated features of pair i belong to 2i and 2i + 1, not to i and i + d/2, and its speed is base^(−2i/d), with 2i in the exponent." of="reference"
# was:     theta = base ** (-np.arange(0, d, 2) / d)
# becomes: theta = base ** (-np.arange(d // 2) / d)

# was:     rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# was:     rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
# becomes: rotated[..., : d // 2] = x[..., 0::2] * cos - x[..., 1::2] * sin
# becomes: rotated[..., d // 2 :] = x[..., 0::2] * sin + x[..., 1::2] * cos

# %% wrong: one feature is returned as it is says="1 features must raise a ValueError" unseen="no visible test has such an input" visible=false fails=["rotate-test"]
def rotate(x, positions, base=10000.0):
    x = np.asarray(x)
    d = x.shape[-1]
    if d == 1:
        return x.astype(float)
    if d % 2:
        raise ValueError(f'{d} features')
    positions = np.asarray(positions)
    angles = positions[:, None] * base ** (-np.arange(0, d, 2) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    result = np.empty(x.shape)
    result[..., 0::2] = a * np.cos(angles) - b * np.sin(angles)
    result[..., 1::2] = a * np.sin(angles) + b * np.cos(angles)
    return result
