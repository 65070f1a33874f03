// Requests to the server of this page.
import { el } from "./elements.js";

export const reader = () => el.reader.value.split(/\s+/).filter(Boolean).join(" ").slice(0, 64);

export async function ask(method, path, body) {
  const options = { method, headers: { "X-Gradebox": "read" } };
  const section = el.section.value, query = method === "GET" && section ? `?section=${encodeURIComponent(section)}` : "";
  if (body) options.body = JSON.stringify({ as: reader(), section, ...body });
  let answer, said;
  try {
    answer = await fetch(`api/${path}${query}`, options);
    said = await answer.json();
  } catch {
    throw new Error("The server of this page has stopped or can’t be reached: unsaved changes are not in the gradebook.");
  }
  if (!answer.ok) throw Object.assign(new Error(said.problem), { status: answer.status });
  return said;
}

// Throw an error unless the reader has entered a name.
export function requireName() {
  if (reader()) return;
  el.reader.focus();
  throw new Error("Enter your name first.");
}
