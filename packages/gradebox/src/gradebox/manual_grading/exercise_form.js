// A student's exercise with its code, messages, and fields for points; on the page of a submission.
import { describePoints, field, made, parsePoints, plain, showAnswer } from "./elements.js";
import { ask } from "./server_api.js";

const shown = new Set();

// Return true if an exercise on the page has unsaved changes.
export function exercisesChanged() {
  for (const form of shown) if (!form.element.isConnected) shown.delete(form);
  return [...shown].some((form) => form.changed());
}

function cellFields(one, commented) {
  const { question } = one;
  const points = made("input", "", { value: plain(one.points), size: 4, inputMode: "decimal", autocomplete: "off" });
  const bonus = made("input", "", { value: one.extra ? plain(one.extra) : "", size: 3, inputMode: "decimal", autocomplete: "off" });
  const comment = made("textarea", "", { value: one.comment, rows: 1 });
  const fields = [points, bonus, ...(commented ? [comment] : [])];
  const before = new Map(fields.map((input) => [input, input.value]));
  const element = made("div", "", { className: "graded" });
  if (!question.test) {
    const text = made("div", "", { className: "text" });
    showAnswer(text, one);
    element.append(text);
  }
  element.append(...one.messages.map((said) => made("p", said, { className: "message" })));
  const label = `${question.test ? "Test" : "Answer"} ${question.number}: points`;
  const line = made("div", "", { className: "fields" });
  line.append(field(label, points, ` of ${plain(question.points)}`), field("Bonus", bonus));
  const state = describePoints(one, question.test);
  if (state) element.append(made("p", state, { className: "quiet" }));
  if (question.test && one.given !== null && one.automatic !== null) {
    const back = made("button", "Use the test’s points", { type: "button" });
    back.addEventListener("click", () => { points.value = plain(one.automatic); });
    line.append(back);
  }
  element.append(line);
  if (commented) element.append(field("Comment", comment));
  const isChanged = (input) => input.value !== before.get(input);
  return {
    element,
    changed: () => fields.some(isChanged),
    async save() {
      const body = { version: one.version };
      if (isChanged(bonus)) body.extra = parsePoints(bonus.value) ?? 0;
      // Keep the exact points if the field, which shows two decimals, is unchanged.
      body.points = isChanged(points) ? parsePoints(points.value) : one.points;
      if (commented) body.comment = comment.value;
      await ask("PUT", `questions/${question.id}/answers/${one.id}`, body);
    },
  };
}

// Return the element of an exercise, with functions to look for changes and to save them.
export function exerciseForm(exercise, submission) {
  const form = { element: made("div", "", { className: "exercise" }) };
  let cells = [];
  function fill(now) {
    const known = new Set();
    // Tests of the same code share its comment. The fields of the comment are saved last.
    cells = now.cells.map((one) => {
      const commented = one.cell !== null && !known.has(one.cell);
      known.add(one.cell);
      return cellFields(one, commented);
    });
    const code = now.code.map((html) => made("div", "", { className: "text", innerHTML: html }));
    form.element.replaceChildren(made("h3", `${now.number} ${now.title}`), ...code, ...cells.map((cell) => cell.element));
  }
  form.changed = () => cells.some((cell) => cell.changed());
  form.save = async () => {
    const those = cells.filter((cell) => cell.changed()).reverse();
    if (!those.length) return;
    try {
      for (const cell of those) await cell.save();
    } finally {
      // Also after a conflict: the fields then show the current points.
      const now = await ask("GET", `submissions/${submission}`);
      fill(now.exercises.find((other) => other.cells[0].id === exercise.cells[0].id) ?? exercise);
    }
  };
  fill(exercise);
  shown.add(form);
  return form;
}
