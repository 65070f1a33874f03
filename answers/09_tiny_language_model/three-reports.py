# %% [markdown] right: all three, and leak for the second
# Report 1: cross_entropy gets the model's probabilities, not its logits. Twelve numbers between 0 and 1 that sum to 1 can't be further apart than 1 and 0, so the loss stays above ln(e + 11) − 1 = 1.62. Check: do the rows of the input sum to 1? Report 2 is far below the entropy, so the model sees the token that it should predict. Either the targets are not shifted, and each token predicts itself, which the tied weights make easy, or the mask is missing, and it attends to the next token. leak(model, ...) distinguishes them: without the mask it is not 0, without the shift it is. Report 3: padding is counted, and its easy targets pull the mean down. Check: compare the number of targets in the mean with (tokens[:, 1:] != PAD).sum(). No honest model is better than the source.

# %% [markdown] right: checks by inputs that are known
# 1. Softmax twice: cross_entropy takes the softmax itself, and of probabilities it can't get below 1.62. I would pass correct logits of ±1000 to the loss: it should be 0 and isn't. 2. The answer is in the input: no shift (row t is compared with token t), or no causal mask. To distinguish them, change the last token, and see whether logits at earlier positions change (leak): if they do, it is the mask, otherwise the shift. 3. Padding is among the targets. After the end of a text, padding follows padding, and its loss is 0. I would take the mean of token_losses over targets that are not padding, and compare: it will be above 0.96, the best possible loss.

# %% [markdown] right: a third with the loss of untrained models
# 2.1 results from a softmax before the cross-entropy. Check: probs.sum(-1) is all 1, so these are not logits. Such a loss has a floor of 1.62, because the best twelve probabilities are one 1 and eleven 0s. 0.000 results from a target that the model can see: no shift, or no mask. leak is 0 in the first case and not in the second. 0.74 results from padding in the mean: it counts as many targets as there are positions, batch · (seq − 1), and there should be fewer.

# %% [markdown] wrong: half right, one bug for the second and overfitting for the third
# 1 is a softmax too much: cross_entropy has one already, so check whether the rows sum to 1. 2 is a missing mask, because then the model can see the next token: leak is not 0. 3 has overfitted: the loss in training is below the entropy, so it should be checked on held-out texts.

# %% [markdown] wrong: half right, all three without a check
# In report 1 softmax was applied before the cross-entropy, which then can't get below 1.62. In report 2 the shift or the mask is missing, so that the model sees what it has to say. In report 3 padding was counted in the mean.

# %% [markdown] wrong: rates, luck and a good model
# 1: the learning rate is too large, so the loss jumps about and will not fall; print it. 2: the model is large enough to learn all texts by heart, so use dropout. 3: the model has found a rule that the entropy doesn't know, and is better than expected. Check it with another seed.

# %% [markdown] wrong: wrong places for the right words
# 1: padding is counted, so the loss is too large. Check: ignore_index. 2: softmax is taken twice, so that all probabilities become 1 and their logarithm 0. Check: are there two softmax in the code? 3: the shift is the wrong way round, so it predicts the token before, which is easier. Check: tokens[:, 1:].
