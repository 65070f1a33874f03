// Regrade requests: each with the student's code, the points, and a field for the reply.
import { doing, el, field, made, say } from "./elements.js";
import { exerciseForm } from "./exercise_form.js";
import { ask, requireName } from "./server_api.js";

export const replying = () => [...document.querySelectorAll(".request textarea.reply")].some((one) => one.value.trim() !== one.dataset.before);

// Return the box of a request. answered, open: called after a reply, and to show the whole submission.
export function requestBox(one, answered, open) {
  const box = made("div", "", { className: "request" });
  const said = made("textarea", "", { rows: 2, value: one.answer, className: "reply" });
  said.dataset.before = one.answer;
  // Beside an answer, a request has no exercise: the points are in the form of the answer.
  const forms = (one.exercises ?? []).map((exercise) => exerciseForm(exercise, one.submission));
  const button = made("button", forms.length ? "Save points and answer" : "Answer", { type: "button", className: "main" });
  button.addEventListener("click", doing(async () => {
    requireName();
    if (!said.value.trim() && !one.answer && !forms.some((form) => form.changed())) throw new Error("Write the answer first.");
    const words = [];
    for (const form of forms) words.push(await form.save());
    said.value = said.value.trim() || (one.answer ? "" : words.filter(Boolean).join(" "));
    try {
      Object.assign(one, await ask("PUT", `requests/${one.id}`, { answer: said.value, before: one.answer }));
    } catch (error) {
      if (error.status !== 409) throw error;
      const now = (await ask("GET", "requests")).find((other) => other.id === one.id);
      one.answer = now?.answer ?? "";
      say(`Not saved: somebody else has answered in the meantime${one.answer ? `: “${one.answer}”` : ""}. Press the button again to replace that answer.`, true);
      return;
    }
    said.dataset.before = one.answer;
    say(one.answer ? "Answered: the student’s next feedback page will show the answer." : "The answer is deleted.");
    await answered();
  }));
  box.append(made("p", `${one.name && !el.hide.checked ? `${one.name}, ` : ""}${`${one.assignment} ${one.number}`.trim()}: ${one.text}`, { className: "asks" }));
  box.append(...forms.map((form) => form.element), field("Reply", said), button);
  if (open) {
    const whole = made("button", "Show the whole submission", { type: "button" });
    whole.addEventListener("click", doing(() => open(one.submission)));
    box.append(" ", whole);
  }
  return box;
}
