/**
 * Shows /openapi.yaml. The page's own words are from the catalogue; what the file says stays English, and is marked
 * so. Language and theme are those that were chosen in the app.
 * @module
 */
import { parse } from "./docs-yaml.js";
import { foreign, h, replace } from "./app/dom.js";
import { t, useLocale } from "./app/i18n.js";

const methods = ["get", "post", "put", "patch", "delete"];

/** A name of programs, the same in every language. */
const code = (text) => h("code", { lang: "en" }, text);

const nameIn = (ref) => ref.split("/").at(-1);

/** What a reference leads to; its name alone where that was not read. */
function follow(api, thing) {
  if (!thing?.$ref) return thing;
  return thing.$ref.slice(2).split("/").reduce((value, step) => value?.[step], api) ?? { name: nameIn(thing.$ref) };
}

function typeOf(api, schema) {
  if (!schema) return "";
  if (schema.$ref) return nameIn(schema.$ref);
  if (schema.enum) return schema.enum.join(" | ");
  if (schema.type === "array") return `${typeOf(api, schema.items)}[]`;
  return [schema.type].flat().join(" | ");
}

function parameters(api, list) {
  if (!list.length) return null;
  const rows = list.map((one) => follow(api, one)).map((p) => h("tr", {},
    h("td", {}, code(p.name)), h("td", {}, foreign(p.in ?? ""), p.required && ` · ${t("docs.required")}`),
    h("td", {}, foreign(typeOf(api, p.schema))), h("td", {}, foreign(p.description ?? ""))));
  const head = [t("docs.name"), t("docs.in"), t("docs.type"), t("docs.meaning")]
    .map((word) => h("th", { scope: "col" }, word));
  return h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows));
}

function example(content) {
  const media = Object.values(content ?? {})[0];
  const value = media?.example ?? Object.values(media?.examples ?? {})[0]?.value;
  if (value === undefined) return null;
  return h("pre", { lang: "en" }, typeof value === "string" ? value : JSON.stringify(value, null, 2));
}

function answers(api, responses) {
  return Object.entries(responses ?? {}).map(([status, one]) => {
    const answer = follow(api, one);
    return [h("p", {}, h("strong", {}, status), " ", foreign(answer?.description ?? "")), example(answer?.content)];
  });
}

/** Who may ask: names of the file's, such as session, or everybody. */
function who(api, operation) {
  const schemes = (operation.security ?? api.security ?? []).map((one) => Object.keys(one)[0]);
  const names = (schemes.length ? schemes : [undefined]).map((name) => (name ? foreign(name) : t("docs.everybody")));
  return h("p", {}, t("docs.who"), names.map((name, index) => [index ? " | " : " ", name]));
}

function route(api, path, method, item) {
  const operation = item[method];
  const summary = operation.summary ?? "";
  const body = follow(api, operation.requestBody);
  return h("details", { dataset: { text: `${method} ${path} ${summary}`.toLowerCase() } },
    h("summary", {}, h("span", { class: "method", lang: "en" }, method.toUpperCase()), code(path), " ",
      foreign(summary)),
    h("div", { class: "body" }, h("p", {}, foreign(operation.description ?? "")), who(api, operation),
      parameters(api, [...(item.parameters ?? []), ...(operation.parameters ?? [])]),
      body && h("h4", {}, t("docs.body")), body && example(body.content),
      h("h4", {}, t("docs.answers")), answers(api, operation.responses)));
}

/** All routes below their tags, in the order of the tags. */
function sections(api) {
  const found = new Map((api.tags ?? []).map((tag) =>
    [tag.name, [h("h2", {}, foreign(tag.name)), h("p", {}, foreign(tag.description ?? ""))]]));
  for (const [path, item] of Object.entries(api.paths ?? {})) {
    for (const method of methods.filter((name) => item?.[name])) {
      const tag = item[method].tags?.[0] ?? "";
      if (!found.has(tag)) found.set(tag, [h("h2", {}, tag ? foreign(tag) : t("docs.other"))]);
      found.get(tag).push(route(api, path, method, item));
    }
  }
  return [...found.values()];
}

/** Says where the reading ended: what is below is not all of the file. */
const cut = ({ line, text }) =>
  h("p", { class: "cut", role: "alert" }, t("docs.cut", { n: line }), " ", code(text));

async function show(place) {
  try {
    const answer = await fetch("/openapi.yaml");
    if (!answer.ok) throw new Error(`${answer.status} /openapi.yaml`);
    const { value, rest } = parse(await answer.text());
    const api = value ?? {};
    replace(place, rest && cut(rest), h("p", {}, foreign(api.info?.description ?? "")), sections(api));
  } catch (error) {
    replace(place, h("p", { role: "alert" }, t("docs.failed"), " ", foreign(error.message)));
  }
  place.removeAttribute("aria-busy");
}

/** Hides the routes that have not what is looked for. */
function narrow(wanted) {
  for (const element of document.querySelectorAll("details")) element.hidden = !element.dataset.text.includes(wanted);
}

/** What was chosen in the app, as it keeps it here. Its own module is not asked: that begins a stream, too. */
function chosen() {
  try {
    return JSON.parse(localStorage.getItem("bitpal.settings")) ?? {};
  } catch {
    return {};
  }
}

const { theme, locale } = chosen();
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
await useLocale(locale);
document.title = t("docs.title");
const find = h("input", { type: "search", id: "find", autocomplete: "off", oninput: () => narrow(looked()) });
const looked = () => find.value.toLowerCase();
const routes = h("main", { "aria-busy": "true" }, h("p", { role: "status" }, t("docs.loading")));
replace(document.getElementById("app"),
  h("header", {}, h("h1", {}, t("docs.title")),
    h("p", {}, t("docs.file"), " ", h("a", { href: "/openapi.yaml" }, code("/openapi.yaml"))),
    h("label", {}, t("docs.find"), " ", find)),
  routes);
await show(routes);
// What was typed before there were routes counts as well.
narrow(looked());
