# %% right: one cosine, kept between 0 and 1
def learning_rate(step, warmup, total, peak, floor):
    if step < warmup:
        return (step + 1) / warmup * peak
    way = min(1.0, (step - warmup) / (total - warmup))
    return floor + 0.5 * (peak - floor) * (1 + math.cos(way * math.pi))

# %% right: the square of half the angle's cosine
def learning_rate(step, warmup, total, peak, floor):
    if step >= total:
        return floor
    if step >= warmup:
        share = math.cos(math.pi / 2 * (step - warmup) / (total - warmup)) ** 2
        return share * peak + (1 - share) * floor
    return peak / warmup * (step + 1)

# %% right: from the middle, by a sine
def learning_rate(step, warmup, total, peak, floor):
    middle, swing = (peak + floor) / 2, (peak - floor) / 2
    if step < warmup:
        rate = peak * (step + 1) / warmup
    elif step < total:
        rate = middle + swing * math.sin(math.pi * (0.5 - (step - warmup) / (total - warmup)))
    else:
        rate = floor
    return rate

# %% right: torch
def learning_rate(step, warmup, total, peak, floor):
    if step < warmup:
        return peak * (step + 1) / warmup
    way = torch.clamp(torch.tensor((step - warmup) / (total - warmup)), max=1)
    return float(floor + (peak - floor) * (1 + torch.cos(math.pi * way)) / 2)

# %% right: NumPy, all steps in a table
def learning_rate(step, warmup, total, peak, floor):
    up = peak * np.arange(1, warmup + 1) / max(warmup, 1)
    turned = np.cos(np.linspace(0, np.pi, total - warmup + 1))
    down = floor + (peak - floor) * (1 + turned) / 2
    return float(np.concatenate([up, down])[min(step, total)])

# %% right: np.select
def learning_rate(step, warmup, total, peak, floor):
    way = (step - warmup) / (total - warmup)
    wave = floor + (peak - floor) * (1 + np.cos(np.pi * way)) / 2
    return np.select([step < warmup, step > total], [peak * (step + 1) / max(1, warmup), floor], wave)

# %% right: the real part of a turning number
def learning_rate(step, warmup, total, peak, floor):
    if step in range(warmup):
        return peak * (1 + step) / warmup
    turned = (-1 + 0j) ** ((min(step, total) - warmup) / (total - warmup))
    return floor + (peak - floor) * (1 + turned.real) / 2

# %% right: nested functions
def learning_rate(step, warmup, total, peak, floor):
    def rise():
        return peak * (step + 1) / warmup

    def fall():
        angle = math.pi * (step - warmup) / (total - warmup)
        return peak - (peak - floor) * (1 - math.cos(angle)) / 2

    return rise() if step < warmup else fall() if step < total else floor

# %% wrong: step without + 1 advice="The rise is one step late: multiply peak by step + 1, so that step 0 has a rate above 0 and the last step of the warmup has peak." of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return peak * step / warmup

# %% wrong: one below warmup advice="The rise ends too low: divide step + 1 by warmup, so that the last step of the warmup has peak." of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return peak * (step + 1) / (warmup + 1)

# %% wrong: step + 2 advice="The rise is one step early: multiply peak by step + 1, counted from step 0." of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return peak * (step + 2) / warmup

# %% wrong: warmup - 1 advice="Divide step + 1 by warmup alone, so that it reaches 1 at the last step of the warmup." of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return peak * (step + 1) / (warmup - 1)

# %% wrong: steps of the rise by total advice="The rise is too slow: divide step + 1 by warmup, not by total." of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return peak * (step + 1) / total

# %% wrong: rise divided by all but warmup advice="The rise is too slow: divide step + 1 by warmup, not by total − warmup." of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return peak * (step + 1) / (total - warmup)

# %% wrong: whole division in the rise advice="`//` cuts off what stands behind the point: divide step + 1 by warmup with `/`." of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return peak * ((step + 1) // warmup)

# %% wrong: peak * step + 1 advice="The parentheses of step + 1 are missing: peak multiplies the whole sum." of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return peak * step + 1 / warmup

