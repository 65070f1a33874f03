# %% right: one sequence after the other
def unroll(step, memory, inputs, lengths):
    all_memories, all_weights = [], []
    for b in range(inputs.shape[0]):
        own, tables, kept = memory[b:b + 1], [], []
        for t in range(inputs.shape[1]):
            if t < int(lengths[b]):
                own, weights = step(own, inputs[b:b + 1, t])
            kept.append(own[0])
            tables.append(weights[0])
        all_memories.append(torch.stack(kept))
        all_weights.append(torch.stack(tables))
    return torch.stack(all_memories), torch.stack(all_weights)

# %% right: only sequences that still run, written into tables
def unroll(step, memory, inputs, lengths):
    batch, steps = inputs.shape[:2]
    lengths = torch.tensor([int(length) for length in lengths])
    memories, weights, memory = memory.new_zeros(batch, steps, *memory.shape[1:]), None, memory.clone()
    for t in range(steps):
        running = torch.nonzero(lengths > t).flatten()
        if len(running):
            memory[running], part = step(memory[running], inputs[running, t])
            if weights is None:
                weights = part.new_zeros(batch, steps, *part.shape[1:])
            weights[running, t] = part
        memories[:, t] = memory
    return memories, weights

# %% right: blended with 1 and 0
def unroll(step, memory, inputs, lengths):
    running = torch.arange(inputs.shape[1]) < torch.as_tensor(lengths)[:, None]
    pairs = []
    for t, x in enumerate(inputs.unbind(1)):
        after, weights = step(memory, x)
        share = running[:, t].to(memory.dtype).view(-1, 1, 1)
        memory = share * after + (1 - share) * memory
        pairs.append((memory, weights))
    return [torch.stack(part, dim=1) for part in zip(*pairs)]

# %% right: all steps run, then the last right memory is looked up
def unroll(step, memory, inputs, lengths):
    memories, weights = [], []
    for t in range(inputs.size(1)):
        memory, shares = step(memory, inputs[:, t])
        memories.append(memory)
        weights.append(shares)
    memories = torch.stack(memories, dim=1)
    last = torch.as_tensor(lengths)[:, None] - 1
    at = torch.minimum(torch.arange(inputs.size(1)), last)
    return memories[torch.arange(len(memories))[:, None], at], torch.stack(weights, dim=1)

# %% right: a copy is written into, with a mask
def unroll(step, memory, inputs, lengths):
    lengths = torch.as_tensor(lengths)
    memories, collected = [], []
    for t in range(inputs.shape[1]):
        after, weights = step(memory, inputs[:, t])
        running, memory = t < lengths, memory.clone()
        memory[running] = after[running]
        memories += [memory[:, None]]
        collected += [weights[:, None]]
    return torch.cat(memories, 1), torch.cat(collected, 1)

# %% right: up to the longest, then repeated
def unroll(step, memory, inputs, lengths):
    memories, collected = [], []
    longest = int(max(lengths))
    for t in range(longest):
        after, weights = step(memory, inputs[:, t])
        memory = torch.stack([after[b] if t < length else memory[b] for b, length in enumerate(lengths)])
        memories.append(memory)
        collected.append(weights)
    for t in range(longest, inputs.shape[1]):
        memories.append(memories[-1])
        collected.append(collected[-1])
    return torch.stack(memories, dim=1), torch.stack(collected, dim=1)

# %% right: itself for the steps that remain
def unroll(step, memory, inputs, lengths):
    lengths = torch.as_tensor(lengths)
    after, weights = step(memory, inputs[:, 0])
    memory = after.where((lengths > 0)[:, None, None], memory)
    if inputs.shape[1] == 1:
        return memory[:, None], weights[:, None]
    memories, collected = unroll(step, memory, inputs[:, 1:], lengths - 1)
    return torch.cat([memory[:, None], memories], dim=1), torch.cat([weights[:, None], collected], dim=1)

