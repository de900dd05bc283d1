/**
 * Shows /openapi.yaml. Reads the part of YAML that the file is written in: block mappings and sequences, scalars
 * plain or in quotes, flow sequences and mappings on one line, and literal (|) and folded (>) text.
 * @module
 */

/** The value of a scalar or of flow notation. */
export function scalar(text) {
  const s = text.trim();
  if (s === "" || s === "~" || s === "null") return null;
  if (s === "true" || s === "false") return s === "true";
  if (s.startsWith('"')) return JSON.parse(s);
  if (s.startsWith("'")) return s.slice(1, -1).replaceAll("''", "'");
  if (s.startsWith("[") || s.startsWith("{")) return flow(s);
  return /^-?\d+(\.\d+)?$/.test(s) ? Number(s) : s;
}

/** The parts of flow notation, apart at commas that are in no quotes or brackets. */
function parts(s) {
  const found = [];
  let depth = 0, quote = "", from = 0;
  for (let i = 0; i < s.length; i++) {
    const c = s[i];
    if (quote) { if (c === "\\") i++; else if (c === quote) quote = ""; }
    else if (c === '"' || c === "'") quote = c;
    else if ("[{".includes(c)) depth++;
    else if ("]}".includes(c)) depth--;
    else if (c === "," && depth === 0) { found.push(s.slice(from, i)); from = i + 1; }
  }
  found.push(s.slice(from));
  return found.map((part) => part.trim()).filter((part) => part !== "");
}

function flow(s) {
  const inner = parts(s.slice(1, -1));
  if (s.startsWith("[")) return inner.map(scalar);
  return Object.fromEntries(inner.map((part) => {
    const [, key, value] = /^("[^"]*"|[^:]+):\s*(.*)$/.exec(part);
    return [scalar(key), scalar(value)];
  }));
}

/** Reads a whole document. */
export function parse(text) {
  const lines = text.split("\n").map((line) => ({ indent: /^ */.exec(line)[0].length, text: line.trim(), raw: line }));
  let at = 0;
  const skip = () => { while (at < lines.length && (lines[at].text === "" || lines[at].text.startsWith("#"))) at++; };

  function block(indent) {
    skip();
    if (at >= lines.length || lines[at].indent < indent) return null;
    return lines[at].text.startsWith("- ") || lines[at].text === "-" ? sequence(lines[at].indent) : mapping(lines[at].indent);
  }

  function sequence(indent) {
    const values = [];
    for (skip(); at < lines.length && lines[at].indent === indent && /^-( |$)/.test(lines[at].text); skip()) {
      const rest = lines[at].text.slice(1).trim();
      if (rest === "") { at++; values.push(block(indent + 1)); continue; }
      if (/^("[^"]*"|[^"'[{][^:]*):( |$)/.test(rest)) {
        lines[at] = { indent: indent + 2, text: rest, raw: lines[at].raw };
        values.push(mapping(indent + 2));
      } else { at++; values.push(scalar(rest)); }
    }
    return values;
  }

  function mapping(indent) {
    const value = {};
    for (skip(); at < lines.length && lines[at].indent === indent; skip()) {
      const found = /^("[^"]*"|'[^']*'|[^:]+|[^ ]+):(?: (.*))?$/.exec(lines[at].text);
      if (!found) throw new Error(`line ${at + 1} is not understood: ${lines[at].text}`);
      const key = String(scalar(found[1])), rest = (found[2] ?? "").trim();
      at++;
      if (rest === "|" || rest === ">") value[key] = literal(indent, rest === ">");
      else if (rest !== "") value[key] = scalar(rest);
      else {
        skip();
        const isSequence = at < lines.length && lines[at].indent === indent && lines[at].text.startsWith("-");
        value[key] = block(isSequence ? indent : indent + 1);
      }
    }
    return value;
  }

  function literal(indent, isFolded) {
    const found = [];
    while (at < lines.length && (lines[at].text === "" || lines[at].indent > indent)) found.push(lines[at++].raw);
    const least = Math.min(...found.filter((line) => line.trim()).map((line) => /^ */.exec(line)[0].length));
    return found.map((line) => line.slice(least)).join(isFolded ? " " : "\n").trim();
  }

  return block(0);
}

