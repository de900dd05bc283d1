/**
 * Who is signed in, and what they set: locale, time zone, theme, currency.
 * @module
 */
import { get, patch, ApiError, NetworkError } from "./api.js";
import { useLocale } from "./i18n.js";
import { timeZone, useTimeZone } from "./format.js";
import { forget, isOutage, keep, kept } from "./last-known.js";
import { stream } from "./stream.js";

/** The user and their settings; `user` is null without an account. `isDemo` says that the market is simulated. */
export const session = { user: null, settings: {}, isKnown: false, isDemo: false };

const local = "bitpal.settings";
/** Says that somebody signed in here; without it nobody is waited for, so that the first prices come at once. */
const hint = "bitpal.signed-in";

/** Whether asking who is signed in is likely to have an answer. */
export const mayBeSignedIn = () => localStorage.getItem(hint) !== null;

/**
 * Reads who is signed in, and applies what they set. While nobody can say, the last answer holds.
 * @param {() => void} [onUser] run as soon as somebody is known to be there
 */
export async function load(onUser) {
  try {
    if (!isAwaited()) findOut();
    const user = isAwaited() ? await who() : null;
    if (user) onUser?.();
    session.settings = user ? await get("/account/settings") : stored();
    session.user = user;
    if (user) keep("account", { user, settings: session.settings });
  } catch (error) {
    const last = isOutage(error) ? kept("account")?.data : null;
    session.user = last?.user ?? null;
    session.settings = last?.settings ?? stored();
    if (!(error instanceof ApiError) && !(error instanceof NetworkError)) throw error;
  }
  session.isKnown = true;
  localStorage.setItem(local, JSON.stringify(session.settings));
  await apply();
}

/** Whether the view waits for who is there: only prices need nobody. */
const isAwaited = () => mayBeSignedIn() || location.pathname !== "/" || !/^(#\/?|#\/instrument\/.*)?$/.test(location.hash);

/** Browsers forget what pages keep sooner than cookies: builds the page anew for somebody who is signed in after all. */
async function findOut() {
  const user = await who().catch(() => null);
  if (user) location.reload();
}

/** Who is signed in, by the one question that nobody may ask too; what was kept of a session that is over goes. */
async function who() {
  const { user, demo } = await get("/session");
  session.isDemo = demo === true;
  if (user) localStorage.setItem(hint, "1");
  // What is known of the market belongs to nobody: it stays where nobody was signed in.
  else if (mayBeSignedIn() || kept("account")) forgetAccount();
  return user;
}

/** The server ended the stream for who it was: asks whether the session is over, before anything else is refused. */
stream.addEventListener("refused", () => {
  if (session.user) who().then((user) => user || dispatchEvent(new CustomEvent("bitpal:unauthenticated"))).catch(() => {});
});

/** What was set in this browser before anybody signed in. */
export function stored() {
  try {
    return JSON.parse(localStorage.getItem(local)) ?? {};
  } catch {
    return {};
  }
}

/** Puts the settings into effect. */
export async function apply() {
  applyTheme(session.settings.theme);
  useTimeZone(session.settings.time_zone);
  await useLocale(session.settings.locale);
}

/** What is to be done when an alert fires: whether it is shown, with a sound, and counted on the icon. */
export const notifications = () =>
  ({ alerts: true, sounds: true, badges: true, ...session.settings.notifications });

/** Whether the user wants to be left alone at this time of day, in the account's zone. */
export function isQuiet(now = new Date()) {
  const { from, to } = session.settings.quiet_hours ?? {};
  if (!from) return false;
  const style = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone };
  const clock = new Intl.DateTimeFormat("en", style).format(now);
  // Before its beginning, the end is one of the next day; they are never the same.
  return from < to ? from <= clock && clock < to : from <= clock || clock < to;
}

/** `system`, `light` or `dark`. */
export function applyTheme(theme) {
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  dispatchEvent(new Event("bitpal:theme"));
}

/** Changes settings, here and in the account when there is one. */
export async function change(settings) {
  if (session.user) await patch("/account/settings", settings);
  session.settings = { ...session.settings, ...settings };
  localStorage.setItem(local, JSON.stringify(session.settings));
  await apply();
}

/** Takes a user who has just signed in. */
export async function signedIn() {
  forget();
  localStorage.setItem(hint, "1");
  await load();
  stream.restart();
}

/** Forgets who was signed in here, and what was theirs. */
export function forgetSession() {
  forgetAccount();
  session.user = null;
}

function forgetAccount() {
  forget();
  localStorage.removeItem(hint);
}

/** Whether the user may see the operators' pages. */
export const isOperator = () => session.user?.role === "operator";
