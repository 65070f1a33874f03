"""What of a cell's output is kept."""

from nbformat.v4 import new_code_cell

from gradebox.execute.output_collector import MIN_OUTPUT_COST, TRUNCATION_NOTICE, OutputCollector


def taken(*messages: tuple[str, dict], limit: int = 1000) -> list:
    cell, outputs = new_code_cell(), OutputCollector(limit)
    outputs.begin(cell)
    for kind, content in messages:
        outputs.take(kind, content)
    return cell.outputs


def text(said: str, name: str = "stdout") -> tuple[str, dict]:
    return "stream", {"name": name, "text": said}


def shown(what: str, name: str | None = None, kind: str = "display_data") -> tuple[str, dict]:
    return kind, {"data": {"text/plain": what}, "metadata": {}, "transient": {"display_id": name}}


def test_what_is_printed_stands_together_and_in_order():
    found = taken(text("a"), text("b"), text("c", "stderr"), text("d"))
    assert [(one.name, one.text) for one in found] == [("stdout", "ab"), ("stderr", "c"), ("stdout", "d")]


def test_outputs_are_cleared_at_once_or_before_the_next():
    assert taken(text("a"), ("clear_output", {"wait": False})) == []
    assert [one.text for one in taken(text("a"), ("clear_output", {"wait": True}), text("b"))] == ["b"]
    assert [one.text for one in taken(text("a"), ("clear_output", {"wait": True}))] == ["a"]


def test_a_display_is_changed_where_it_stands_also_in_an_earlier_cell():
    cells, outputs = [new_code_cell(), new_code_cell()], OutputCollector(1000)
    outputs.begin(cells[0])
    outputs.take(*shown("one", "k"))
    outputs.begin(cells[1])
    outputs.take(*shown("two", "k", "update_display_data"))
    outputs.take(*shown("three", "unknown", "update_display_data"))
    assert [one.data for one in cells[0].outputs] == [{"text/plain": "two"}] and not cells[1].outputs


def test_what_is_too_much_is_cut_once_and_a_last_word_fits():
    found = taken(*[text("x" * 400)] * 10, ("error", {"ename": "E", "evalue": "last", "traceback": []}))
    assert [one.output_type for one in found] == ["stream", "stream", "error"]
    assert found[1].text == TRUNCATION_NOTICE and found[2].evalue == "last"


def test_many_small_ones_are_too_much_too():
    assert len(taken(*[shown("x")] * 1000, limit=MIN_OUTPUT_COST * 5)) == 6


def test_messages_of_other_kinds_and_without_content_are_nothing():
    assert taken(("comm_open", {"comm_id": "1"}), ("status", {}), ("update_display_data", {})) == []
    assert [one.output_type for one in taken(("stream", {}), ("error", {}))] == ["stream", "error"]
