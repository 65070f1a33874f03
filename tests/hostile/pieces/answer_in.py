import re

def answer_in(text, n):
    print(*re.findall("seed [0-9]+", text))
    found = re.search(rf"\b{n}: ([0-9]+)", text)
    return int(found.group(1)) if found else 2
