/**
 * Keeps the page's files, so that it opens without a network, and shows what is pushed. Data of the API is never
 * kept here: the page itself keeps what it last knew, with its age.
 */

/** Versions of the page are kept in caches of such names. One is whole when it has the page, which is put last. */
const shell = /^bitpal-shell-(\d+)$/;
/** Which of them a page was given from, by the key of its window: the worker itself may end at any moment. */
const windows = "bitpal-windows";
/** The one file that need not be there: it is not ours. */
const charts = "/vendor/lightweight-charts.js";
const core = ["/", "/app/main.js", "/styles/base.css", "/styles/controls.css", "/styles/views.css",
  "/icons/icon.svg", "/manifest.webmanifest"];
/** Milliseconds in which nothing is heard of the server until what is kept is better. */
const patience = 3_000;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  event.waitUntil((keeping = keeping.then(tidy).catch(() => {})).then(() => self.clients.claim()));
});

/** Files of the page: from the network while there is one, so that a new version comes at once; else as kept. */
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  const isPage = request.mode === "navigate";
  const isFile = /^\/(app|styles|i18n|icons|vendor)\//.test(url.pathname) || url.pathname === "/manifest.webmanifest";
  if (!isFile && !(isPage && /^\/($|setup$|sign-up$|reset$|verify$|alert$|unsubscribe$|shared\/)/.test(url.pathname))) return;
  event.respondWith(isPage ? page(event) : file(event, url.pathname));
});

/** What somebody else answers is shown: the way into a network may lead through it. */
async function page({ request, resultingClientId }) {
  const version = await newest();
  const kept = version && (await fileOf(version, "/"));
  const response = await heardOf(request, kept);
  if (response && response.status < 500) return response;
  if (kept) await (await caches.open(windows)).put(`/${resultingClientId}`, new Response(version)).catch(() => {});
  return kept ?? response ?? Response.error();
}

/** A page that was given as kept has its files from where it is from, for all of them are of one version. */
async function file({ request, clientId }, name) {
  const version = await (await caches.match(`/${clientId}`, { cacheName: windows }))?.text();
  const own = version && (await fileOf(version, name));
  if (own) return own;
  const kept = await keptFile(name);
  const response = await heardOf(request, kept);
  // A proxy answers for a server that is gone, or for one that it leads nobody to: what is kept is better.
  if (response && response.status < 500 && isNoPage(response)) return response;
  return kept ?? response ?? Response.error();
}

const fileOf = (version, name) => caches.match(name, { cacheName: version });

/** A file of the newest version that is whole. */
async function keptFile(name) {
  const version = await newest();
  return version && (await fileOf(version, name));
}

/** The name of the newest version that is whole, if there is one. */
async function newest() {
  for (const name of await versions()) if (await fileOf(name, "/")) return name;
  return undefined;
}

const numberOf = (name) => Number(shell.exec(name)[1]);

/** The names of all that is kept, or was begun to be, newest first. */
const versions = async () => (await caches.keys()).filter((name) => shell.test(name))
  .sort((a, b) => numberOf(b) - numberOf(a));

/** Forgets what is not whole, and versions that neither are the newest nor have a page in a window. */
async function tidy() {
  const used = new Set([windows, await newest()]);
  const opened = await caches.open(windows);
  for (const request of await opened.keys()) {
    const isThere = await self.clients.get(new URL(request.url).pathname.slice(1));
    if (isThere) used.add(await (await opened.match(request)).text());
    else await opened.delete(request);
  }
  for (const name of await caches.keys()) if (!used.has(name)) await caches.delete(name);
}

/** Whether an answer may be a file of ours: not a page, and not from elsewhere. */
const isNoPage = (response) =>
  response.type !== "opaque" && !/html/.test(response.headers.get("Content-Type") ?? "");

let lastHeard = 0;

/** What the network answers; null where there is none, and where it is silent and something is kept. */
function heardOf(request, kept) {
  const answer = fetch(request).then((response) => {
    lastHeard = Date.now();
    return response;
  }, () => null);
  return kept ? Promise.race([answer, silence()]) : answer;
}

/** Ends with null when nothing at all was heard for a while: what comes slowly comes. */
async function silence() {
  const start = Date.now();
  for (;;) {
    const left = Math.max(start, lastHeard) + patience - Date.now();
    if (left <= 0) return null;
    await new Promise((done) => setTimeout(done, left));
  }
}

self.addEventListener("message", (event) => {
  if (event.data?.keep) event.waitUntil(keepAll(event.data.keep, event.data.isSparing).catch(() => {}));
});

let turns = 0;
/** What changes what is kept, one after the other. */
let keeping = Promise.resolve();

/**
 * Keeps the files that the page has, and every module that those name, also what they load when it is needed; or
 * nothing: what is kept is of one version, and the former one serves until all of this one is there.
 * @param {string[]} names @param {boolean} [isSparing] where data are dear, only what the page has
 */
async function keepAll(names, isSparing) {
  const turn = (turns += 1);
  const files = new Map();
  const texts = new Map();
  const take = async (name) => {
    if (files.has(name)) return;
    files.set(name, null);
    const response = await fetch(name);
    if (name === charts && response.status === 404) return;
    const text = await response.clone().text();
    if (!response.ok || !(name === "/" ? isOurs(text) : isNoPage(response))) throw new Error(name);
    files.set(name, response);
    texts.set(name, text);
    if (!isSparing && /^\/app\/.*\.js$/.test(name)) await Promise.all(modulesIn(text, name).map(take));
  };
  await Promise.all([...core, ...(isSparing ? [] : [charts]), ...names].map(take));
  for (const [name, response] of files) if (!response) files.delete(name);
  // A page that was loaded later knows better what there is.
  const done = keeping.then(() => turn === turns && write(files, texts));
  keeping = done.catch(() => {});
  await done;
}

/** Adds to the version that is kept, where this is the same one; else keeps this one in its place. */
async function write(files, texts) {
  const former = await newest();
  const kept = await Promise.all([...texts].map(async ([name, text]) => {
    const file = former && (await fileOf(former, name));
    return { name, file, isSame: file && (await file.text()) === text };
  }));
  // What one page did not need another may: of the same version nothing is forgotten.
  if (former && kept.every(({ file, isSame }) => !file || isSame)) {
    const cache = await caches.open(former);
    for (const { name, file } of kept) if (!file) await cache.put(name, files.get(name));
    return;
  }
  // What was only begun takes no room, and no number.
  await tidy();
  const name = `bitpal-shell-${former ? numberOf(former) + 1 : 1}`;
  try {
    const cache = await caches.open(name);
    const { "/": whole, ...others } = Object.fromEntries(files);
    await Promise.all(Object.entries(others).map(([path, response]) => cache.put(path, response)));
    await cache.put("/", whole);
  } finally {
    // Also of a store that was too full for it nothing is left.
    await tidy();
  }
}

/** Whether a page is this one, not one that a network shows in its place. */
const isOurs = (text) => text.includes('<meta name="application-name" content="Bitpal">');

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