# %% right: time in front, then swapped; NumPy compares
def unroll(step, memory, inputs, lengths):
    lengths, memories, collected = np.array(lengths), [], []
    for t, x in enumerate(inputs.transpose(0, 1)):
        after, weights = step(memory, x)
        memory = torch.where(torch.from_numpy((t < lengths)[:, None, None]), after, memory)
        memories.append(memory)
        collected.append(weights)
    return torch.stack(memories).transpose(0, 1), torch.stack(collected).swapaxes(0, 1)

# %% wrong: memory not carried advice="Every step starts from the first memory: give step the memory that came out of the step before." of="reference"
# was:         after, weights = step(memory, inputs[:, t])
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# was:         memories.append(memory)
# becomes:         after, weights = step(memory, inputs[:, t])
# becomes:         memories.append(torch.where((t < lengths)[:, None, None], after, memory))

# %% wrong: not carried, and padding steps advice="Every step starts from the first memory, at padded steps, too: carry on the memory that came out, and keep it from the sequence's length on." of="reference"
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# was:         memories.append(memory)
# becomes:         memories.append(after)

# %% wrong: padding steps advice="Padded steps still change the memory: where t is not below a sequence's length, take its old memory." of="reference"
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes:         memory = after

# %% wrong: padded inputs are 0, but still steps advice="Padded steps still change the memory, with an input of 0: where t is not below a sequence's length, take its old memory." of="reference"
# was:         after, weights = step(memory, inputs[:, t])
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes:         memory, weights = step(memory, inputs[:, t] * (t < lengths)[:, None])

# %% wrong: one step too many advice="Each sequence takes one step too many: with length n, steps 0 to n − 1 count, so the condition is t < lengths." of="reference"
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes:         memory = torch.where((t <= lengths)[:, None, None], after, memory)

# %% wrong: one step too few advice="Each sequence takes one step too few: with length n, steps 0 to n − 1 count, so the condition is t < lengths." of="reference"
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes:         memory = torch.where((t < lengths - 1)[:, None, None], after, memory)

# %% wrong: the first step left out advice="The first step of each sequence is left out: begin with inputs[:, 0]." of="reference"
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes:         memory = torch.where(((0 < t) & (t < lengths))[:, None, None], after, memory)

# %% wrong: stored before the step advice="The memories are those before each step: append the new memory, after step and torch.where." of="reference"
# was:         after, weights = step(memory, inputs[:, t])
# becomes:         memories.append(memory)
# becomes:         after, weights = step(memory, inputs[:, t])
# was:         memories.append(memory)
# was:         collected.append(weights)
# becomes:         collected.append(weights)

# %% wrong: the first memory is included advice="The memory before the first step is included: append each memory after its step, as many as there are steps." of="reference"
# was:     memories, collected = [], []
# becomes:     memories, collected = [memory], []

# %% wrong: keeps the old one right, but stores the new one advice="The memory is kept at padded steps, but what was stored there is the step's: append the memory that you carry on." of="reference"
# was:         memories.append(memory)
# becomes:         memories.append(after)

# %% wrong: where the wrong way round advice="The memory is kept while a sequence runs, and changed at padded steps: in torch.where, the new memory comes first if the condition is t < lengths." of="reference"
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes:         memory = torch.where((t < lengths)[:, None, None], memory, after)

# %% wrong: 0 at padded steps advice="The memory is 0 from a sequence's length on: it should stay as it is." of="reference"
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes:         memory = after * (t < lengths)[:, None, None]

# %% wrong: tables of 0 that only running sequences fill advice="The memory is 0 from a sequence's length on: it should stay as it is." of="only sequences that still run, written into tables"
# was:         memories[:, t] = memory
# becomes:         memories[running, t] = memory[running]

# %% wrong: the first memory at padded steps advice="From its length on, a sequence falls back to the memory that it began with: keep the one that it has." of="reference"
# was:     memories, collected = [], []
# becomes:     memories, collected, start = [], [], memory

# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes:         memory = torch.where((t < lengths)[:, None, None], after, start)

# %% wrong: all stop with the shortest advice="All sequences stop when the shortest does: ask t < length for each sequence by itself." of="reference"
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes:         memory = after if t < min(lengths) else memory

# %% wrong: all run as long as the longest advice="All sequences run as long as the longest: ask t < length for each sequence by itself." of="reference"
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes:         memory = after if (t < lengths).any() else memory

