# %% [markdown] lesson="01_single_head"
# Cells that run no Python, with the names of answers, tests and demonstrations in their text.

# %% after: softmax
%%bash --out listed
echo softmax np plt check attention_scores

# %% before: attention-scores
print(listed.split())
%who

# %% after: attention-scores
%%html
<p>np = softmax(<b>scores</b>), check</p>

# %% before: plot-attention
%%writefile notes.txt
import numpy as np: del softmax, check

# %% after: plot-attention
%%javascript
let softmax = null, np = softmax, plot_attention = np;

# %% before: previous-token-head
%%latex
\begin{align} softmax &= previous_token_head \end{align}