const h = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
};

function follow(api, thing) {
  if (!thing?.$ref) return thing;
  return thing.$ref.slice(2).split("/").reduce((value, step) => value?.[step], api);
}

function typeOf(api, schema) {
  if (!schema) return "";
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.enum) return schema.enum.join(" | ");
  if (schema.type === "array") return `${typeOf(api, schema.items)}[]`;
  return [schema.type].flat().join(" | ");
}

function parameters(api, list) {
  if (!list.length) return null;
  const rows = list.map((entry) => follow(api, entry)).map((p) => h("tr", {},
    h("td", {}, h("code", {}, p.name)), h("td", {}, p.in + (p.required ? ", required" : "")),
    h("td", {}, typeOf(api, p.schema)), h("td", {}, p.description ?? "")));
  const head = ["name", "where", "type", "meaning"].map((word) => h("th", { scope: "col" }, word));
  return h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows));
}

function example(content) {
  const media = Object.values(content ?? {})[0];
  const value = media?.example ?? Object.values(media?.examples ?? {})[0]?.value;
  return value === undefined ? null : h("pre", {}, typeof value === "string" ? value : JSON.stringify(value, null, 2));
}

function answers(api, responses) {
  return Object.entries(responses ?? {}).flatMap(([status, entry]) => {
    const answer = follow(api, entry);
    return [h("p", {}, h("strong", {}, status), ` ${answer?.description ?? ""}`), example(answer?.content)];
  });
}

function route(api, path, method, operation, shared) {
  const body = follow(api, operation.requestBody);
  const list = [...(shared ?? []), ...(operation.parameters ?? [])];
  const who = (operation.security ?? api.security ?? []).map((s) => Object.keys(s)[0] ?? "everybody").join(" or ");
  return h("details", { "data-text": `${method} ${path} ${operation.summary ?? ""}`.toLowerCase() },
    h("summary", {}, h("span", { class: "method" }, method.toUpperCase()), h("code", {}, path), ` ${operation.summary ?? ""}`),
    h("div", { class: "body" }, h("p", {}, operation.description ?? ""), h("p", {}, `Who: ${who || "everybody"}`),
      parameters(api, list), body ? h("h4", {}, "Body") : null, body ? example(body.content) : null,
      h("h4", {}, "Answers"), ...answers(api, operation.responses)));
}

async function show() {
  const place = document.getElementById("routes");
  try {
    const api = parse(await (await fetch("/openapi.yaml")).text());
    const methods = ["get", "post", "put", "patch", "delete"];
    const sections = new Map((api.tags ?? []).map((tag) => [tag.name, [h("h2", {}, tag.name), h("p", {}, tag.description ?? "")]]));
    for (const [path, item] of Object.entries(api.paths)) {
      for (const method of methods.filter((name) => item[name])) {
        const tag = item[method].tags?.[0] ?? "Other";
        if (!sections.has(tag)) sections.set(tag, [h("h2", {}, tag)]);
        sections.get(tag).push(route(api, path, method, item[method], item.parameters));
      }
    }
    place.replaceChildren(h("p", {}, api.info.description ?? ""), ...[...sections.values()].flat());
  } catch (error) {
    place.replaceChildren(h("p", {}, `The description cannot be shown: ${error.message}`));
  }
}

if (typeof document !== "undefined") {
  document.getElementById("find").addEventListener("input", (event) => {
    const wanted = event.target.value.toLowerCase();
    for (const element of document.querySelectorAll("details")) element.hidden = !element.dataset.text.includes(wanted);
  });
  await show();
}