# %% wrong: only step multiplied by peak advice="The parentheses of step + 1 are missing: peak multiplies the whole sum, and all of it is divided by warmup." of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return (peak * step + 1) / warmup

# %% wrong: rise without peak advice="The rise goes to 1: multiply (step + 1) / warmup by peak." of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return (step + 1) / warmup

# %% wrong: rise from the floor advice="The rise begins at floor here: below warmup the rate is peak · (step + 1) / warmup, without floor." of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return floor + (peak - floor) * (step + 1) / warmup

# %% wrong: floor added to the rise advice="floor is added to the rise: below warmup the rate is peak · (step + 1) / warmup, without floor." of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return floor + peak * (step + 1) / warmup

# %% wrong: rise never below the floor advice="The rise is kept above floor here: below warmup the rate is peak · (step + 1) / warmup, however small." of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return max(floor, peak * (step + 1) / warmup)

# %% wrong: rise to peak − floor advice="The rise ends below peak: multiply (step + 1) / warmup by peak, not by peak − floor." of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return (peak - floor) * (step + 1) / warmup

# %% wrong: rise along a cosine advice="The rise is curved: below warmup it is a straight line, peak · (step + 1) / warmup." of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return peak * (1 - math.cos(math.pi * (step + 1) / warmup)) / 2

# %% wrong: rise turned round advice="The warmup falls: multiply peak by (step + 1) / warmup, which grows with the step." of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return peak * (warmup - step) / warmup

# %% wrong: divided by the step advice="The fraction stands upside down: step + 1 is above the line and warmup below it." of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return peak * warmup / (step + 1)

# %% wrong: peak from the first step advice="There is no rise: below warmup the rate is peak · (step + 1) / warmup." of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return peak

# %% wrong: floor before warmup advice="The rate is floor all through the warmup: there it is peak · (step + 1) / warmup." of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return floor

# %% wrong: zero before warmup advice="The rate is 0 all through the warmup: there it is peak · (step + 1) / warmup." of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return 0.0

# %% wrong: the wave before it begins advice="The case step < warmup is missing, and the cosine stands in its place: there the rate is peak · (step + 1) / warmup." of="reference"
# was:     if step < warmup:
# was:         return peak * (step + 1) / warmup
# was:     if step >= total:
# becomes:     if step >= total:

# %% wrong: the wave from step 0 advice="The case step < warmup is missing, and the cosine begins at step 0: let the rate rise for warmup steps first." of="reference"
# was:     if step < warmup:
# was:         return peak * (step + 1) / warmup
# was:     if step >= total:
# was:         return floor
# was:     way = (step - warmup) / (total - warmup)
# becomes:     way = min(step / total, 1)

# %% wrong: warmup inclusive advice="The rise goes on for one step too many, beyond peak: it holds for step < warmup, not for step = warmup." of="reference"
# was:     if step < warmup:
# becomes:     if step <= warmup and warmup:

# %% wrong: warmup inclusive, also where it is 0 advice="The rise goes on for one step too many, beyond peak: it holds for step < warmup, not for step = warmup." of="reference"
# was:     if step < warmup:
# becomes:     if step <= warmup:

# %% wrong: warmup ends a step early advice="The rise ends one step early: it holds for every step < warmup." of="reference"
# was:     if step < warmup:
# becomes:     if step < warmup - 1:

# %% wrong: smaller of the two says="division by zero" of="reference"
# was:     if step < warmup:
# was:         return peak * (step + 1) / warmup
# was:     if step >= total:
# becomes:     rise = (step + 1) / warmup
# becomes:     if rise <= 1:
# becomes:         return peak * rise
# becomes:     if step >= total:

# %% wrong: total for total − warmup advice="The cosine is too slow, and jumps to floor at the end: divide step − warmup by total − warmup, not by total." of="reference"
# was:     way = (step - warmup) / (total - warmup)
# becomes:     way = (step - warmup) / total

# %% wrong: total is counted from the end of the warmup advice="total counts all steps, with the warmup: the cosine takes total − warmup steps, and floor begins at total." of="reference"
# was:     if step >= total:
# was:         return floor
# was:     way = (step - warmup) / (total - warmup)
# becomes:     if step >= warmup + total:
# becomes:         return floor
# becomes:     way = (step - warmup) / total