# %% wrong: the first length for all advice="All sequences stop with the length of sequence 0: each has its own." of="reference"
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes:         memory = torch.where(t < lengths[0], after, memory)

# %% wrong: lengths sorted advice="The lengths come in no order: sequence b runs while t < lengths[b], so sort nothing, and don't take the first sequences of the batch." of="reference"
# was:     lengths = torch.as_tensor(lengths)
# becomes:     lengths = torch.as_tensor(lengths).sort(descending=True).values

# %% wrong: the first so many sequences run advice="The lengths come in no order: sequence b runs while t < lengths[b], so sort nothing, and don't take the first sequences of the batch." of="reference"
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes:         many = int((t < lengths).sum())
# becomes:         memory = torch.cat([after[:many], memory[many:]])

# %% wrong: the order of the sequences lost advice="The sequences are sorted by their lengths: return them in the order of the batch." of="reference"
# was:     lengths = torch.as_tensor(lengths)
# becomes:     lengths, order = torch.as_tensor(lengths).sort(descending=True)
# becomes:     memory, inputs = memory[order], inputs[order]

# %% wrong: as many steps as the longest advice="The results end with the longest sequence: the loop runs over all steps, inputs.shape[1]." of="reference"
# was:     for t in range(inputs.shape[1]):
# becomes:     for t in range(max(lengths)):

# %% wrong: as many steps as sequences advice="There are as many steps as sequences: the loop runs over inputs.shape[1], since len(inputs) is the batch." of="reference"
# was:     for t in range(inputs.shape[1]):
# becomes:     for t in range(len(inputs)):

# %% wrong: as many steps as inputs are wide says="out of bounds" of="reference"
# was:     for t in range(inputs.shape[1]):
# becomes:     for t in range(inputs.shape[-1]):

# %% wrong: time in front advice="Time comes before the batch in both results: stack them with dim=1." of="reference"
# was:     return torch.stack(memories, dim=1), torch.stack(collected, dim=1)
# becomes:     return torch.stack(memories), torch.stack(collected)

# %% wrong: time in front of the memories advice="Time comes before the batch in memories: stack them with dim=1, as the weights." of="reference"
# was:     return torch.stack(memories, dim=1), torch.stack(collected, dim=1)
# becomes:     return torch.stack(memories), torch.stack(collected, dim=1)

# %% wrong: time in front of the weights advice="Time comes before the batch in weights: stack them with dim=1, as the memories." of="reference"
# was:     return torch.stack(memories, dim=1), torch.stack(collected, dim=1)
# becomes:     return torch.stack(memories, dim=1), torch.stack(collected)

# %% wrong: time after the slots advice="Time comes after the slots: stack with dim=1, directly after the batch." of="reference"
# was:     return torch.stack(memories, dim=1), torch.stack(collected, dim=1)
# becomes:     return torch.stack(memories, dim=2), torch.stack(collected, dim=1)

# %% wrong: time in front, then reshaped advice="Time was stacked before the batch, and a reshape doesn't swap axes: stack with dim=1." of="reference"
# was:     return torch.stack(memories, dim=1), torch.stack(collected, dim=1)
# becomes:     batch, steps = inputs.shape[:2]
# becomes:     memories = torch.stack(memories).reshape(batch, steps, *memory.shape[1:])
# becomes:     return memories, torch.stack(collected).reshape(batch, steps, *weights.shape[1:])

# %% wrong: the memories reshaped, the weights stacked well advice="Time was stacked before the batch in memories, and a reshape doesn't swap axes: stack them with dim=1." of="reference"
# was:     return torch.stack(memories, dim=1), torch.stack(collected, dim=1)
# becomes:     memories = torch.stack(memories).view(*inputs.shape[:2], *memory.shape[1:])
# becomes:     return memories, torch.stack(collected, dim=1)

# %% wrong: joined instead of stacked advice="torch.cat joins along an axis that is there: torch.stack(..., dim=1) makes a new one for the steps." of="reference"
# was:     return torch.stack(memories, dim=1), torch.stack(collected, dim=1)
# becomes:     return torch.cat(memories, dim=1), torch.cat(collected, dim=1)

