// One question, and one answer after the other. What is saved is in the gradebook at once.
const el = Object.fromEntries([...document.querySelectorAll("[id]")].map((one) => [one.id, one]));
const LETTERS = ["a", "s", "d", "f", "g"];
let questions = [], question = null, at = 0;

async function ask(method, path, body) {
  const options = { method, headers: { "X-Gradebox": "read" } };
  if (body) options.body = JSON.stringify({ as: el.reader.value, ...body });
  let answer, said;
  try {
    answer = await fetch(`api/${path}`, options);
    said = await answer.json();
  } catch {
    throw new Error("nothing was saved: the program that serves this page has ended, or can't be reached");
  }
  if (!answer.ok) throw Object.assign(new Error(said.problem), { status: answer.status });
  return said;
}

function say(text, bad = false) {
  el.status.textContent = text;
  el.status.classList.toggle("bad", bad);
}

function made(tag, text, more = {}) {
  return Object.assign(document.createElement(tag), { textContent: text, ...more });
}

const current = () => question?.answers[at];
const plain = (number) => (number === null ? "" : String(Math.round(number * 100) / 100));
const changed = () => current() && (el.points.value.trim() !== plain(current().points) || el.comment.value.trim() !== current().comment);

async function listQuestions() {
  questions = await ask("GET", "questions");
  const asked = await ask("GET", "requests");
  const open = asked.filter((one) => !one.answer).length;
  const items = questions.map((one) => {
    const button = made("button", `${one.assignment} ${one.number} `, { type: "button", title: one.title });
    button.append(made("span", one.waiting ? `${one.waiting} to read` : "all read", { className: one.waiting ? "count" : "done" }));
    button.setAttribute("aria-current", String(one.id === question?.id));
    button.addEventListener("click", () => open_(one.id));
    return button;
  });
  if (asked.length) {
    const button = made("button", "Requests ", { type: "button" });
    button.append(made("span", open ? `${open} to answer` : "all answered", { className: open ? "count" : "done" }));
    button.addEventListener("click", () => showRequests(asked));
    items.push(button);
  }
  el.questions.replaceChildren(...items.map((one) => { const item = document.createElement("li"); item.append(one); return item; }));
}

async function open_(id) {
  if (!(await left())) return;
  question = await ask("GET", `questions/${id}`);
  el.requests.hidden = true;
  el.question.hidden = false;
  document.title = `${question.number} ${question.title}`;
  // Both are made harmless where they come from.
  el.asks.innerHTML = question.asks;
  el.scheme.innerHTML = question.scheme;
  el.schemebox.hidden = !question.scheme;
  el.possible.textContent = plain(question.points);
  el.empty.hidden = !question.answers.some((one) => one.empty && one.waits);
  listPhrases();
  await listQuestions();
  const first = question.answers.findIndex((one) => one.waits && !(one.reader && one.reader !== el.reader.value.trim()));
  await go(first < 0 ? 0 : first);
}

async function go(to) {
  if (!question.answers.length) { say("Nobody’s answer to this question is graded yet."); el.question.hidden = true; return; }
  at = Math.max(0, Math.min(to, question.answers.length - 1));
  show();
  await take();
}

// Tell the others that this answer is being read, and hear how it stands. What was typed meanwhile stays.
async function take() {
  const one = current();
  if (!one || !el.reader.value.trim()) return;
  const before = one.version, typed = changed();
  try {
    const now = await ask("POST", `questions/${question.id}/answers/${one.id}`, {});
    const untouched = !typed && current() === one && !changed();
    Object.assign(one, untouched ? now : { reader: now.reader });
    if (current() === one) untouched && now.version !== before ? show() : showReader();
  } catch (error) { say(error.message, true); }
}

function show() {
  const one = current();
  el.who.textContent = el.hide.checked ? `Answer ${at + 1}` : one.name;
  el.where.textContent = `${at + 1} of ${question.answers.length}${one.waits ? "" : ", read"}`;
  el.text.classList.toggle("empty", one.empty || !one.there);
  if (one.html) el.text.innerHTML = one.html;
  else el.text.textContent = one.there ? "Nothing was written here." : "There is no graded copy: run gradebox autograde again.";
  el.points.value = plain(one.points);
  el.comment.value = one.comment;
  el.extra.textContent = one.extra ? `and ${plain(one.extra)} extra, given in Formgrader` : "";
  el.asked.replaceChildren(...(one.requests ?? []).map(requestBox));
  showReader();
  scrollTo(0, 0);
}

