// Reading page: shows one question and one answer at a time. Every save is written to the gradebook at once.
import { countAnswers, describePoints, doing, el, made, NAME_FIRST, parsePoints, plain, saving, say, showAnswer } from "./elements.js";
import { exerciseForm, exercisesChanged } from "./exercise_form.js";
import { appliedItems, applyLetter, showItems, startRubric } from "./rubric.js";
import { ask, reader, requireName } from "./server_api.js";

let questions = [], submissions = [], question = null, submission = null, at = 0, digits = false;
// Values that the program put into the fields, to detect what the reader has typed.
let filled = { points: "", bonus: "", comment: "", items: "" };

const current = () => question?.answers[at];
const fields = () => ({ points: el.points.value, bonus: el.bonus.value, comment: el.comment.value, items: appliedItems().join() });
const typed = () => Object.entries(fields()).some(([name, value]) => value !== filled[name]);
const changed = () => Boolean(current() && typed()) || exercisesChanged();

// Create or update the button of a question, with the number of unread answers.
function listed(id, text, title, open, waiting) {
  let button = document.getElementById(id);
  if (!button) {
    button = made("button", text, { type: "button", title, id });
    button.append(document.createElement("span"));
    button.addEventListener("click", doing(open));
    const item = document.createElement("li");
    item.append(button);
    el.questions.append(item);
  }
  button.lastChild.textContent = waiting ? `${waiting} to read` : "all read";
  button.lastChild.className = waiting ? "count" : "done";
  return button;
}

// Mark the open question or submission in the navigation.
function markOpen(id) {
  for (const button of el.questions.querySelectorAll("button")) button.setAttribute("aria-current", String(button.id === id));
  el.tests.value = question?.test ? question.id : "";
  el.students.value = submission?.id ?? "";
}

// Fill a list with options, in a group for each assignment.
function listOptions(select, first, all, text) {
  const groups = new Map();
  for (const one of all) {
    if (!groups.has(one.assignment)) groups.set(one.assignment, made("optgroup", "", { label: one.assignment }));
    groups.get(one.assignment).append(made("option", text(one), { value: one.id }));
  }
  const { value } = select;
  select.replaceChildren(made("option", first, { value: "" }), ...groups.values());
  select.value = value;
}

async function listQuestions() {
  questions = await ask("GET", "questions");
  const answered = questions.filter((one) => one.answers);
  for (const one of answered.filter((other) => !other.test || other.waiting || document.getElementById(`question-${other.id}`))) {
    const text = `${one.assignment} ${one.number}${one.test ? " test" : ""} `, open = () => openQuestion(one.id);
    listed(`question-${one.id}`, text, one.title, open, one.waiting);
  }
  listOptions(el.tests, "choose a test", answered.filter((one) => one.test), (one) => `${one.number} ${one.title}`);
  markOpen(question ? `question-${question.id}` : "");
}

async function listStudents() {
  submissions = await ask("GET", "submissions");
  // Hidden names: the ids are hashes, so their order does not reveal the students.
  if (el.hide.checked) submissions.sort((one, other) => one.assignment.localeCompare(other.assignment) || one.id.localeCompare(other.id));
  listOptions(el.students, "choose a student", submissions, (one) => (el.hide.checked ? `Submission ${one.id.slice(0, 4)}` : one.name));
  el.students.value = submission?.id ?? "";
}

async function listSections() {
  const sections = await ask("GET", "sections"), chosen = sessionStorage.getItem("section");
  el.sectionline.hidden = sections.length < 2;
  el.section.replaceChildren(made("option", "all", { value: "" }), ...sections.map((name) => made("option", name, { value: name })));
  el.section.value = sections.includes(chosen) ? chosen : "";
}

// Return true if the current answer may be left; asks first if there are unsaved changes.
function left() {
  return !changed() || confirm("Your changes are not saved. Discard them?");
}

// Show the question or the submission, and forget what the other has shown.
function showPart(part) {
  for (const one of [el.question, el.submission]) one.hidden = one !== part;
  el.exercises.replaceChildren();
  say("");
  if (part !== el.question) question = null;
  if (part !== el.submission) submission = null;
}

