# %% right: by expm1 and log1p
def forget_bias_for(steps, kept):
    rate = -math.log(kept) / steps
    return -math.log(math.expm1(rate))

# %% right: torch.logit
def forget_bias_for(steps, kept):
    gate = torch.tensor(kept, dtype=torch.float64) ** (1 / steps)
    return torch.logit(gate).item()

# %% right: numpy
def forget_bias_for(steps, kept):
    gate = np.exp(np.log(kept) / steps)
    return float(np.log(gate) - np.log1p(-gate))

# %% right: halving an interval
def forget_bias_for(steps, kept):
    low, high = -50.0, 50.0
    for _ in range(80):
        middle = (low + high) / 2
        if (1 / (1 + math.exp(-middle))) ** steps < kept:
            low = middle
        else:
            high = middle
    return low

# %% right: Newton's steps on the logarithm
def forget_bias_for(steps, kept):
    bias, goal = 0.0, math.log(kept) / steps
    for _ in range(100):
        gate = 1 / (1 + math.exp(-bias))
        bias -= (math.log(gate) - goal) / (1 - gate)
    return bias

# %% right: minus the logarithm of 1/gate − 1
def forget_bias_for(steps, kept):
    return -math.log((1 / kept) ** (1 / steps) - 1)

# %% right: by the inverse of tanh
def forget_bias_for(steps, kept):
    return 2 * math.atanh(2 * math.pow(kept, 1 / steps) - 1)

# %% wrong: power for root advice="kept is taken to the power of steps: take the root, kept ** (1 / steps)." of="reference"
# was:     gate = kept ** (1 / steps)
# becomes: gate = kept ** steps

# %% wrong: without brackets advice="kept is divided by steps: in kept ** 1 / steps the power comes first, so write kept ** (1 / steps)." of="reference"
# was:     gate = kept ** (1 / steps)
# becomes: gate = kept ** 1 / steps

# %% wrong: divided by the steps advice="kept is divided by steps: in kept ** 1 / steps the power comes first, so write kept ** (1 / steps)." of="reference"
# was:     gate = kept ** (1 / steps)
# becomes: gate = kept / steps

# %% wrong: the same loss each step advice="The loss is divided among the steps: each step multiplies what is left, so take the root, kept ** (1 / steps)." of="reference"
# was:     gate = kept ** (1 / steps)
# becomes: gate = 1 - (1 - kept) / steps

# %% wrong: no root advice="This is the bias for one step: take the root of kept first, kept ** (1 / steps)." of="reference"
# was:     gate = kept ** (1 / steps)
# becomes: gate = kept

# %% wrong: always the square root advice="This is the square root of kept: its degree is the number of steps." of="reference"
# was:     gate = kept ** (1 / steps)
# becomes: gate = math.sqrt(kept)

# %% wrong: one step too many advice="The root has the degree steps + 1: take kept ** (1 / steps)." of="reference"
# was:     gate = kept ** (1 / steps)
# becomes: gate = kept ** (1 / (steps + 1))

# %% wrong: one step too few advice="The root has the degree steps − 1: take kept ** (1 / steps)." of="reference"
# was:     gate = kept ** (1 / steps)
# becomes: gate = kept ** (1 / max(steps - 1, 1))

# %% wrong: the share that is lost advice="The root is taken of what is lost, 1 − kept: take it of kept." of="reference"
# was:     gate = kept ** (1 / steps)
# becomes: gate = (1 - kept) ** (1 / steps)

# %% wrong: one minus the root of what is lost advice="This is 1 minus the root of what is lost, 1 − kept: take the root of kept." of="reference"
# was:     gate = kept ** (1 / steps)
# becomes: gate = 1 - (1 - kept) ** (1 / steps)

# %% wrong: what one step loses advice="The sign is turned: the bias is the logarithm of gate / (1 − gate), not of (1 − gate) / gate." of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return math.log((1 - gate) / gate)

# %% wrong: a forgotten minus advice="The sign is turned: the bias is the logarithm of gate / (1 − gate), not of (1 − gate) / gate." of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return math.log(1 / gate - 1)

# %% wrong: the gate advice="This is what one step keeps, the gate: find the bias whose sigmoid it is, log(gate / (1 − gate))." of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return gate

# %% wrong: no logarithm advice="The logarithm is missing: take it of gate / (1 − gate)." of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return gate / (1 - gate)

# %% wrong: 1 / gate − 1 advice="This is (1 − gate) / gate: the bias is minus its logarithm." of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return 1 / gate - 1

# %% wrong: the logarithm of the gate alone advice="This is the logarithm of the gate: divide the gate by 1 − gate first." of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return math.log(gate)

# %% wrong: the logarithm of what is lost advice="This is log(1 / (1 − gate)): take log(gate / (1 − gate)); math.log1p would add 1." of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return -math.log(1 - gate)

# %% wrong: brackets missing advice="1 is divided away, not subtracted first: put 1 − gate into brackets, gate / (1 − gate)." of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return math.log(gate / 1 + gate)

# %% wrong: plus for minus advice="The gate is divided by 1 + gate: divide it by 1 − gate." of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return math.log(gate / (1 + gate))

# %% wrong: decimal logarithm advice="This is a logarithm of base 10: take the natural one, math.log." of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return math.log10(gate / (1 - gate))

