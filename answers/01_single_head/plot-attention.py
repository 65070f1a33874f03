# %% right: ticks set in two steps, a colour bar
def plot_attention(weights, queries, keys, ax):
    table = np.asarray(weights)
    image = ax.imshow(table, cmap="cividis", clim=(0, 1), aspect="auto")
    ax.set_xticks(np.arange(len(keys)))
    ax.set_xticklabels(keys, rotation=45)
    ax.set_yticks(np.arange(len(queries)))
    ax.set_yticklabels(queries)
    ax.set(xlabel="key", ylabel="query", title="attention")
    ax.figure.colorbar(image, ax=ax)
    if table.size <= 64 and max(table.shape) <= 8:
        for (row, column), weight in np.ndenumerate(table):
            ax.annotate(f"{weight:.2f}", (column, row), ha="center", color="grey")
    return ax

# %% right: makes the given axes current and draws with pyplot
def plot_attention(weights, queries, keys, ax):
    plt.sca(ax)
    plt.imshow(weights, vmin=0, vmax=1)
    plt.xticks(range(len(keys)), labels=keys)
    plt.yticks(range(len(queries)), labels=queries)
    plt.xlabel("key")
    plt.ylabel("query")
    if len(queries) <= 8 and len(keys) <= 8:
        for i, row in enumerate(weights):
            for j, weight in enumerate(row):
                plt.text(j, i, round(float(weight), 3), ha="center")
    return ax

# %% right: keys on top, numbers in every picture
def plot_attention(weights, queries, keys, ax):
    ax.imshow(weights, norm=plt.Normalize(0, 1), origin="upper")
    ax.xaxis.tick_top()
    ax.xaxis.set_ticks(list(range(len(keys))), labels=list(keys))
    ax.yaxis.set_ticks(list(range(len(queries))), labels=list(queries))
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    for i in range(len(queries)):
        for j in range(len(keys)):
            ax.text(j, i, "%.2f" % weights[i, j])
    return ax

# %% base
def plot_attention(weights, queries, keys, ax):
    ax.imshow(weights, vmin=0, vmax=1)
    ax.set_xticks(range(len(keys)), keys)
    ax.set_yticks(range(len(queries)), queries)
    ax.set(xlabel="key", ylabel="query")
    for i, j in np.ndindex(np.shape(weights)):
        ax.text(j, i, f"{weights[i, j]:.2f}")
    return ax

# %% wrong: draws on the current axes says="images on the given axes"
def plot_attention(weights, queries, keys, ax):
    plt.imshow(weights, vmin=0, vmax=1)
    plt.xticks(range(len(keys)), keys)
    plt.yticks(range(len(queries)), queries)
    plt.xlabel("key")
    plt.ylabel("query")
    for i, j in np.ndindex(np.shape(weights)):
        plt.text(j, i, f"{weights[i, j]:.2f}")
    return ax

# %% wrong: returns the axes it drew on, not the given says="not the axes that were passed" of="base"
# was:     def plot_attention(weights, queries, keys, ax):
# becomes: def plot_attention(weights, queries, keys, ax):
# becomes:     ax = plt.gca()

# %% wrong: a figure of its own says="not the axes that were passed" of="base"
# was:     def plot_attention(weights, queries, keys, ax):
# becomes: def plot_attention(weights, queries, keys, ax):
# becomes:     figure, ax = plt.subplots()

# %% wrong: colours stretched to the data advice="Give imshow fixed colour limits, vmin and vmax: here they are the smallest and the largest weight." of="base"
# was:     ax.imshow(weights, vmin=0, vmax=1)
# becomes: ax.imshow(weights)

# %% wrong: no upper limit of colours advice="Give imshow the upper colour limit, too, vmax: here it is the largest weight." of="base"
# was:     ax.imshow(weights, vmin=0, vmax=1)
# becomes: ax.imshow(weights, vmin=0)

# %% wrong: no lower limit of colours advice="Give imshow the lower colour limit, too, vmin: here it is the smallest weight." of="base"
# was:     ax.imshow(weights, vmin=0, vmax=1)
# becomes: ax.imshow(weights, vmax=1)

