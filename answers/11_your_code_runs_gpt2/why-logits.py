# %% [markdown] right: square, and a check of numbers
# The weight of attn.c_proj is 768 × 768. A square matrix and its transpose have the same shape, so load_state_dict can't notice. To find it, compare numbers: run the same tokens through another implementation with the same weights, for example transformers, and compare the logits.

# %% [markdown] right: the loss on real text
# PyTorch compares only names and shapes, and a square matrix keeps its shape when it is transposed. The numbers have to be checked: GPT-2's loss on English text is known, and with the wrong matrix it would be far higher. It is better still to compare the logits with those of the published code.

# %% [markdown] wrong: half right, only the reason
# The matrix is square, so its transpose has the same shape, and load_state_dict only looks at shapes.

# %% [markdown] wrong: half right, only the check
# load_state_dict doesn't check everything. The friend should have compared the logits with those of the transformers library.

# %% [markdown] wrong: strict loading
# The friend has used strict=False, so wrong names were passed over. With strict=True there would have been an error.

# %% [markdown] wrong: the bias
# The bias of c_proj is added after the product, so it hides the missing transpose. One should check the shape of the bias, too.