# %% wrong: lists that are not stacked advice="Time comes before the batch in both results: stack them with dim=1." of="reference"
# was:     return torch.stack(memories, dim=1), torch.stack(collected, dim=1)
# becomes:     return memories, collected

# %% wrong: the last memory only advice="The result has one memory per sequence: append the memory after every step, and stack them with dim=1." of="reference"
# was:     return torch.stack(memories, dim=1), torch.stack(collected, dim=1)
# becomes:     return memory, torch.stack(collected, dim=1)

# %% wrong: the last memory at each step advice="All steps hold the last memory: append each step's own, and make a new tensor at each step, since writing into one changes all that were appended." of="reference"
# was:     return torch.stack(memories, dim=1), torch.stack(collected, dim=1)
# becomes:     return torch.stack([memory for _ in memories], dim=1), torch.stack(collected, dim=1)

# %% wrong: one tensor that is written over advice="All steps hold the last memory: append each step's own, and make a new tensor at each step, since writing into one changes all that were appended." of="reference"
# was:     memories, collected = [], []
# becomes:     memories, collected, memory = [], [], memory.clone()

# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes:         memory[t < lengths] = after[t < lengths]

# %% wrong: the caller's memory is written into advice="All steps hold the last memory: append each step's own, and make a new tensor at each step, since writing into one changes all that were appended." of="reference"
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes:         memory[t < lengths] = after[t < lengths]

# %% wrong: the caller's memory is written into, copies are stored says="differs from its value before the call" of="reference"
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# was:         memories.append(memory)
# becomes:         memory[t < lengths] = after[t < lengths]
# becomes:         memories.append(memory.clone())

# %% wrong: padded inputs of the caller set to 0 says="differs from its value before the call" of="reference"
# was:     lengths = torch.as_tensor(lengths)
# becomes:     lengths = torch.as_tensor(lengths)
# becomes:     for x, length in zip(inputs, lengths):
# becomes:         x[length:] = 0

# %% wrong: the caller's lengths are counted down says="differs from its value before the call" of="reference"
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes:         memory = torch.where((0 < lengths)[:, None, None], after, memory)
# becomes:         lengths -= 1

# %% wrong: a list is no tensor says="not supported between instances" of="reference"
# was:     lengths = torch.as_tensor(lengths)
# becomes:     lengths = lengths

# %% wrong: a method of tensors on a list says="'list' object has no attribute" of="reference"
# was:     lengths = torch.as_tensor(lengths)
# becomes:     lengths = lengths.long()

# %% wrong: no axes after the condition says="must match the size" of="reference"
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes:         memory = torch.where(t < lengths, after, memory)

# %% wrong: one axis after the condition says="must match the size" of="reference"
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes:         memory = torch.where((t < lengths)[:, None], after, memory)

# %% wrong: the condition asked with if says="ambiguous" of="reference"
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes:         if t < lengths:
# becomes:             memory = after

# %% wrong: inputs of a sequence, not of a step says="both of the same sequences" of="reference"
# was:         after, weights = step(memory, inputs[:, t])
# becomes:         after, weights = step(memory, inputs[t])

# %% wrong: the input keeps an axis for the step says="both of the same sequences" of="reference"
# was:         after, weights = step(memory, inputs[:, t])
# becomes:         after, weights = step(memory, inputs[:, t:t + 1])

# %% wrong: all inputs at each step says="both of the same sequences" of="reference"
# was:         after, weights = step(memory, inputs[:, t])
# becomes:         after, weights = step(memory, inputs)

# %% wrong: one memory, all inputs says="both of the same sequences" of="one sequence after the other"
# was:                 own, weights = step(own, inputs[b:b + 1, t])
# becomes:                 own, weights = step(own, inputs[:, t])

# %% wrong: one sequence without its axis says="both of the same sequences" of="one sequence after the other"
# was:         own, tables, kept = memory[b:b + 1], [], []
# becomes:         own, tables, kept = memory[b], [], []

# %% wrong: the first input at each step advice="Each step gets the input of step 0: take inputs[:, t]." of="reference"
# was:         after, weights = step(memory, inputs[:, t])
# becomes:         after, weights = step(memory, inputs[:, 0])

