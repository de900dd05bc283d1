/**
 * The last answer to each question, kept in the browser, so that without a connection the page still shows what
 * it last knew, and how old that is. Forgotten at sign-out.
 * @module
 */
import { get, getAll, NetworkError } from "./api.js";

const prefix = "bitpal.last.";
const most = 60;

/** Keeps data under a name; a full store loses its oldest first. */
export function keep(name, data) {
  const text = JSON.stringify({ time: Date.now(), data });
  if (text.length > 200_000) return;
  try {
    localStorage.setItem(prefix + name, text);
  } catch {
    forget();
  }
  const names = keptNames();
  if (names.length > most) {
    names.map((key) => [timeOf(key), key]).sort((a, b) => a[0] - b[0])
      .slice(0, names.length - most).forEach(([, key]) => localStorage.removeItem(key));
  }
}

/** What is kept under a name: `{time, data}` with milliseconds, or null. */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(prefix + name));
  } catch {
    return null;
  }
}

/** Whether an error says that nobody could answer, not what the answer is. */
export const isOutage = (error) => error instanceof NetworkError || error.status >= 500 || error.status === 429;

/** Forgets everything that is kept. */
export function forget() {
  for (const key of keptNames()) localStorage.removeItem(key);
}

/**
 * Asks the API, and where it cannot be reached gives the last answer.
 * @returns {Promise<{data: any, time: number, isOld: boolean}>}
 */
export const recall = (path, options) => orKept(path, () => get(path, options));

/** All items of a list in the same way; the items alone. */
export const recallAll = async (path, options) => (await orKept(path, () => getAll(path, options))).data;

async function orKept(path, ask) {
  try {
    const data = await ask();
    keep(path, data);
    return { data, time: Date.now(), isOld: false };
  } catch (error) {
    const last = isOutage(error) ? kept(path) : null;
    if (!last) throw error;
    return { ...last, isOld: true };
  }
}

const keptNames = () => Object.keys(localStorage).filter((key) => key.startsWith(prefix));

function timeOf(key) {
  return Number(/^\{"time":(\d+)/.exec(localStorage.getItem(key) ?? "")?.[1] ?? 0);
}