# %% wrong: total + warmup advice="The cosine is too slow, and jumps to floor at the end: divide step − warmup by total − warmup, not by their sum." of="reference"
# was:     way = (step - warmup) / (total - warmup)
# becomes:     way = (step - warmup) / (total + warmup)

# %% wrong: warmup not taken off the step advice="The cosine does not begin at peak: take warmup off the step, too, (step − warmup) / (total − warmup)." of="reference"
# was:     way = (step - warmup) / (total - warmup)
# becomes:     way = step / (total - warmup)

# %% wrong: warmup not taken off at all advice="The cosine does not begin at peak: take warmup off both, (step − warmup) / (total − warmup)." of="reference"
# was:     way = (step - warmup) / (total - warmup)
# becomes:     way = step / total

# %% wrong: parentheses of way forgotten advice="A pair of parentheses is missing in (step − warmup) / (total − warmup): `/` comes before `−`." of="reference"
# was:     way = (step - warmup) / (total - warmup)
# becomes:     way = step - warmup / (total - warmup)

# %% wrong: parentheses below the line forgotten advice="A pair of parentheses is missing in (step − warmup) / (total − warmup): `/` comes before `−`." of="reference"
# was:     way = (step - warmup) / (total - warmup)
# becomes:     way = (step - warmup) / total - warmup

# %% wrong: one step ahead advice="The cosine is one step ahead: at step = warmup it stands at 0, so only the rise has + 1." of="reference"
# was:     way = (step - warmup) / (total - warmup)
# becomes:     way = (step - warmup + 1) / (total - warmup)

# %% wrong: floor one step early advice="The cosine is done one step early: it takes total − warmup steps, not one less." of="reference"
# was:     way = (step - warmup) / (total - warmup)
# becomes:     way = (step - warmup) / (total - warmup - 1)

# %% wrong: one more below the line advice="The cosine takes one step too many: divide step − warmup by total − warmup." of="reference"
# was:     way = (step - warmup) / (total - warmup)
# becomes:     way = (step - warmup) / (total - warmup + 1)

# %% wrong: whole division in way advice="The rate stays at peak until total, or almost: let it fall by the cosine of π · way, not in degrees, and divide by `/`, not by `//`." of="reference"
# was:     way = (step - warmup) / (total - warmup)
# becomes:     way = (step - warmup) // (total - warmup)

# %% wrong: way turned round advice="The cosine runs backwards, from floor up to peak: it begins with 0 at step = warmup and falls." of="reference"
# was:     way = (step - warmup) / (total - warmup)
# becomes:     way = (total - step) / (total - warmup)

# %% wrong: 1 − cos advice="The cosine runs backwards, from floor up to peak: it begins with 0 at step = warmup and falls." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return floor + (peak - floor) * (1 - math.cos(math.pi * way)) / 2

# %% wrong: floor and peak exchanged advice="The cosine runs backwards, from floor up to peak: it begins with 0 at step = warmup and falls." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return peak + (floor - peak) * (1 + math.cos(math.pi * way)) / 2

# %% wrong: whole period advice="The cosine goes through a whole wave, or more: half of one is cos(π · way), without a 2." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return floor + (peak - floor) * (1 + math.cos(2 * math.pi * way)) / 2

# %% wrong: quarter of a wave advice="The cosine goes through a quarter of a wave only: half of one is cos(π · way)." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return floor + (peak - floor) * (1 + math.cos(math.pi * way / 2)) / 2

# %% wrong: cosine from 1 to 0 advice="The fall is a quarter of a wave: take half of one, (1 + cos(π · way)) / 2." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return floor + (peak - floor) * math.cos(math.pi * way / 2)

# %% wrong: without π advice="π is missing in the cosine: cos(π · way) goes from 1 to −1." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return floor + (peak - floor) * (1 + math.cos(way)) / 2

# %% wrong: degrees advice="The rate stays at peak until total, or almost: let it fall by the cosine of π · way, not in degrees, and divide by `/`, not by `//`." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return floor + (peak - floor) * (1 + math.cos(math.radians(math.pi * way))) / 2