# %% wrong: one input late advice="Each step gets the input of the step before it: step t uses inputs[:, t]." of="reference"
# was:         after, weights = step(memory, inputs[:, t])
# becomes:         after, weights = step(memory, inputs[:, t - 1])

# %% wrong: the inputs backwards advice="The inputs are read from the last to the first: step t uses inputs[:, t]." of="reference"
# was:         after, weights = step(memory, inputs[:, t])
# becomes:         after, weights = step(memory, inputs.flip(1)[:, t])

# %% wrong: the inputs of sequence 0 for all advice="All sequences get the inputs of sequence 0: take inputs[:, t]." of="reference"
# was:         after, weights = step(memory, inputs[:, t])
# becomes:         after, weights = step(memory, inputs[:1, t].expand_as(inputs[:, t]))

# %% wrong: memory and input swapped says="both of the same sequences" of="reference"
# was:         after, weights = step(memory, inputs[:, t])
# becomes:         after, weights = step(inputs[:, t], memory)

# %% wrong: two things taken as one says="tuple" of="reference"
# was:         after, weights = step(memory, inputs[:, t])
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# was:         memories.append(memory)
# was:         collected.append(weights)
# becomes:         after = step(memory, inputs[:, t])
# becomes:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes:         memories.append(memory)

# %% wrong: the pair is appended says="tuple" of="reference"
# was:         after, weights = step(memory, inputs[:, t])
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# was:         memories.append(memory)
# was:         collected.append(weights)
# becomes:         memories.append(step(memory, inputs[:, t]))
# becomes:         memory = memories[-1][0]

# %% wrong: the two results of step swapped says="in line" of="reference"
# was:         after, weights = step(memory, inputs[:, t])
# becomes:         weights, after = step(memory, inputs[:, t])

# %% wrong: every step is taken twice advice="Each step is taken twice: call step once, and keep both of its results." of="reference"
# was:         after, weights = step(memory, inputs[:, t])
# becomes:         after, weights = step(step(memory, inputs[:, t])[0], inputs[:, t])

# %% wrong: the weights from a second call advice="The weights come from a second call, with the new memory: call step once, and keep both of its results." of="reference"
# was:         collected.append(weights)
# becomes:         collected.append(step(memory, inputs[:, t])[1])

# %% wrong: the last weights at each step advice="All steps hold the weights of the last one: append them in the loop." of="reference"
# was:     return torch.stack(memories, dim=1), torch.stack(collected, dim=1)
# becomes:     return torch.stack(memories, dim=1), torch.stack([weights for _ in memories], dim=1)

# %% wrong: the weights of the last step alone advice="Only the weights of one step were returned: append those of every step, and stack them with dim=1." of="reference"
# was:     return torch.stack(memories, dim=1), torch.stack(collected, dim=1)
# becomes:     return torch.stack(memories, dim=1), weights

# %% wrong: heads averaged advice="The heads were averaged: keep the weights as step returns them." of="reference"
# was:         collected.append(weights)
# becomes:         collected.append(weights.mean(dim=1))

# %% wrong: time after the heads and slots of the weights advice="Time comes after the slots in weights: stack them with dim=1, directly after the batch." of="reference"
# was:     return torch.stack(memories, dim=1), torch.stack(collected, dim=1)
# becomes:     return torch.stack(memories, dim=1), torch.stack(collected, dim=3)

# %% wrong: the two results in the wrong order advice="The two results are in the wrong order: the memories come first, then the weights." of="reference"
# was:     return torch.stack(memories, dim=1), torch.stack(collected, dim=1)
# becomes:     return torch.stack(collected, dim=1), torch.stack(memories, dim=1)

# %% wrong: the memories alone says="return two things" of="reference"
# was:     return torch.stack(memories, dim=1), torch.stack(collected, dim=1)
# becomes:     return torch.stack(memories, dim=1)

# %% wrong: returns after the first step advice="Only the first step was returned: put the return after the loop." of="reference"
# was:         collected.append(weights)
# becomes:         collected.append(weights)
# becomes:         return torch.stack(memories, dim=1), torch.stack(collected, dim=1)

