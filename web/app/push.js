/**
 * Web Push: this browser is told of alerts when the page is closed.
 * @module
 */
import { post } from "./api.js";
import { t } from "./i18n.js";

/** Whether this browser can. */
export const canPush = () => "serviceWorker" in navigator && "PushManager" in window && isSecureContext;

/** Asks the person, then tells the server. Without the server's key some browsers refuse. */
export async function register(key) {
  if ((await Notification.requestPermission()) !== "granted") throw new Error(t("devices.refused"));
  const worker = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, ...(key ? { applicationServerKey: key } : {}) };
  const { endpoint, keys } = (await worker.pushManager.subscribe(options)).toJSON();
  await post("/account/devices", { kind: "web-push", name: navigator.userAgentData?.platform
    ?? navigator.platform, endpoint, ...keys });
}
