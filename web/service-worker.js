/**
 * Keeps the page's files, so that it opens without a network, and shows what is pushed. Data of the API is never
 * kept here: the page itself keeps what it last knew, with its age.
 */

const shell = "bitpal-shell-1";
const core = ["/", "/app/main.js", "/styles/base.css", "/styles/controls.css", "/styles/views.css", "/icons/icon.svg", "/manifest.webmanifest"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(shell).then((cache) => cache.addAll(core)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== shell) await caches.delete(name);
    await self.clients.claim();
  })());
});

/** Files of the page: from the network while there is one, so that a new version comes at once; else as kept. */
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  const isPage = request.mode === "navigate";
  const isFile = /^\/(app|styles|i18n|icons|vendor)\//.test(url.pathname) || url.pathname === "/manifest.webmanifest";
  if (!isFile && !(isPage && /^\/($|setup$|sign-up$|reset$|verify$|shared\/)/.test(url.pathname))) return;
  event.respondWith(answer(request, isPage ? "/" : url.pathname));
});

async function answer(request, name) {
  const cache = await caches.open(shell);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(name, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(name);
    if (kept) return kept;
    throw error;
  }
}

/** The page names every file that it may need later. */
self.addEventListener("message", (event) => {
  if (event.data?.keep) event.waitUntil(caches.open(shell).then((cache) => cache.addAll(event.data.keep)).catch(() => {}));
});

self.addEventListener("push", (event) => {
  let said = {};
  try {
    said = event.data?.json() ?? {};
  } catch {
    said = { body: event.data?.text() };
  }
  const title = said.title ?? said.subject ?? "Bitpal";
  event.waitUntil(self.registration.showNotification(title, {
    body: said.body ?? said.text ?? "", icon: "/icons/icon-192.png", badge: "/icons/icon-192.png", tag: said.id ?? undefined,
    data: { instrument: said.instrument ?? null },
  }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { instrument } = event.notification.data ?? {};
  event.waitUntil(self.clients.openWindow(instrument ? `/#/instrument/${instrument}` : "/#/alerts/firings"));
});