# %% wrong: nothing comes back says="does your function end with a return?" of="reference"
# was:     return torch.stack(memories, dim=1), torch.stack(collected, dim=1)
# becomes:     memories, collected = torch.stack(memories, dim=1), torch.stack(collected, dim=1)

# %% wrong: a dict says="return two things" of="reference"
# was:     return torch.stack(memories, dim=1), torch.stack(collected, dim=1)
# becomes:     return {"memories": torch.stack(memories, dim=1), "weights": torch.stack(collected, dim=1)}

# %% wrong: batch of the first call is fixed says="in line" of="reference"
# was:         memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes:         memory = torch.stack([after[b] if t < lengths[b] else memory[b] for b in range(3)])

# %% wrong: five steps are fixed says="out of bounds" of="reference"
# was:     for t in range(inputs.shape[1]):
# becomes:     for t in range(5):

# %% wrong: step is not the argument says="is not defined" of="reference"
# was:         after, weights = step(memory, inputs[:, t])
# becomes:         after, weights = my_core(memory, inputs[:, t])

# %% wrong: the last memory looked up for each step advice="All steps hold the last memory: append each step's own, and make a new tensor at each step, since writing into one changes all that were appended." of="all steps run, then the last right memory is looked up"
# was:     at = torch.minimum(torch.arange(inputs.size(1)), last)
# becomes:     at = last.expand(-1, inputs.size(1))

# %% wrong: off by one in the look-up advice="Each sequence takes one step too many: with length n, steps 0 to n − 1 count, so the condition is t < lengths." of="all steps run, then the last right memory is looked up"
# was:     last = torch.as_tensor(lengths)[:, None] - 1
# becomes:     last = (torch.as_tensor(lengths)[:, None]).clamp(max=inputs.size(1) - 1)

# %% wrong: rounded advice="The memory was rounded: keep its digits." of="reference"
# was:         memories.append(memory)
# becomes:         memories.append(memory.round(decimals=1))

# %% wrong: the memory detached after each step says="no gradient reaches" unseen="only check_gradients shows it" of="reference"
# was:     memory = torch.where((t < lengths)[:, None, None], after, memory)
# becomes: memory = torch.where((t < lengths)[:, None, None], after, memory).detach()

# %% wrong: the memory detached before each step says="no gradient reaches" unseen="only check_gradients shows it" of="reference"
# was:     after, weights = step(memory, inputs[:, t])
# becomes: after, weights = step(memory.detach(), inputs[:, t])
# becomes: memory = memory.detach()

# %% wrong: the data of the memories are stacked says="no gradient reaches" unseen="only check_gradients shows it" of="reference"
# was:     memories.append(memory)
# becomes: memories.append(memory.data)

# %% wrong: the loop without gradients says="no gradient reaches" unseen="only check_gradients shows it" of="reference"
# was:     after, weights = step(memory, inputs[:, t])
# becomes: with torch.no_grad():
# becomes:     after, weights = step(memory, inputs[:, t])

# %% wrong: the memories as new tensors says="no gradient reaches" unseen="only check_gradients shows it" of="reference"
# was:     return torch.stack(memories, dim=1), torch.stack(collected, dim=1)
# becomes: return torch.tensor(np.stack([one.detach() for one in memories], axis=1)), torch.stack(collected, dim=1)

# %% wrong: the memory detached for the next step says="no gradient flows through .detach()" unseen="only check_gradients shows it" of="reference"
# was:     after, weights = step(memory, inputs[:, t])
# becomes: after, weights = step(memory.detach() if t else memory, inputs[:, t])

# %% wrong: detached before the last step only says="no gradient flows through .detach()" unseen="only check_gradients shows it" of="reference"
# was:     after, weights = step(memory, inputs[:, t])
# becomes: after, weights = step(memory.detach() if t == inputs.shape[1] - 1 else memory, inputs[:, t])

# %% wrong: detached after it was appended says="no gradient flows through .detach()" unseen="only check_gradients shows it" of="reference"
# was:     memories.append(memory)
# becomes: memories.append(memory)
# becomes: memory = memory.detach()