async function openQuestion(id) {
  const fresh = await ask("GET", `questions/${id}`);
  if (!left()) { markOpen(question ? `question-${question.id}` : ""); return; }
  // No await from here to show(), so that the answer shown is always the answer saved.
  showPart(el.question);
  const here = question?.id === fresh.id ? current()?.id : null;
  question = fresh;
  const first = question.answers.findIndex((one) => (here ? one.id === here : one.waits));
  at = Math.max(0, first);
  el.question.hidden = !question.answers.length;
  document.title = `${question.number} ${question.title}`;
  // The server has sanitized both.
  el.asks.innerHTML = question.asks;
  el.scheme.innerHTML = question.scheme;
  el.schemename.textContent = question.test ? "Test" : "Mark scheme";
  el.schemebox.hidden = !question.scheme;
  el.possible.textContent = plain(question.points);
  el.empty.hidden = !question.answers.some((one) => one.empty && one.waits);
  if (question.answers.length) show(); else say("No answer to this question is in the gradebook yet.");
  doing(listQuestions)();
  doing(refresh)();
}

async function openSubmission(id) {
  const fresh = await ask("GET", `submissions/${id}`);
  if (!left()) { el.students.value = submission?.id ?? ""; return; }
  showPart(el.submission);
  submission = fresh;
  const name = el.hide.checked ? `Submission ${fresh.id.slice(0, 4)}` : fresh.name;
  el.submissiontitle.textContent = `${name}, ${fresh.assignment}`;
  document.title = el.submissiontitle.textContent;
  el.exercises.replaceChildren(...fresh.exercises.map((exercise) => {
    const form = exerciseForm(exercise, fresh.id), box = made("form", "");
    const button = made("button", "Save", { type: "submit" });
    box.addEventListener("submit", (event) => {
      event.preventDefault();
      doing(async () => {
        requireName();
        await saving(form.save);
        say(`Saved: ${name}, ${exercise.number}.`);
        await listQuestions();
      })();
    });
    box.append(form.element, button);
    return box;
  }));
  if (!fresh.exercises.length) say("Nothing of this submission is graded yet.");
  markOpen("");
  scrollTo(0, 0);
}

// Open the next or the previous submission to the same assignment.
async function moveSubmission(by) {
  const those = submissions.filter((one) => one.assignment === submission.assignment);
  const next = those[those.findIndex((one) => one.id === submission.id) + by];
  if (next) await openSubmission(next.id);
}

async function go(to) {
  if (!question.answers.length) return;
  at = Math.max(0, Math.min(to, question.answers.length - 1));
  show();
  await refresh();
}

async function move(by) {
  if (question && left()) await go(at + by);
}

// Show the current state of this answer. Unsaved changes stay.
async function refresh() {
  const one = current(), version = one?.version;
  if (!one) return;
  const now = await ask("GET", `questions/${question.id}/answers/${one.id}`);
  // A save may have been faster.
  if (current() === one && one.version === version && !changed() && now.version !== version) { Object.assign(one, now); show(); }
}

function show() {
  const one = current();
  el.who.textContent = el.hide.checked ? `Answer ${at + 1}` : one.name;
  el.where.textContent = `${at + 1} of ${question.answers.length}${one.waits || (question.test && one.given === null) ? "" : ", read"}`;
  showAnswer(el.text, one);
  el.messages.replaceChildren(...one.messages.map((said) => made("p", said, { className: "message" })));
  el.points.value = plain(one.points);
  el.bonus.value = one.extra ? plain(one.extra) : "";
  el.comment.value = one.comment;
  showItems(one);
  filled = fields();
  digits = false;
  el.state.textContent = describePoints(one, question.test);
  el.back.hidden = !question.test || one.given === null || one.automatic === null;
  showAlike();
  listGroups();
  showProgress();
  scrollTo(0, 0);
}

// Other answers with the same text as an answer.
const alike = (one) => question.answers.filter((other) => other !== one && one.alike && other.alike === one.alike);

// Describe the points of read answers with the same text; empty if they are equal.
function describeUnequal(those) {
  const given = those.filter((one) => !one.waits && one.points !== null).map((one) => plain(one.points + one.extra));
  const points = [...new Set(given)].sort((one, other) => one - other);
  return points.length > 1 ? `, with unequal points: ${points.join(", ")}` : "";
}

function showAlike() {
  const those = alike(current()), waiting = those.filter((one) => one.waits).length;
  const unequal = describeUnequal([current(), ...those]);
  el.alikeline.classList.toggle("message", Boolean(unequal));
  el.alikeline.hidden = !those.length;
  el.alike.checked = those.length > 0 && waiting === those.length;
  el.alikecount.textContent = `Save also for ${countAnswers(those.length, "other ")} with the same text${waiting && waiting < those.length ? `, ${waiting} of them unread` : waiting ? "" : ", already read"}${unequal}`;
}