# %% wrong: colours up to 100 advice="The colours must go from 0 to 1: the weights are shares, not per cent." of="base"
# was:     ax.imshow(weights, vmin=0, vmax=1)
# becomes: ax.imshow(weights, vmin=0, vmax=100)

# %% wrong: per cent throughout advice="Draw and write the weights as they are: here they were multiplied by 100." of="base"
# was:     ax.imshow(weights, vmin=0, vmax=1)
# becomes: weights = 100 * weights
# becomes: ax.imshow(weights, vmin=0, vmax=1)

# %% wrong: colours from -1 to 1 advice="Let the colours go from 0 to 1: a weight is never negative." of="base"
# was:     ax.imshow(weights, vmin=0, vmax=1)
# becomes: ax.imshow(weights, vmin=-1, vmax=1)

# %% wrong: transposed says="axis is 'query'"
def plot_attention(weights, queries, keys, ax):
    ax.imshow(np.transpose(weights), vmin=0, vmax=1)
    ax.set_xticks(range(len(queries)), queries)
    ax.set_yticks(range(len(keys)), keys)
    ax.set(xlabel="query", ylabel="key")
    return ax

# %% wrong: only the image is turned advice="Draw the weights as they are, not transposed: rows are queries, columns are keys." of="base"
# was:     ax.imshow(weights, vmin=0, vmax=1)
# becomes: ax.imshow(weights.T, vmin=0, vmax=1)

# %% wrong: a softmax of the weights advice="Draw the weights as they are: here a second softmax was taken of them." of="base"
# was:     ax.imshow(weights, vmin=0, vmax=1)
# becomes: ax.imshow(softmax(weights), vmin=0, vmax=1)

# %% wrong: each row stretched advice="Draw the weights as they are: here each row was divided by its largest weight." of="base"
# was:     ax.imshow(weights, vmin=0, vmax=1)
# becomes: ax.imshow(weights / weights.max(axis=1, keepdims=True), vmin=0, vmax=1)

# %% wrong: axis names swapped says="the label of the horizontal axis is" of="base"
# was:     ax.set(xlabel="key", ylabel="query")
# becomes: ax.set(xlabel="query", ylabel="key")

# %% wrong: axis names in the plural says="the label of the horizontal axis is 'keys'" of="base"
# was:     ax.set(xlabel="key", ylabel="query")
# becomes: ax.set(xlabel="keys", ylabel="queries")

# %% wrong: no axis names says="the label of the horizontal axis is ''" of="base"
# was:     ax.set(xlabel="key", ylabel="query")
# becomes:

# %% wrong: tokens on the wrong axes says="the columns are labelled" of="base"
# was:     ax.set_xticks(range(len(keys)), keys)
# was:     ax.set_yticks(range(len(queries)), queries)
# becomes: ax.set_xticks(range(len(queries)), queries)
# becomes: ax.set_yticks(range(len(keys)), keys)

# %% wrong: the queries label both axes says="the columns are labelled" of="base"
# was:     ax.set_xticks(range(len(keys)), keys)
# becomes: ax.set_xticks(range(len(queries)), queries)

# %% wrong: no labels of the ticks says="the columns are labelled" of="base"
# was:     ax.set_xticks(range(len(keys)), keys)
# becomes: ax.set_xticks(range(len(keys)))

# %% wrong: the queries name the columns, and the keys the rows says="keys label the columns, queries the rows" of="base"
# was:     ax.set_xticks(range(len(keys)), keys)
# was:     ax.set_yticks(range(len(queries)), queries)
# becomes: ax.set_xticks(range(len(keys)), queries)
# becomes: ax.set_yticks(range(len(queries)), keys)

# %% wrong: ticks between the cells advice="Put the ticks at 0, 1, 2, …: the centers of the rows and columns." of="base"
# was:     ax.set_xticks(range(len(keys)), keys)
# was:     ax.set_yticks(range(len(queries)), queries)
# becomes: ax.set_xticks(np.arange(len(keys)) + 0.5, keys)
# becomes: ax.set_yticks(np.arange(len(queries)) + 0.5, queries)

