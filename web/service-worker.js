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
  if (!isFile && !(isPage && /^\/($|setup$|sign-up$|reset$|verify$|alert$|unsubscribe$|shared\/)/.test(url.pathname))) return;
  event.respondWith(answer(request, isPage ? "/" : url.pathname));
});

async function answer(request, name) {
  const cache = await caches.open(shell);
  const response = await fetch(request).catch(() => null);
  if (response?.ok) await cache.put(name, response.clone()).catch(() => {});
  // A proxy answers for a server that is gone: what is kept is better.
  if (response && response.status < 500) return response;
  return (await cache.match(name)) ?? response ?? Response.error();
}

self.addEventListener("message", (event) => {
  if (event.data?.keep) event.waitUntil(keepAll(event.data.keep).catch(() => {}));
});

/** Keeps the files that the page has, and every module that those name, also what they load when it is needed. */
async function keepAll(names) {
  const cache = await caches.open(shell);
  const files = new Map();
  const take = async (name) => {
    if (files.has(name)) return;
    files.set(name, null);
    const response = await fetch(name).catch(() => null);
    if (!response?.ok) return;
    files.set(name, response.clone());
    const text = await response.text();
    if (/^\/app\/.*\.js$/.test(name)) await Promise.all(modulesIn(text, name).map(take));
  };
  await Promise.all(names.map(take));
  await Promise.all([...files].map(([name, file]) => file && cache.put(name, file)));
}

/** The paths of the modules that a module names. */
const modulesIn = (text, path) => [...text.matchAll(/(?:\bfrom |\bimport ?\(?)"(\.[^"]+)"/g)]
  .map(([, name]) => new URL(name, new URL(path, location.href)).pathname);

self.addEventListener("push", (event) => {
  let said = {};
  try {
    said = event.data?.json() ?? {};
  } catch {
    said = { body: event.data?.text() };
  }
  event.waitUntil(self.registration.showNotification(said.title ?? "Bitpal", {
    body: said.body ?? "", lang: said.lang, dir: said.dir ?? "auto", tag: said.tag, icon: "/icons/icon-192.png",
    badge: "/icons/icon-192.png", silent: said.silent === true, data: { url: placeOf(said.url) },
  }));
});

/** Where an alert is seen on this very page, whatever host the message names. */
function placeOf(link) {
  return `/#/alerts/firings${/\?[^#]*/.exec(link ?? "")?.[0] ?? ""}`;
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.url ?? placeOf()));
});

/** In the page that is open already, else in a new one. */
async function open(url) {
  const [page] = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!page) return await self.clients.openWindow(url);
  page.postMessage({ open: url });
  return await page.focus();
}

/** A browser may give a subscription another address by itself: the page tells the server, if need be when it starts. */
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(self.clients.matchAll({ type: "window" })
    .then((pages) => pages.forEach((page) => page.postMessage({ subscribeAgain: true }))));
});
