/**
 * Reads the part of YAML that /openapi.yaml is written in: block mappings and sequences, scalars plain or in quotes,
 * flow sequences and mappings on one line, and literal (|) and folded (>) text. What is written otherwise ends the
 * reading, and is told: half of a file must not look like all of it.
 * @module
 */

/** Anchors, aliases, tags, keys of their own line, and text whose end is told by a sign: none of them is read here. */
const unknown = /^([&*!|>%@`]|\?( |$))/;

/** The value of a scalar or of flow notation. */
function scalar(text) {
  const s = text.trim();
  if (unknown.test(s)) throw new SyntaxError(s);
  if (s === "" || s === "~" || s === "null") return null;
  if (s === "true" || s === "false") return s === "true";
  if (s.startsWith('"')) return JSON.parse(s);
  if (s.startsWith("'")) return quoted(s);
  if (s.startsWith("[") || s.startsWith("{")) return flow(s);
  return /^-?\d+(\.\d+)?$/.test(s) ? Number(s) : s;
}

function quoted(s) {
  if (!/^'([^']|'')*'$/.test(s)) throw new SyntaxError(s);
  return s.slice(1, -1).replaceAll("''", "'");
}

/** The parts of flow notation, apart at commas that are in no quotes or brackets. */
function parts(s) {
  const found = [];
  let depth = 0, quote = "", from = 0;
  for (let i = 0; i < s.length; i++) {
    const c = s[i];
    if (quote) { if (c === "\\" && quote === '"') i++; else if (c === quote) quote = ""; }
    else if (c === '"' || c === "'") quote = c;
    else if ("[{".includes(c)) depth++;
    else if ("]}".includes(c)) depth--;
    else if (c === "," && depth === 0) { found.push(s.slice(from, i)); from = i + 1; }
  }
  if (quote || depth) throw new SyntaxError(s);
  found.push(s.slice(from));
  return found.map((part) => part.trim()).filter((part) => part !== "");
}

function flow(s) {
  if (!s.endsWith(s.startsWith("[") ? "]" : "}")) throw new SyntaxError(s);
  const inner = parts(s.slice(1, -1));
  if (s.startsWith("[")) return inner.map(scalar);
  return Object.fromEntries(inner.map((part) => {
    const found = /^("[^"]*"|[^:]+):\s*(.*)$/.exec(part);
    if (!found) throw new SyntaxError(part);
    return [scalar(found[1]), scalar(found[2])];
  }));
}

/** A scalar's value in a box; null where it is none that is read here. */
function boxed(text) {
  try {
    return { value: scalar(text) };
  } catch {
    return null;
  }
}

/** A line of a mapping: its key, and what stands behind it. */
function entry(text) {
  const found = /^-( |$)/.test(text) ? null : /^("[^"]*"|'[^']*'|[^:]+|[^ ]+):(?: (.*))?$/.exec(text);
  const key = found && boxed(found[1]);
  return key && { key: String(key.value), rest: (found[2] ?? "").trim() };
}

/**
 * Reads a document.
 * @returns {{ value: any, rest: { line: number, text: string } | null }} what was read, and where that ended before
 *   the document did. A line that is not understood is taken by nobody: each block around it ends there as well.
 */
export function parse(text) {
  const lines = text.split("\n").map((line) => ({ indent: /^ */.exec(line)[0].length, text: line.trim(), raw: line }));
  let at = 0;
  const skip = () => { while (at < lines.length && (lines[at].text === "" || lines[at].text.startsWith("#"))) at++; };

  function block(indent) {
    skip();
    if (at >= lines.length || lines[at].indent < indent) return null;
    return /^-( |$)/.test(lines[at].text) ? sequence(lines[at].indent) : mapping(lines[at].indent);
  }

  function sequence(indent) {
    const values = [];
    for (skip(); at < lines.length && lines[at].indent === indent && /^-( |$)/.test(lines[at].text); skip()) {
      const rest = lines[at].text.slice(1).trim();
      if (rest === "") { at++; values.push(block(indent + 1)); continue; }
      if (/^("[^"]*"|[^"'[{][^:]*):( |$)/.test(rest)) {
        const begin = at;
        lines[at] = { indent: indent + 2, text: rest, raw: lines[at].raw };
        const value = mapping(indent + 2);
        // Of an item whose first line is not understood there is nothing.
        if (at === begin) break;
        values.push(value);
      } else {
        const found = boxed(rest);
        if (!found) break;
        at++;
        values.push(found.value);
      }
    }
    return values;
  }

  function mapping(indent) {
    const value = {};
    for (skip(); at < lines.length && lines[at].indent === indent; skip()) {
      const found = entry(lines[at].text);
      if (!found) break;
      const { key, rest } = found;
      if (rest === "|" || rest === ">") {
        at++;
        value[key] = literal(indent, rest === ">");
      } else if (rest !== "") {
        const one = boxed(rest);
        if (!one) break;
        at++;
        value[key] = one.value;
      } else {
        at++;
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

  const value = block(0);
  skip();
  return { value, rest: at < lines.length ? { line: at + 1, text: lines[at].raw.trim() } : null };
}
