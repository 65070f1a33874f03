# %% right: permute and reshape
def merge_heads(x):
    batch, heads, seq, size = x.shape
    return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)

# %% right: cat over heads
def merge_heads(x):
    batch, heads, seq, size = x.shape
    return torch.cat([x[:, h] for h in range(heads)], dim=-1)

# %% right: contiguous and view
def merge_heads(x):
    batch, heads, seq, size = x.shape
    return x.transpose(1, 2).contiguous().view(batch, seq, -1)

# %% right: unbind and cat
def merge_heads(x):
    return torch.cat(x.unbind(1), -1)

# %% right: einsum and flatten
def merge_heads(x):
    return torch.einsum("bhtd->bthd", x).flatten(2)

# %% wrong: merge without transpose advice="Swap heads and tokens back (axes 1 and 2) before you join the last two axes." fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return x.reshape(batch, seq, heads * size)

# %% wrong: interleaved advice="The heads are interleaved: keep a head's numbers side by side, heads first and then the number within the head." fails=["merge-heads-test", "multi-head-values-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return x.permute(0, 2, 3, 1).reshape(batch, seq, heads * size)

# %% wrong: stacked at the end, then joined advice="The heads are interleaved: keep a head's numbers side by side, heads first and then the number within the head." fails=["merge-heads-test", "multi-head-values-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return torch.stack(x.unbind(1), dim=-1).flatten(2)

# %% wrong: numbers before tokens advice="Axes 1 and 3 are swapped: swap 1 and 2, heads and tokens." fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return x.transpose(1, 3).reshape(batch, seq, heads * size)

# %% wrong: tokens and numbers turned advice="Axes 2 and 3 are swapped: swap 1 and 2, heads and tokens." fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return x.transpose(2, 3).reshape(batch, seq, heads * size)

# %% wrong: reverse order advice="The heads are in the wrong order: head 0 comes first." fails=["merge-heads-test", "multi-head-values-test", "multi-head-returned-attention-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return torch.cat([x[:, h] for h in reversed(range(heads))], dim=-1)

# %% wrong: head 0 for all advice="Head 0 is in every place: take each head once." fails=["merge-heads-test", "multi-head-values-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return torch.cat([x[:, 0]] * heads, dim=-1)

# %% wrong: head 0 only advice="Only one head came back: put all of them side by side." fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return x[:, 0]

# %% wrong: mean over heads advice="The heads were averaged: put them side by side, so that no number is lost." fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return x.mean(1)

# %% wrong: sum over heads advice="The heads were added up: put them side by side, so that no number is lost." fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return x.sum(1)

# %% wrong: not joined advice="The last two axes are still apart: join them into one of num_heads · head_size." fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return x.transpose(1, 2)

# %% wrong: heads joined with tokens advice="The heads are concatenated along the tokens: join them along the last axis." fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return x.flatten(1, 2)

# %% wrong: cat along the tokens advice="The heads are concatenated along the tokens: join them along the last axis." fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return torch.cat(x.unbind(1), dim=1)

# %% wrong: tokens joined with heads advice="Tokens and heads were joined: after the swap, join the last two axes (heads and numbers)." fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return x.transpose(1, 2).flatten(1, 2)

# %% wrong: sequences joined advice="The sequences were put side by side: join the heads, along the last axis, and keep the batch." fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return torch.cat(x.unbind(0), dim=-1)

# %% wrong: heads joined as the new tokens advice="The middle axis of the result must be the tokens: x.shape is (batch, num_heads, seq, head_size)." fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return x.transpose(1, 2).reshape(batch, heads, seq * size)

# %% wrong: sizes read in the wrong order advice="The middle axis of the result must be the tokens: x.shape is (batch, num_heads, seq, head_size)." fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: batch, seq, heads, size = x.shape
# becomes: return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)

# %% wrong: mixes up batch and tokens advice="The batch must stay the first axis: swap only axes 1 and 2." fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return x.permute(2, 0, 1, 3).reshape(batch, seq, heads * size)

# %% wrong: joined into batch and hidden advice="Tokens, heads and numbers were all joined: join only the last two axes, after the swap." fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return x.transpose(1, 2).reshape(batch, -1)

# %% wrong: transpose and view says="view size is not compatible" fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return x.transpose(1, 2).view(batch, seq, heads * size)

# %% wrong: all axes turned advice="Every axis has moved: swap only axes 1 and 2, heads and tokens." fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return x.T.reshape(batch, seq, heads * size)

# %% wrong: nothing done advice="This is x as it was: swap heads and tokens, and join the last two axes." fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return x

# %% wrong: forgets return says="does your function end with a return?" fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)

# %% wrong: input changed in place says="make a new tensor" of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: x += 1
# becomes: return (x - 1).permute(0, 2, 1, 3).reshape(batch, seq, heads * size)

# %% wrong: three sizes read of four says="as many names on the left" fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: batch, seq, hidden = x.shape
# becomes: return x.reshape(batch, seq, hidden)

# %% wrong: reshaped, swapped, reshaped advice="A reshape doesn't swap heads and tokens: begin with transpose(1, 2), and reshape only then." fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return x.reshape(batch, seq, heads, size).transpose(1, 2).reshape(batch, seq, heads * size)

# %% wrong: slices that overlap advice="The heads are written over each other: head h goes to the numbers from h·head_size on." fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"]
def merge_heads(x):
    batch, heads, seq, size = x.shape
    out = torch.zeros(batch, seq, heads * size)
    for h in range(heads):
        out[:, :, h:h + size] = x[:, h]
    return out

# %% wrong: turned twice advice="Swap axes 1 and 2, heads and tokens, before the last two are joined, and nothing else." fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return x.reshape(batch, heads * size, seq).transpose(1, 2)

# %% wrong: detached says="no gradient flows through .detach()" unseen="only check_gradients shows it" fails=["merge-heads-test", "multi-head-returned-attention-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return x.detach().permute(0, 2, 1, 3).reshape(batch, seq, heads * size)

# %% wrong: without gradients says="no gradient flows through no_grad" unseen="only check_gradients shows it" fails=["merge-heads-test", "multi-head-returned-attention-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: with torch.no_grad():
# becomes:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)

# %% wrong: a new tensor of lists says="no gradient flows through .tolist()" unseen="only check_gradients shows it" fails=["merge-heads-test", "multi-head-returned-attention-test"] of="permute and reshape"
# was:     return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)
# becomes: return torch.tensor(x.permute(0, 2, 1, 3).tolist()).reshape(batch, seq, heads * size)

# %% wrong: no swap if seq equals num_heads advice="Swap heads and tokens back for every size, also where there are as many heads as tokens." fails=["merge-heads-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-values-test"]
def merge_heads(x):
    batch, num_heads, seq, head_size = x.shape
    if num_heads != seq:
        x = x.transpose(1, 2)
    return x.reshape(batch, seq, num_heads * head_size)