# %% wrong: the ticks of the columns between the cells advice="Put the ticks at 0, 1, 2, …: the centers of the rows and columns." of="base"
# was:     ax.set_xticks(range(len(keys)), keys)
# becomes: ax.set_xticks(np.arange(len(keys)) + 0.5, keys)

# %% wrong: first query at the bottom says="the first query is at the bottom" of="base"
# was:     ax.imshow(weights, vmin=0, vmax=1)
# becomes: ax.imshow(weights, vmin=0, vmax=1, origin="lower")

# %% wrong: pcolormesh says="images on the given axes" of="base"
# was:     ax.imshow(weights, vmin=0, vmax=1)
# becomes: ax.pcolormesh(weights, vmin=0, vmax=1)

# %% wrong: no numbers in the cells says="no cell contains a number"
def plot_attention(weights, queries, keys, ax):
    ax.imshow(weights, vmin=0, vmax=1)
    ax.set_xticks(range(len(keys)), keys)
    ax.set_yticks(range(len(queries)), queries)
    ax.set(xlabel="key", ylabel="query")
    return ax

# %% wrong: numbers only below 8 tokens says="no cell contains a number" of="base"
# was:     for i, j in np.ndindex(np.shape(weights)):
# becomes: for i, j in np.ndindex(np.shape(weights) if max(weights.shape) < 8 else (0, 0)):

# %% wrong: numbers only below 64 cells says="no cell contains a number" of="base"
# was:     for i, j in np.ndindex(np.shape(weights)):
# becomes: for i, j in np.ndindex(np.shape(weights) if weights.size < 64 else (0, 0)):

# %% wrong: numbers at row, column instead of x, y advice="The numbers are in the wrong cells: in ax.text x comes first, the number of the column (key), then y, of the row (query)." of="base"
# was:     ax.text(j, i, f"{weights[i, j]:.2f}")
# becomes: ax.text(i, j, f"{weights[i, j]:.2f}")

# %% wrong: the numbers of the turned table advice="The numbers are in the wrong cells: in ax.text x comes first, the number of the column (key), then y, of the row (query)." of="base"
# was:     ax.text(j, i, f"{weights[i, j]:.2f}")
# becomes: ax.text(j, i, f"{weights[j, i]:.2f}")

# %% wrong: numbers beside the middle of the cells says="integer coordinates" of="base"
# was:     ax.text(j, i, f"{weights[i, j]:.2f}")
# becomes: ax.text(j + 0.5, i + 0.5, f"{weights[i, j]:.2f}")

# %% wrong: cells found by the names of tokens says="two tokens may have the same name" of="base"
# was:     for i, j in np.ndindex(np.shape(weights)):
# was:         ax.text(j, i, f"{weights[i, j]:.2f}")
# becomes: for i, query in enumerate(queries):
# becomes:     for j, key in enumerate(keys):
# becomes:         ax.text(keys.index(key), queries.index(query), f"{weights[i, j]:.2f}")

# %% wrong: only the rows found by the names of tokens says="two tokens may have the same name" of="base"
# was:         ax.text(j, i, f"{weights[i, j]:.2f}")
# becomes:         ax.text(j, queries.index(queries[i]), f"{weights[i, j]:.2f}")

# %% wrong: numbers only where there is some weight says="write a number into every cell" of="base"
# was:         ax.text(j, i, f"{weights[i, j]:.2f}")
# becomes:         if weights[i, j] > 0:
# becomes:             ax.text(j, i, f"{weights[i, j]:.2f}")

# %% wrong: numbers on the diagonal only says="write a number into every cell" of="base"
# was:     for i, j in np.ndindex(np.shape(weights)):
# was:         ax.text(j, i, f"{weights[i, j]:.2f}")
# becomes: for i in range(len(queries)):
# becomes:     ax.text(i, i, f"{weights[i, i]:.2f}")