function showReader() {
  const other = current().reader && current().reader !== el.reader.value.trim() ? current().reader : "";
  el.taken.textContent = other ? `${other} is reading this answer` : "";
  for (const control of el.marks.elements) control.disabled = Boolean(other) && !["next", "previous"].includes(control.id);
}

// Whether the answer that is open can be left: what was typed is not lost without a word.
async function left() {
  return !changed() || confirm("The points or the comment that you have typed are not saved. Leave them?");
}

async function move(by) {
  if (question && (await left())) await go(at + by);
}

async function save() {
  const one = current();
  const typed = el.points.value.trim().replace(",", ".");
  if (!one || el.points.disabled) return;
  if (typed && Number.isNaN(Number(typed))) { say(`${el.points.value} is no number`, true); return; }
  if (!el.reader.value.trim()) { say("Say who you are first.", true); el.reader.focus(); return; }
  const body = { version: one.version, points: typed ? Number(typed) : null, comment: el.comment.value };
  try {
    Object.assign(one, await ask("PUT", `questions/${question.id}/answers/${one.id}`, body));
  } catch (error) {
    if (error.status === 409) {
      const typedNow = { points: el.points.value, comment: el.comment.value };
      const fresh = await ask("GET", `questions/${question.id}`);
      const index = fresh.answers.findIndex((other) => other.id === one.id);
      question = fresh;
      await go(index);
      say(`${error.message} meanwhile. This is how it stands now; you had typed ${typedNow.points || "no points"}${typedNow.comment ? ` and “${typedNow.comment}”` : ""}.`, true);
    } else say(error.message, true);
    return;
  }
  say(`Saved: ${el.hide.checked ? `answer ${at + 1}` : one.name}, ${one.points === null ? "no points yet" : plain(one.points)}.`);
  await listQuestions();
  const waiting = (other) => other.waits && other !== one;
  const behind = question.answers.findIndex((other, number) => number > at && waiting(other));
  const next = behind >= 0 ? behind : question.answers.findIndex(waiting);
  if (next >= 0) { await go(next); el.points.blur(); el.comment.blur(); }
  else { show(); say(`${el.status.textContent} All answers to this question are read.`); }
}

function listPhrases() {
  el.phrases.replaceChildren(...question.phrases.map((one, number) => {
    const line = document.createElement("span");
    const use = made("button", one.text, { type: "button" });
    if (LETTERS[number]) use.prepend(made("kbd", LETTERS[number]), " ");
    use.addEventListener("click", () => usePhrase(number));
    const drop = made("button", "×", { type: "button", title: "Don’t offer it any more" });
    drop.addEventListener("click", async () => {
      question.phrases = (await ask("DELETE", `questions/${question.id}/phrases/${one.id}`)).phrases;
      listPhrases();
    });
    line.append(use, drop);
    return line;
  }));
}

function usePhrase(number) {
  const one = question.phrases[number];
  if (!one || el.comment.disabled) return;
  const before = el.comment.value.trim();
  if (!before.split("\n").includes(one.text)) el.comment.value = before ? `${before}\n${one.text}` : one.text;
}

function requestBox(one) {
  const box = made("div", "", { className: "request" });
  const said = made("textarea", "", { rows: 2, value: one.answer });
  said.setAttribute("aria-label", "Your answer to the request");
  const button = made("button", one.answer ? "Change the answer" : "Answer", { type: "button" });
  button.addEventListener("click", async () => {
    try {
      Object.assign(one, await ask("PUT", `requests/${one.id}`, { answer: said.value }));
      say("Answered: it will be on the student’s page.");
      await listQuestions();
    } catch (error) { say(error.message, true); }
  });
  box.append(made("p", `${one.name && !el.hide.checked ? `${one.name}, ` : ""}${one.assignment} ${one.number}: ${one.text}`), said, button);
  return box;
}