# %% wrong: cosine of π, times way advice="way stands outside of the cosine: it belongs into it, cos(π · way)." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return floor + (peak - floor) * (1 + math.cos(math.pi) * way) / 2

# %% wrong: sine advice="Take the cosine, which begins with 1: this is a sine." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return floor + (peak - floor) * (1 + math.sin(math.pi * way)) / 2

# %% wrong: straight down advice="The fall is a straight line: it should be half a cosine wave, (1 + cos(π · way)) / 2." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return peak + (floor - peak) * way

# %% wrong: exponential fall advice="The fall is exponential: it should be half a cosine wave, (1 + cos(π · way)) / 2." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return floor + (peak - floor) * math.exp(-way)

# %% wrong: exponential from peak to floor advice="The fall is exponential: it should be half a cosine wave, (1 + cos(π · way)) / 2." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return peak * math.exp(way * -math.log(peak / floor))

# %% wrong: no fall advice="The rate stays at peak until total, or almost: let it fall by the cosine of π · way, not in degrees, and divide by `/`, not by `//`." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return peak

# %% wrong: half forgotten advice="The wave is twice as high as it should be: divide 1 + cos(π · way) by 2." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return floor + (peak - floor) * (1 + math.cos(math.pi * way))

# %% wrong: half of floor, too advice="floor is halved with the rest: only (peak − floor) · (1 + cos(π · way)) is divided by 2." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return (floor + (peak - floor) * (1 + math.cos(math.pi * way))) / 2

# %% wrong: only the cosine halved advice="Only the cosine is divided by 2: put 1 + cos(π · way) into parentheses, then divide." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return floor + (peak - floor) * (1 + math.cos(math.pi * way) / 2)

# %% wrong: 1 + forgotten advice="The cosine goes down to −1: add 1 to it, then divide by 2." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return floor + (peak - floor) * math.cos(math.pi * way)

# %% wrong: 1 + forgotten, halved advice="The cosine goes down to −1: add 1 to it, then divide by 2." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return floor + (peak - floor) * math.cos(math.pi * way) / 2

# %% wrong: 0.5 × 1 + cos advice="The parentheses of 1 + cos(π · way) are missing: ½ multiplies the whole sum." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return floor + (peak - floor) * 0.5 * 1 + math.cos(math.pi * way)

# %% wrong: floor forgotten advice="floor is not added: the fall ends at floor, not at 0." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return (peak - floor) * (1 + math.cos(math.pi * way)) / 2

# %% wrong: peak times the wave advice="The fall goes to 0 here: it goes from peak to floor, floor + (peak − floor) · …" of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return peak * (1 + math.cos(math.pi * way)) / 2

# %% wrong: peak times the wave, cut at the floor advice="The wave runs down to 0 and is cut at floor: it should end at floor, floor + (peak − floor) · …" of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return max(floor, peak * (1 + math.cos(math.pi * way)) / 2)

# %% wrong: peak not less floor advice="The wave begins above peak: multiply it by peak − floor before you add floor." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return floor + peak * (1 + math.cos(math.pi * way)) / 2

# %% wrong: peak + floor advice="The wave begins above peak: multiply it by peak − floor, not by their sum." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return floor + (peak + floor) * (1 + math.cos(math.pi * way)) / 2

# %% wrong: floor taken off twice advice="The wave is multiplied by peak, not by peak − floor, and floor is taken off: it should be floor + (peak − floor) · …" of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return peak * (1 + math.cos(math.pi * way)) / 2 - floor

# %% wrong: peak − floor without parentheses advice="The parentheses of peak − floor are missing: the wave multiplies the whole difference." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return floor + peak - floor * (1 + math.cos(math.pi * way)) / 2

# %% wrong: rises again after total advice="The wave rises again after total: from total on the rate is floor." of="reference"
# was:     if step >= total:
# was:         return floor
# was:     way = (step - warmup) / (total - warmup)
# becomes:     way = (step - warmup) / (total - warmup)

# %% wrong: begins again after total advice="The wave begins again after total: from total on the rate is floor." of="reference"
# was:     if step >= total:
# was:         return floor
# was:     way = (step - warmup) / (total - warmup)
# becomes:     way = (step - warmup) / (total - warmup) % 1