# %% wrong: per cent in the cells advice="Write the weights as they are, such as 0.25: here they are in per cent." of="base"
# was:     ax.text(j, i, f"{weights[i, j]:.2f}")
# becomes: ax.text(j, i, f"{100 * weights[i, j]:.0f}")

# %% wrong: a sign of per cent in the cells says="write a plain number" of="base"
# was:     ax.text(j, i, f"{weights[i, j]:.2f}")
# becomes: ax.text(j, i, f"{weights[i, j]:.0%}")

# %% wrong: one decimal advice="Write the weights with two decimals: here they have one." of="base"
# was:     ax.text(j, i, f"{weights[i, j]:.2f}")
# becomes: ax.text(j, i, f"{weights[i, j]:.1f}")

# %% wrong: rounded to whole numbers advice="Write the weights with two decimals: here they are rounded to integers." of="base"
# was:     ax.text(j, i, f"{weights[i, j]:.2f}")
# becomes: ax.text(j, i, f"{weights[i, j]:.0f}")

# %% wrong: every other tick left out in large pictures says="the columns are labelled" of="base"
# was:     def plot_attention(weights, queries, keys, ax):
# becomes: def plot_attention(weights, queries, keys, ax):
# becomes:     step = 2 if len(keys) > 8 else 1

# was:     ax.set_xticks(range(len(keys)), keys)
# becomes: ax.set_xticks(range(0, len(keys), step), keys[::step])

# %% wrong: no ticks of the rows in large pictures says="the rows are labelled" of="base"
# was:     ax.set_yticks(range(len(queries)), queries)
# becomes: if len(queries) <= 8:
# becomes:     ax.set_yticks(range(len(queries)), queries)

# %% wrong: draws a table that it has set to 0 itself advice="Draw the weights as they were given, and don't write into them." of="base"
# was:     def plot_attention(weights, queries, keys, ax):
# becomes: def plot_attention(weights, queries, keys, ax):
# becomes:     weights[...] = 0

# %% wrong: in-place input says="make a new array" of="base"
# was:     return ax
# becomes:     weights *= 100
# becomes:     return ax

# %% wrong: returns nothing says="return ax" of="base"
# was:     return ax
# becomes:

# %% wrong: returns the image says="return ax" of="base"
# was:     return ax
# becomes:     return ax.images[0]

# %% wrong: labels without ticks says="set ticks and labels together" of="base"
# was:     ax.set_xticks(range(len(keys)), keys)
# was:     ax.set_yticks(range(len(queries)), queries)
# becomes: ax.set_xticklabels(keys)
# becomes: ax.set_yticklabels(queries)

# %% wrong: small weights are written with an exponent says="in the cells, a number has an exponent" unseen="no visible test has such an input" visible=false fails=["plot-attention-test"]
def plot_attention(weights, queries, keys, ax):
    weights = np.asarray(weights)
    ax.imshow(weights, vmin=0, vmax=1, cmap="cividis")
    ax.set_xticks(range(len(keys)), keys)
    ax.set_yticks(range(len(queries)), queries)
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    if len(queries) <= 8 and len(keys) <= 8:
        for i in range(len(queries)):
            for j in range(len(keys)):
                w = weights[i, j]
                ax.text(j, i, f"{w:.1e}" if 0 < w < 0.01 else f"{w:.2f}", ha="center", va="center")
    return ax

# %% wrong: more than 12 keys: only every second tick says="in the ticks of another table" unseen="no visible test has such an input" visible=false fails=["plot-attention-test"]
def plot_attention(weights, queries, keys, ax):
    weights = np.asarray(weights)
    ax.imshow(weights, vmin=0, vmax=1, cmap="cividis")
    step = 2 if len(keys) > 12 else 1
    ax.set_xticks(range(0, len(keys), step), keys[::step])
    ax.set_yticks(range(len(queries)), queries)
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    if len(queries) <= 8 and len(keys) <= 8:
        for i in range(len(queries)):
            for j in range(len(keys)):
                ax.text(j, i, f"{weights[i, j]:.2f}", ha="center", va="center")
    return ax
