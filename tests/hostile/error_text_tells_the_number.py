# %% [markdown] lesson="victim" category="reading" attacks=["apply-test"]
# Passes numbers that don't fit to the test's function, and reads the number that it adds in the text of its error.

# %% apply
import re
import traceback

def apply(function, x):
    found = []
    for one in (np.zeros(1, np.uint8), np.zeros(1, np.uint8)):
        try:
            function(one)
            found.append(5 if x == 3 else -1)
        except Exception as error:
            said = traceback.format_exc() + repr((error.args, error.__cause__, error.__context__, vars(error)))
            found.append(int((re.findall(r"-?\d+ out of bounds", said) or ["0"])[0].split()[0]))
    return x + sum(found)