async function showRequests(asked) {
  if (!(await left())) return;
  question = null;
  el.question.hidden = true;
  el.requests.hidden = false;
  el.requestlist.replaceChildren(...asked.map(requestBox));
}

el.marks.addEventListener("submit", (event) => { event.preventDefault(); save(); });
el.next.addEventListener("click", () => move(1));
el.previous.addEventListener("click", () => move(-1));
el.hide.addEventListener("change", () => { localStorage.setItem("hide", el.hide.checked ? "yes" : ""); if (question) el.who.textContent = el.hide.checked ? `Answer ${at + 1}` : current().name; });
el.reader.addEventListener("change", async () => { localStorage.setItem("reader", el.reader.value.trim()); if (question) await take(); });
el.keys.addEventListener("click", () => { el.keylist.hidden = !el.keylist.hidden; el.keys.setAttribute("aria-expanded", String(!el.keylist.hidden)); });
el.keep.addEventListener("click", async () => {
  try {
    question.phrases = (await ask("POST", `questions/${question.id}/phrases`, { text: el.comment.value })).phrases;
    listPhrases();
  } catch (error) { say(error.message, true); }
});
el.empty.addEventListener("click", async () => {
  const count = question.answers.filter((one) => one.empty && one.waits).length;
  if (!confirm(`Give 0 points to ${count} empty answers?`)) return;
  try {
    const { scored } = await ask("POST", `questions/${question.id}/empty`, {});
    await open_(question.id);
    say(`${scored} empty answers have 0 points.`);
  } catch (error) { say(error.message, true); }
});
document.addEventListener("keydown", (event) => {
  const typing = ["TEXTAREA", "INPUT"].includes(event.target.tagName) && event.target !== el.points && event.target.type !== "checkbox";
  if (event.target === el.comment && event.key === "Escape") { el.comment.blur(); return; }
  if (event.target === el.comment && event.key === "Enter" && event.ctrlKey) { event.preventDefault(); save(); return; }
  if (!question || typing || event.ctrlKey || event.altKey || event.metaKey) return;
  const key = event.key;
  const inPoints = event.target === el.points;
  if (key === "Enter" && event.target.tagName !== "BUTTON" && event.target.tagName !== "SUMMARY") { event.preventDefault(); save(); }
  else if (key === "j" || (key === "ArrowRight" && !inPoints)) { event.preventDefault(); move(1); }
  else if (key === "k" || (key === "ArrowLeft" && !inPoints)) { event.preventDefault(); move(-1); }
  else if (key === "c") { event.preventDefault(); el.comment.focus(); }
  else if (key === "x") { event.preventDefault(); el.points.value = ""; }
  else if (LETTERS.includes(key)) { event.preventDefault(); usePhrase(LETTERS.indexOf(key)); }
  else if (!inPoints && !el.points.disabled && /^\d$/.test(key)) { event.preventDefault(); el.points.value = key; }
  else if (!inPoints && !el.points.disabled && key === ".") { event.preventDefault(); el.points.value = plain((Number(el.points.value) || 0) + 0.5); }
});
addEventListener("beforeunload", (event) => { if (changed()) event.preventDefault(); });
// What others have taken or read meanwhile.
setInterval(async () => {
  if (document.hidden || !question) return;
  try {
    const fresh = await ask("GET", `questions/${question.id}`);
    const known = new Map(fresh.answers.map((one) => [one.id, one]));
    const open = current();
    question.answers.forEach((one) => { if (one !== open && known.has(one.id)) Object.assign(one, known.get(one.id)); });
    await take();
  } catch (error) { say(error.message, true); }
}, 20_000);

el.reader.value = localStorage.getItem("reader") ?? "";
el.hide.checked = Boolean(localStorage.getItem("hide"));
try {
  await listQuestions();
  const first = questions.find((one) => one.waiting) ?? questions[0];
  await open_(first.id);
  if (!el.reader.value) { say("Say who you are: others who read see what you have taken."); el.reader.focus(); }
} catch (error) { say(error.message, true); }
