# %% [markdown] right: the root of the head's size
# No. With 64 numbers and 4 heads each head has 16, and a score in it is a sum of 16 products. Its variance is 16, so its spread is √16 = 4, and that is the divisor. With a single head it would be √64 = 8.

# %% [markdown] wrong: the number without the reason
# It is divided by √16, because hidden is divided by the number of heads.
