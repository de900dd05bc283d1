/**
 * Web Push: this browser is told of alerts when the page is closed.
 * @module
 */
import { get, itemsOf, post, remove } from "./api.js";
import { t } from "./i18n.js";

const place = "bitpal.device";
/** Where the server was told last that this browser is. */
const told = "bitpal.device-endpoint";
/** How long a sign-out may wait for the server, and for the browser, in milliseconds. */
const patience = 3_000;

/** Whether this browser can. */
export const canPush = () => "serviceWorker" in navigator && "PushManager" in window && isSecureContext;

/** The device that this browser is registered as, if it is one. */
export const ownDevice = () => localStorage.getItem(place);

/** Asks the person, then tells the server where this browser can be reached. */
export async function register() {
  if ((await Notification.requestPermission()) !== "granted") throw new PushRefused(t("devices.refused"));
  const [worker, { key }] = await Promise.all([navigator.serviceWorker.ready, get("/push/key")]);
  let subscription;
  try {
    subscription = await subscribe(worker, key);
  } catch (error) {
    if (error.name !== "AbortError" && error.name !== "NotAllowedError") throw error;
    throw new PushRefused(t("devices.noService"));
  }
  const { endpoint, keys } = subscription.toJSON();
  const device = await post("/account/devices", { kind: "web-push", name: nameOfBrowser(), endpoint, ...keys });
  localStorage.setItem(place, device.id);
  localStorage.setItem(told, endpoint);
}

/**
 * Tells the server again, at each start: the browser may have moved by itself. A device that is off stays so,
 * unless it has moved: then it may be off because its former place has ended. What was removed elsewhere, or is
 * of who was signed in before, ends here too.
 */
export async function renew() {
  const id = ownDevice();
  if (!id || !canPush()) return;
  const mine = itemsOf(await get("/account/devices")).find((one) => one.id === id);
  if (!mine) await unregister();
  else if (Notification.permission === "granted" && (mine.enabled || (await hasMoved()))) await register();
}

async function hasMoved() {
  const worker = await navigator.serviceWorker.ready;
  const subscription = await worker.pushManager.getSubscription();
  return subscription?.toJSON().endpoint !== localStorage.getItem(told);
}

/** Removes this browser from the user's devices, as well as can be in a moment. */
export async function removeDevice() {
  if (ownDevice()) await briefly(remove(`/account/devices/${ownDevice()}`));
}

/** Makes it one again where nobody was signed out after all, as well as can be in a moment. */
export async function restoreDevice() {
  if (ownDevice()) await briefly(register());
}

/** Ends what the browser keeps of it, as well as can be in a moment. */
export async function leave() {
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