// List the texts that several students wrote. A click shows the first unread of these answers.
function listGroups() {
  const groups = new Map();
  for (const one of question.answers) if (one.alike) groups.set(one.alike, [...(groups.get(one.alike) ?? []), one]);
  const several = [...groups.values()].filter((those) => those.length > 1);
  // The first ten are shown.
  several.sort((one, other) => Boolean(describeUnequal(other)) - Boolean(describeUnequal(one)) || other.length - one.length);
  el.groupbox.hidden = !several.length;
  el.groupcount.textContent = `${countAnswers(question.answers.length)}; these texts occur several times:`;
  el.groups.replaceChildren(...several.slice(0, 10).map((those) => {
    const sample = document.createElement("div");
    sample.innerHTML = those[0].html;
    const text = sample.textContent.trim().replace(/\s+/g, " ");
    const button = made("button", `${those.length} × “${text.length > 60 ? `${text.slice(0, 60)}…` : text}”${describeUnequal(those)}`, { type: "button" });
    button.addEventListener("click", doing(async () => {
      if (left()) await go(question.answers.indexOf(those.find((one) => one.waits) ?? those[0]));
    }));
    return button;
  }));
}

// How many answers each reader has read, and how many are left.
function showProgress() {
  const counts = new Map();
  for (const { by } of question.answers) if (by) counts.set(by, (counts.get(by) ?? 0) + 1);
  const waiting = question.answers.filter((one) => one.waits).length;
  el.progress.textContent = [...[...counts].map(([name, count]) => `${name} ${count}`), `${waiting} left`].join(", ");
}

async function save() {
  const one = current();
  if (!one) return;
  requireName();
  const path = `questions/${question.id}/answers/${one.id}`, sent = fields();
  const body = { version: one.version, comment: sent.comment, items: appliedItems() };
  const same = el.alike.checked ? alike(one) : [];
  body.alike = Object.fromEntries(same.map((other) => [other.id, other.version]));
  // Keep the exact points if the field, which shows two decimals, is unchanged.
  body.points = sent.points === filled.points ? one.points : parsePoints(sent.points);
  if (sent.bonus !== filled.bonus) body.extra = parsePoints(sent.bonus) ?? 0;
  const saved = await saving(async () => {
    try { return await ask("PUT", path, body); } catch (error) {
      if (error.status !== 409) throw error;
      showConflict(one, await ask("GET", path), error);
      return null;
    }
  });
  if (!saved) return;
  const { alike_saved: also, ...now } = saved;
  Object.assign(one, now);
  for (const other of also) Object.assign(same.find((known) => known.id === other.id), other);
  filled = sent;
  countUses();
  doing(listQuestions)();
  const unequal = alike(one).filter((other) => describeUnequal([one, other])).length;
  const parts = [`${el.hide.checked ? `answer ${at + 1}` : one.name}, ${one.points === null ? "no points yet" : plain(one.points)}`];
  if (also.length) parts.push(`the same for ${also.length} more`);
  if (unequal) parts.push(`other points for ${countAnswers(unequal)} with the same text`);
  const text = `Saved: ${parts.join("; ")}.`;
  const waiting = (other) => other.waits && other !== one;
  const behind = question.answers.findIndex((other, number) => number > at && waiting(other));
  const first = behind >= 0 ? behind : question.answers.findIndex(waiting);
  // Few tests wait for a person, so the next is simply the next student's.
  const next = first < 0 && question.test && at + 1 < question.answers.length ? at + 1 : first;
  say(next >= 0 ? text : `${text} All answers to this question are read.`);
  document.activeElement.blur();
  await go(next >= 0 ? next : at);
}

function countUses() {
  for (const item of question.items) item.uses = question.answers.filter((one) => one.items.includes(item.id)).length;
}

function showConflict(one, now, error) {
  const points = el.points.value, comment = el.comment.value;
  Object.assign(one, now);
  show();
  say(`Not saved: ${error.message}. The page now shows the current answer and points. You had typed ${points || "no points"}${comment ? ` and “${comment}”` : ""}.`, true);
}

function leaveName() {
  el.reader.blur();
  if (!question) return;
  el.points.focus();
  el.points.select();
}

