/**
 * Web Push: this browser is told of alerts when the page is closed.
 * @module
 */
import { get, itemsOf, patch, post } from "./api.js";
import { t } from "./i18n.js";
import { session } from "./session.js";

const place = "bitpal.device";
/** Where the server was told last that this browser is. */
const told = "bitpal.device-endpoint";
/** By the key of each account that left this browser, which device it was there, and whether that was on. */
const left = "bitpal.left-devices";
/** How long a sign-out may wait for the server, and for the browser, in milliseconds. */
const patience = 3_000;

/** Whether this browser can. */
export const canPush = () => "serviceWorker" in navigator && "PushManager" in window && isSecureContext;

/** The device that this browser is registered as, if it is one. */
export const ownDevice = () => localStorage.getItem(place);

/** Asks the person, then tells the server where this browser can be reached, and that it is to be told there. */
export async function register() {
  if ((await Notification.requestPermission()) !== "granted") throw new PushRefused(t("devices.refused"));
  await tell(await mine(), true);
}

/** The device that this browser is of who is signed in, or was when they left; else what is of anybody else ends. */
async function mine() {
  const before = leftDevice();
  const id = before?.id ?? ownDevice();
  const found = id && itemsOf(await get("/account/devices")).find((one) => one.id === id);
  if (found) return found;
  if (before) noteLeft(session.user.id);
  await unregister();
  return null;
}

/** Tells the server where a device is, or that there is one; it is switched on, or stays as it is. */
async function tell(known, isOn) {
  // Whoever was signed in meanwhile may have been told where the browser is now.
  if (known && known.id !== ownDevice()) await unregister();
  const [worker, { key }] = await Promise.all([navigator.serviceWorker.ready, get("/push/key")]);
  let subscription;
  try {
    subscription = await subscribe(worker, key);
  } catch (error) {
    if (error.name !== "AbortError" && error.name !== "NotAllowedError") throw error;
    throw new PushRefused(t("devices.noService"));
  }
  const { endpoint, keys } = subscription.toJSON();
  const { p256dh, auth } = keys;
  // Wherever it has moved it is the same one to the rules that name it.
  const device = await (known
    ? patch(`/channels/${known.id}`, { settings: { endpoint, p256dh }, secrets: { auth }, enabled: isOn || undefined })
    : post("/account/devices", { kind: "web-push", name: nameOfBrowser(), endpoint, p256dh, auth }));
  localStorage.setItem(place, device.id);
  localStorage.setItem(told, endpoint);
  if (leftDevice()) noteLeft(session.user.id);
}

/**
 * Tells the server again, at each start: the browser may have moved by itself. A device that is off stays so,
 * unless it has moved: then it may be off because its former place has ended. Where its user signed out it is what
 * it was. What was removed elsewhere, or is of who was signed in before, ends here too.
 */
export const renew = () => inTurn(async () => {
  if (!canPush() || isLeaving) return;
  const before = leftDevice();
  const device = await mine();
  if (!device || Notification.permission !== "granted") return;
  const isMoved = !before && (await hasMoved());
  if (before || device.enabled || isMoved) await tell(device, before?.isOn ?? isMoved);
});

/** Whether the browser is elsewhere than the server was told last. */
async function hasMoved() {
  const worker = await navigator.serviceWorker.ready;
  const endpoint = (await worker.pushManager.getSubscription())?.toJSON().endpoint;
  const former = localStorage.getItem(told);
  // A former version of the page wrote nothing down.
  if (!former && endpoint) localStorage.setItem(told, endpoint);
  return former !== null && endpoint !== former;
}

/** What the user who is signed in left here, `{id, isOn}`. */
const leftDevice = () => leftDevices()[session.user.id];

function leftDevices() {
  try {
    return JSON.parse(localStorage.getItem(left)) ?? {};
  } catch {
    return {};
  }
}

/** Nothing is noted of a device that is here. */
function noteLeft(user, device) {
  localStorage.setItem(left, JSON.stringify({ ...leftDevices(), [user]: device }));
}

let [turn, ending, isLeaving] = [Promise.resolve(), Promise.resolve(), false];

/** A start that is still telling the server is not to switch on what a sign-out switched off: one at a time. */
function inTurn(work) {
  turn = turn.then(work, work);
  return turn;
}

/**
 * Before a session ends: this browser is told nothing more, as well as can be in a moment. The device stays, off,
 * since a rule that named it alone would tell all others without it.
 */
export async function switchOff() {
  const id = ownDevice();
  if (!id) return;
  isLeaving = true;
  const user = session.user.id;
  ending = inTurn(() => endTelling(user, id)).catch(() => {});
  await briefly(ending);
}

async function endTelling(user, id) {
  noteLeft(user, { id, isOn: true });
  const device = itemsOf(await get("/account/devices")).find((one) => one.id === id);
  noteLeft(user, device && { id, isOn: device.enabled });
  if (device?.enabled) await patch(`/channels/${id}`, { enabled: false });
}

/** What was, where nobody was signed out after all; else the next start does it. */
export async function restoreDevice() {
  isLeaving = false;
  await briefly(ending.then(async () => {
    const before = leftDevice();
    if (!before) return;
    if (before.isOn) await patch(`/channels/${before.id}`, { enabled: true });
    noteLeft(session.user.id);
  }));
}

/** Ends what the browser keeps of it, as well as can be in a moment. */
export async function leave() {
  isLeaving = false;
  if (ownDevice()) await briefly(unregister());
}

const briefly = (done) =>
  Promise.race([done.catch(() => {}), new Promise((resolve) => setTimeout(resolve, patience))]);

/** Ends what the browser keeps of it. */
export async function unregister() {
  localStorage.removeItem(place);
  localStorage.removeItem(told);
  const worker = await navigator.serviceWorker.getRegistration();
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
}

/** Why the browser did not register, in words for people. */
export class PushRefused extends Error {}

async function subscribe(worker, key) {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await worker.pushManager.subscribe(options);
  } catch (error) {
    if (error.name !== "InvalidStateError") throw error;
    // It was subscribed with another key, which no server of today signs with.
    await (await worker.pushManager.getSubscription())?.unsubscribe();
    return await worker.pushManager.subscribe(options);
  }
}

/** Such as "Firefox on Android", from what browsers say of themselves. */
export function nameOfBrowser(agent = navigator.userAgent) {
  const first = (pairs) => pairs.find(([mark]) => agent.includes(mark))?.[1];
  const browser = first([["Edg", "Edge"], ["OPR/", "Opera"], ["Firefox", "Firefox"], ["FxiOS", "Firefox"],
    ["Chrome", "Chrome"], ["CriOS", "Chrome"], ["Safari", "Safari"], ["curl", "curl"]]);
  const system = first([["Android", "Android"], ["iPhone", "iPhone"], ["iPad", "iPad"], ["Windows", "Windows"],
    ["Mac OS", "macOS"], ["CrOS", "ChromeOS"], ["Linux", "Linux"]]);
  return [browser, system].filter(Boolean).join(" · ") || agent.slice(0, 40);
}