# %% wrong: zero from total on advice="The rate is 0 from total on: there it is floor." of="reference"
# was:         return floor
# becomes:         return 0.0

# %% wrong: peak from total on advice="The rate is peak from total on: there it is floor." of="reference"
# was:         return floor
# becomes:         return peak

# %% wrong: None from total on says="you gave back None" of="reference"
# was:         return floor
# becomes:         return

# %% wrong: floor from total − warmup on advice="floor begins too early: total counts all steps, with the warmup." of="reference"
# was:     if step >= total:
# becomes:     if step >= total - warmup:

# %% wrong: floor a step early advice="floor begins one step early: it holds from step = total on." of="reference"
# was:     if step >= total:
# becomes:     if step >= total - 1:

# %% wrong: floor as soon as the warmup is done advice="The rate is floor as soon as the warmup is done: that holds from total on." of="reference"
# was:     if step >= total:
# becomes:     if step >= warmup:

# %% wrong: no return says="you gave back None" of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     rate = floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2

# %% wrong: no return in the warmup says="you gave back None" of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return print(end="")

# %% wrong: a pair advice="Give back one number, the rate alone." of="reference"
# was:     if step < warmup:
# was:         return peak * (step + 1) / warmup
# was:     if step >= total:
# was:         return floor
# was:     way = (step - warmup) / (total - warmup)
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     if step < warmup:
# becomes:         return step, peak * (step + 1) / warmup
# becomes:     if step >= total:
# becomes:         return step, floor
# becomes:     way = (step - warmup) / (total - warmup)
# becomes:     return step, floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2

# %% wrong: a list of one advice="Give back one number, not a list or an array that holds it." of="reference"
# was:     if step < warmup:
# was:         return peak * (step + 1) / warmup
# was:     if step >= total:
# was:         return floor
# was:     way = (step - warmup) / (total - warmup)
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     if step < warmup:
# becomes:         return [peak * (step + 1) / warmup]
# becomes:     if step >= total:
# becomes:         return [floor]
# becomes:     way = (step - warmup) / (total - warmup)
# becomes:     return [floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2]

# %% wrong: a text says="no array of numbers" of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return f"rate {peak * (step + 1) / warmup}"

# %% wrong: a dict says="no array of numbers" of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         return {"rate": peak * (step + 1) / warmup}

# %% wrong: rounded to two places advice="The rates are rounded: keep all of their digits." of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return round(floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2, 2)

# %% wrong: all rounded to two places advice="The rates are rounded: keep all of their digits." of="reference"
# was:     if step < warmup:
# was:         return peak * (step + 1) / warmup
# was:     if step >= total:
# was:         return floor
# was:     way = (step - warmup) / (total - warmup)
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     if step < warmup:
# becomes:         return round(peak * (step + 1) / warmup, 2)
# becomes:     if step >= total:
# becomes:         return floor
# becomes:     way = (step - warmup) / (total - warmup)
# becomes:     return round(floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2, 2)

# %% wrong: the lesson's numbers advice="This is the rate of one setting only: use warmup, total, peak and floor as they are given." of="reference"
# was:     if step < warmup:
# becomes:     warmup, total, peak, floor = 50, 800, 1e-2, 1e-3
# becomes:     if step < warmup:

# %% wrong: floor is peak / 10 advice="floor is taken to be peak / 10 here: use floor as it is given." of="reference"
# was:     if step < warmup:
# becomes:     floor = peak / 10
# becomes:     if step < warmup:

# %% wrong: cos of torch of a number says="must be Tensor, not float" of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return floor + (peak - floor) * (1 + torch.cos(math.pi * way)) / 2

# %% wrong: pi is no name says="is not defined" of="reference"
# was:     return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
# becomes:     return floor + (peak - floor) * (1 + math.cos(pi * way)) / 2

# %% wrong: a product sign forgotten says="not callable" of="reference"
# was:         return peak * (step + 1) / warmup
# becomes:         amount = peak
# becomes:         return amount(step + 1) / warmup
