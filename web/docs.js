/**
 * Shows /openapi.json. The page's own words are from the catalogue; what the file says stays English, and is marked
 * so. Language and theme are those that were chosen in the app.
 * @module
 */
import { foreign, h, replace } from "./app/dom.js";
import { t, useLocale } from "./app/i18n.js";

const methods = ["get", "post", "put", "patch", "delete"];

/** A name of programs, the same in every language. */
const code = (text) => h("code", { lang: "en" }, text);

const nameIn = (ref) => ref.split("/").at(-1);

/** What a reference leads to. */
function follow(api, thing) {
  if (!thing?.$ref) return thing;
  return thing.$ref.slice(2).split("/").reduce((value, step) => value?.[step], api);
}

/** Such as `string | null` and `Ticker[]`; a name that is data is a star. */
function typeOf(schema) {
  if (!schema) return "";
  if (schema.$ref) return nameIn(schema.$ref);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" | ");
  if (schema.enum) return schema.enum.map(String).join(" | ");
  const item = typeOf(schema.items);
  const names = { array: item.includes(" | ") ? `(${item})[]` : `${item}[]` };
  if (schema.additionalProperties) names.object = `{ *: ${typeOf(schema.additionalProperties)} }`;
  return [schema.type ?? "any"].flat().map((type) => names[type] ?? type).join(" | ");
}

/** The fields of a body, and of the bodies in it, by names such as `items[].price`. */
function fields(api, schema, begin = "", above = []) {
  const reference = schema?.$ref;
  // A body that is in itself is told once.
  if (!schema || above.includes(reference)) return [];
  const { properties, required, anyOf, items, additionalProperties } = follow(api, schema);
  const inner = (one, name) => fields(api, one, name, reference ? [...above, reference] : above);
  const below = (name) => (begin ? `${begin}.${name}` : name);
  const told = Object.entries(properties ?? {}).flatMap(([key, one]) =>
    [{ name: below(key), schema: one, isRequired: required?.includes(key) }, ...inner(one, below(key))]);
  return [...told, ...(anyOf ?? []).flatMap((one) => inner(one, begin)), ...inner(items, `${begin}[]`),
    ...inner(additionalProperties, below("*"))];
}

const mark = (isRequired) => isRequired && ` · ${t("docs.required")}`;

function table(heads, rows) {
  if (!rows.length) return null;
  return h("table", {}, h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, t(head))))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, cell))))));
}

const parameters = (list) => table(["docs.name", "docs.in", "docs.type", "docs.meaning"], list.map((one) =>
  [code(one.name), [foreign(one.in), mark(one.required)], foreign(typeOf(one.schema)),
    foreign(one.description ?? "")]));

/** What a body has, and one such. */
function content(api, contents) {
  const [type, media] = Object.entries(contents ?? {})[0] ?? [];
  if (!media) return null;
  // All problems are alike: their examples say enough.
  const told = type === "application/json" ? fields(api, media.schema) : [];
  const { example } = media;
  return [table(["docs.name", "docs.type", "docs.meaning"], told.map((one) =>
    [code(one.name), [foreign(typeOf(one.schema)), mark(one.isRequired)],
      foreign(one.schema.description ?? "")])),
  example !== undefined
    && h("pre", { lang: "en" }, typeof example === "string" ? example : JSON.stringify(example, null, 2))];
}

function answers(api, responses) {
  return Object.entries(responses ?? {}).map(([status, one]) => {
    const answer = follow(api, one);
    return [h("p", {}, h("strong", {}, status), " ", foreign(answer?.description ?? "")),
      content(api, answer?.content)];
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
  const body = operation.requestBody;
  return h("details", { dataset: { text: `${method} ${path} ${summary}`.toLowerCase() } },
    h("summary", {}, h("span", { class: "method", lang: "en" }, method.toUpperCase()), code(path), " ",
      foreign(summary)),
    h("div", { class: "body" }, h("p", {}, foreign(operation.description ?? "")), who(api, operation),
      parameters(operation.parameters ?? []),
      body && h("h4", {}, t("docs.body")), body && content(api, body.content),
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

async function show(place) {
  try {
    const answer = await fetch("/openapi.json");
    if (!answer.ok) throw new Error(`${answer.status} /openapi.json`);
    const api = await answer.json();
    replace(place, h("p", {}, foreign(api.info.description)), sections(api));
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

const link = (path) => h("a", { href: path }, code(path));

const { theme, locale } = chosen();
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
await useLocale(locale);
document.title = t("docs.title");
const find = h("input", { type: "search", id: "find", autocomplete: "off", oninput: () => narrow(looked()) });
const looked = () => find.value.toLowerCase();
const routes = h("main", { "aria-busy": "true" }, h("p", { role: "status" }, t("docs.loading")));
replace(document.getElementById("app"),
  h("header", {}, h("h1", {}, t("docs.title")),
    h("p", {}, t("docs.file"), " ", link("/openapi.json"), " · ", link("/openapi.yaml")),
    h("label", {}, t("docs.find"), " ", find)),
  routes);
await show(routes);
// What was typed before there were routes counts as well.
narrow(looked());