el.marks.addEventListener("submit", (event) => { event.preventDefault(); doing(save)(); });
el.next.addEventListener("click", doing(() => move(1)));
el.previous.addEventListener("click", doing(() => move(-1)));
el.back.addEventListener("click", () => { el.points.value = plain(current().automatic); });
el.laststudent.addEventListener("click", doing(() => moveSubmission(-1)));
el.nextstudent.addEventListener("click", doing(() => moveSubmission(1)));
for (const [select, open] of [[el.tests, openQuestion], [el.students, openSubmission]]) {
  let keyboard = false;
  select.addEventListener("pointerdown", () => { keyboard = false; });
  select.addEventListener("keydown", ({ key }) => { keyboard = true; if (key === "Enter") select.blur(); });
  select.addEventListener("change", doing(async () => {
    // After a choice with the mouse, keys belong to the answer again.
    if (!keyboard) select.blur();
    if (select.value) await open(select.value);
  }));
}
el.section.addEventListener("change", doing(async () => {
  if (!left()) { el.section.value = sessionStorage.getItem("section") ?? ""; return; }
  sessionStorage.setItem("section", el.section.value);
  el.section.blur();
  await listStudents();
  if (current()) show();
  if (question) await openQuestion(question.id); else await listQuestions();
}));
el.hide.addEventListener("change", doing(async () => {
  localStorage.setItem("hide", el.hide.checked ? "yes" : "");
  if (current()) el.who.textContent = el.hide.checked ? `Answer ${at + 1}` : current().name;
  await listStudents();
  if (submission) await openSubmission(submission.id);
}));
el.reader.addEventListener("input", () => { if (el.status.textContent === NAME_FIRST) say(""); });
el.reader.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); leaveName(); } });
// A cookie, which the page has at all ports of this machine.
el.reader.addEventListener("change", () => { document.cookie = `gradebox-reader=${encodeURIComponent(reader())}; max-age=31536000; samesite=lax`; });
startRubric({ question: () => question, changed, reload: () => openQuestion(question.id) });
el.empty.addEventListener("click", doing(async () => {
  requireName();
  const count = question.answers.filter((one) => one.empty && one.waits).length;
  if (!left() || !confirm(`Give 0 points to ${countAnswers(count, "empty ")}?`)) return;
  const { scored } = await saving(async () => {
    const done = await ask("POST", `questions/${question.id}/empty`, {});
    show();
    await openQuestion(question.id);
    return done;
  });
  say(`0 points for ${countAnswers(scored, "empty ")}.`);
}));
document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if ([el.comment, el.bonus].includes(target) && key === "Escape") { target.blur(); return; }
  if (target === el.comment && key === "Enter" && event.ctrlKey && !event.repeat) { event.preventDefault(); doing(save)(); return; }
  const inPoints = target === el.points;
  const typing = ["TEXTAREA", "INPUT", "SELECT"].includes(target.tagName) && !inPoints && target.type !== "checkbox";
  if (typing || event.ctrlKey || event.altKey || event.metaKey) return;
  if (submission && ["j", "k"].includes(key)) { event.preventDefault(); doing(moveSubmission)(key === "j" ? 1 : -1); }
  if (!question) return;
  const isPart = /^[\d.,]$/.test(key);
  if (key === "Enter" && !["BUTTON", "SUMMARY", "A"].includes(target.tagName)) {
    event.preventDefault();
    if (!event.repeat) doing(save)();
  } else if (key === "j" || (key === "ArrowRight" && !inPoints)) { event.preventDefault(); doing(move)(1); }
  else if (key === "k" || (key === "ArrowLeft" && !inPoints)) { event.preventDefault(); doing(move)(-1); }
  else if (key === "b") { event.preventDefault(); el.bonus.focus(); el.bonus.select(); }
  else if (key === "c") { event.preventDefault(); el.comment.focus(); }
  else if (key === "x") { event.preventDefault(); el.points.value = ""; digits = false; }
  else if (applyLetter(key)) event.preventDefault();
  else if (isPart && !inPoints) {
    event.preventDefault();
    // Enter then saves, and does not press the button that the reader has clicked before.
    if (target.tagName === "BUTTON") target.blur();
    // The first digit replaces the points, the next digits are appended.
    el.points.value = digits ? el.points.value + key : key;
    digits = true;
  }
});
addEventListener("beforeunload", (event) => { if (changed()) event.preventDefault(); });
// Every 20 seconds: fetch the states of all answers, and the current answer.
setInterval(doing(async () => {
  if (document.hidden || !question) return;
  const here = question;
  const fresh = new Map((await ask("GET", `questions/${here.id}/states`)).map((one) => [one.id, one]));
  for (const one of here.answers) if (one !== current() && fresh.has(one.id)) Object.assign(one, fresh.get(one.id));
  if (question !== here) return;
  showProgress();
  await refresh();
}), 20_000);

el.reader.value = decodeURIComponent(document.cookie.match(/gradebox-reader=([^;]*)/)?.[1] ?? "");
el.hide.checked = Boolean(localStorage.getItem("hide"));
doing(async () => {
  await listSections();
  await listQuestions();
  const first = questions.find((one) => one.waiting) ?? questions.find((one) => one.answers) ?? questions[0];
  await openQuestion(first.id);
  if (!el.reader.value) say(NAME_FIRST);
  await listStudents();
})();
