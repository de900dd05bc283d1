/**
 * Calls of the gateway's REST API, on the same origin, with the session's cookie.
 * @module
 */

/** What the API refused, with the fields of its problem document. */
export class ApiError extends Error {
  /** @param {{code?: string, title?: string, detail?: string, field?: string, accepted?: string}} problem */
  constructor(status, problem, retryAfter) {
    super(problem.detail ?? problem.title ?? `HTTP ${status}`);
    this.status = status;
    this.problem = problem;
    this.code = problem.code ?? "internal";
    this.field = problem.field;
    this.retryAfter = retryAfter;
  }
}

/** Nobody answered, or somebody else than the server did. */
export class NetworkError extends Error {}

/** Milliseconds until a question that nobody answers counts as lost. */
const patience = 15_000;
/** The same for what is asked in the next few seconds after one was lost: it is likely to be lost as well. */
const shortPatience = 4_000;
const trouble = 5_000;
let lost = -Infinity;

/** Random text that no other request has. */
export function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const begun = new Map();

/** Asks already for what a view will ask for in a moment; the answer is for the first who does. */
export function begin(path) {
  const answer = call("GET", path);
  begun.set(path, answer);
  // Nobody has asked yet: whoever does asks anew, and hears of the error.
  answer.catch(() => begun.get(path) === answer && begun.delete(path));
}

/**
 * One request.
 * @param {string} method
 * @param {string} path below `/v1`
 * @param {{body?: any, signal?: AbortSignal, key?: string, keepalive?: boolean}} [options] `key` makes a POST safe to
 *   repeat; `keepalive` lets it outlive the page
 * @returns the JSON of the answer, null when there is none
 */
export async function call(method, path, { body, signal, key, keepalive } = {}) {
  const headers = { Accept: "application/json" };
  if (body !== undefined || method === "POST" || method === "PUT" || method === "PATCH") {
    headers["Content-Type"] = "application/json";
    body = JSON.stringify(body ?? {});
  }
  if (method === "POST") headers["Idempotency-Key"] = key ?? randomKey();
  const ask = (until) => fetch(`/v1${path}`,
    { method, headers, body, signal: until, keepalive, credentials: "same-origin" });
  // What changes something may be done although nobody says so: that is waited for.
  return await (method === "GET" ? patiently(ask, signal) : answered(ask(signal)));
}

/**
 * What the server answered to a request.
 * @param {Promise<Response>} response
 * @returns the JSON of the answer, null when there is none
 */
export async function answered(response) {
  return await read(await orLost(response));
}

/** What comes over the line: that it fails is an outage. Any other error of the page is its own. */
const orLost = (coming) => coming.catch((error) => {
  throw error.name === "AbortError" ? error : new NetworkError();
});

/**
 * Gives up where nobody begins to answer; how long the answer then takes is up to the line.
 * @param {(signal: AbortSignal) => Promise<Response>} ask @param {AbortSignal} [signal] of who waits
 */
async function patiently(ask, signal) {
  const end = new AbortController();
  const leave = () => end.abort(signal.reason);
  if (signal?.aborted) leave();
  signal?.addEventListener("abort", leave);
  const isTroubled = performance.now() - lost < trouble;
  const timer = setTimeout(() => {
    if (!isTroubled) lost = performance.now();
    end.abort(new NetworkError());
  }, isTroubled ? shortPatience : patience);
  const response = ask(end.signal).finally(() => clearTimeout(timer));
  try {
    return await answered(response.then((begun) => {
      lost = -Infinity;
      return begun;
    }));
  } finally {
    signal?.removeEventListener("abort", leave);
  }
}

async function read(response) {
  const isJSON = /[/+]json/.test(response.headers.get("Content-Type") ?? "");
  const text = await orLost(response.text());
  // The door of a foreign network, or a proxy that wants somebody to sign in, says nothing of what was asked.
  if (!isJSON && text && response.status < 500 && response.status !== 429) throw new NetworkError();
  if (response.ok) return text ? parsed(text) : null;
  const after = Number(response.headers.get("Retry-After")) || 0;
  let problem = {};
  try {
    if (isJSON) problem = JSON.parse(text);
  } catch {
    // The status alone says enough.
  }
  const isEnded = response.status === 401 && isJSON && problem.code !== "second-factor-required";
  if (isEnded) dispatchEvent(new CustomEvent("bitpal:unauthenticated"));
  throw new ApiError(response.status, problem, after);
}

/** An answer that broke off is one that was lost. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new NetworkError();
  }
}

/** Reads; takes what was asked for already. */
export function get(path, options) {
  const answer = begun.get(path);
  begun.delete(path);
  return answer ?? call("GET", path, options);
}
export const post = (path, body, options) => call("POST", path, { ...options, body });
export const put = (path, body, options) => call("PUT", path, { ...options, body });
export const patch = (path, body, options) => call("PATCH", path, { ...options, body });
export const remove = (path, body, options) => call("DELETE", path, { ...options, body });

/** An instrument's name as a part of a path. */
export const instrumentPath = (instrument) => encodeURIComponent(instrument).replace("%3A", ":");

/** All items of a list, page by page, up to a bound. */
export async function getAll(path, { signal, most = 2000 } = {}) {
  const items = [];
  let cursor = null;
  do {
    const separator = path.includes("?") ? "&" : "?";
    const page = await get(
      `${path}${separator}limit=500${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`, { signal });
    items.push(...itemsOf(page));
    cursor = page?.next ?? null;
  } while (cursor && items.length < most);
  return items;
}

/** The items of a list answer. */
export const itemsOf = (answer) => (Array.isArray(answer) ? answer : (answer?.items ?? []));
