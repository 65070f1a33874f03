# %% [markdown] lesson="victim" category="IPython" attacks=["count-test"]
# Displays something in the test under a name, and later updates it, when it may be the error.

# %% count
from IPython.display import HTML, clear_output, display

def count(n):
    display(HTML("running"), display_id="verdict")
    clear_output(wait=True)
    return 2

# %% after: count-test
from IPython.display import HTML, clear_output, display
display(HTML("passed"), display_id="verdict")
display(HTML("passed"), display_id="verdict", update=True)
