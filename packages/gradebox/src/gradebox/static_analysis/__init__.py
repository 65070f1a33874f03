"""What the text of a cell says about names, values and the process it runs in, without running it."""