# %% wrong: logarithm of base 2 advice="This is a logarithm of base 2: take the natural one, math.log." of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return math.log2(gate / (1 - gate))

# %% wrong: log1p for log advice="This is log(1 / (1 − gate)): take log(gate / (1 − gate)); math.log1p would add 1." of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return math.log1p(gate / (1 - gate))

# %% wrong: the sigmoid again advice="The sigmoid is taken of the gate: solve it for its argument, log(gate / (1 − gate))." of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return 1 / (1 + math.exp(-gate))

# %% wrong: inverse of tanh advice="This is half of the bias, as from math.atanh(2 · gate − 1): multiply by 2, or take log(gate / (1 − gate))." of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return math.atanh(2 * gate - 1)

# %% wrong: inverse of tanh of the gate advice="This is the bias for a gate of tanh: for the sigmoid take log(gate / (1 − gate))." of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return math.atanh(gate)

# %% wrong: bias divided by the steps advice="The bias for one step is divided by steps: take the root of kept first, and then the bias of that." of="reference"
# was:     gate = kept ** (1 / steps)
# was:     return math.log(gate / (1 - gate))
# becomes: return math.log(kept / (1 - kept)) / steps

# %% wrong: bias times the steps advice="The bias for one step is multiplied by steps: take the root of kept first, and then the bias of that." of="reference"
# was:     gate = kept ** (1 / steps)
# was:     return math.log(gate / (1 - gate))
# becomes: return math.log(kept / (1 - kept)) * steps

# %% wrong: root of the odds advice="The root is taken of kept / (1 − kept): take it of kept first, and divide by what is missing to 1 then." of="reference"
# was:     gate = kept ** (1 / steps)
# was:     return math.log(gate / (1 - gate))
# becomes: odds = kept / (1 - kept)
# becomes: return odds ** (1 / steps)

# %% wrong: how much is left, not the bias advice="This is what is left with kept as the bias: turn it round, and find the bias whose sigmoid is kept ** (1 / steps)." of="reference"
# was:     gate = kept ** (1 / steps)
# was:     return math.log(gate / (1 - gate))
# becomes: return (1 / (1 + math.exp(-kept))) ** steps

# %% wrong: one less, as if 1 were in it advice="1 is subtracted from the bias: the forget bias is the only number in the gate, so give back log(gate / (1 − gate))." of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return math.log(gate / (1 - gate)) - 1

# %% wrong: a whole number advice="The bias is rounded: give it back with all of its digits." of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return round(math.log(gate / (1 - gate)))

# %% wrong: two decimals advice="The bias is rounded: give it back with all of its digits." of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return round(math.log(gate / (1 - gate)), 2)

# %% wrong: four decimals unseen="The visible tests compare to 3e-4 of a number; that the bias must be right to 1e-6 is said in the text." says="for other steps and shares" visible=false of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return round(math.log(gate / (1 - gate)), 4)

# %% wrong: in 32 bits advice="The gate is so near 1 that 32 bits are too few: compute in 64 bits, as math does." of="reference"
# was:     gate = kept ** (1 / steps)
# was:     return math.log(gate / (1 - gate))
# becomes: gate = torch.tensor(kept) ** (1 / steps)
# becomes: return torch.log(gate / (1 - gate)).item()

# %% wrong: never above 10 advice="The bias is never more than 10: search further, or take log(gate / (1 − gate))." of="halving an interval"
# was:     low, high = -50.0, 50.0
# becomes: low, high = -10.0, 10.0

# %% wrong: never below 0 advice="The bias is never less than 0: a gate below one half needs a negative one."
def forget_bias_for(steps, kept):
    gate = kept ** (1 / steps)
    return max(0.0, math.log(gate / (1 - gate)))

# %% wrong: searched in steps of 0.01 advice="The bias is searched in steps of 0.01: take log(gate / (1 − gate)), or search until it is right to 1e-6."
def forget_bias_for(steps, kept):
    bias = -10.0
    while (1 / (1 + math.exp(-bias))) ** steps < kept:
        bias += 0.01
    return bias

# %% wrong: the gate comes along advice="Give back the bias alone: here another number comes along."
def forget_bias_for(steps, kept):
    gate = kept ** (1 / steps)
    return gate, math.log(gate / (1 - gate))

# %% wrong: forgets return says="does your function end with a return?" of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: bias = math.log(gate / (1 - gate))

# %% wrong: printed says="does your function end with a return?" of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: print(math.log(gate / (1 - gate)))

# %% wrong: arguments swapped says="math domain error" of="reference"
# was:     gate = kept ** (1 / steps)
# becomes: gate = steps ** (1 / kept)

# %% wrong: whole division says="division by zero" of="reference"
# was:     gate = kept ** (1 / steps)
# becomes: gate = kept ** (1 // steps)

# %% wrong: a dict for the result says="the result is several values" of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return {"bias": math.log(gate / (1 - gate))}

# %% wrong: torch's logarithm of a float says="must be Tensor, not float" of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return torch.log(gate / (1 - gate))

# %% wrong: log is no name says="is not defined" of="reference"
# was:     return math.log(gate / (1 - gate))
# becomes: return log(gate / (1 - gate))
