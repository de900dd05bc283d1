// What is wrong with a page for people who see, point or type otherwise; as a list of sentences.
const faults = [];
const isShown = (element) => {
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0
    && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
};
const describe = (element) => {
  const words = (element.textContent || "").trim().slice(0, 40);
  return `<${element.tagName.toLowerCase()} class="${element.getAttribute("class") || ""}"> "${words}"`;
};
const scope = document.querySelector("dialog[open]") || document.body;
const controls = [...scope.querySelectorAll(
  "a[href], button, input, select, textarea, summary, [tabindex], [role=option]")].filter(isShown);

// Names of controls.
const plainText = (element) => {
  let text = "";
  for (const node of element.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) text += node.textContent;
    else if (node.nodeType === Node.ELEMENT_NODE && node.getAttribute("aria-hidden") !== "true") {
      text += node.tagName === "IMG" ? node.alt : plainText(node);
    }
  }
  return text;
};
const nameOf = (element) => {
  const by = (element.getAttribute("aria-labelledby") || "").split(/\s+/).filter(Boolean)
    .map((id) => document.getElementById(id)?.textContent || "").join(" ");
  const labels = [...(element.labels || [])].map((label) => label.textContent).join(" ");
  const isNamedByText = !/^(INPUT|SELECT|TEXTAREA|DIALOG|MAIN|SECTION|DIV)$/.test(element.tagName);
  const own = isNamedByText ? plainText(element) : "";
  return (by || element.getAttribute("aria-label") || labels || own || element.title || "").trim();
};
for (const element of controls) {
  if (element.id !== "main" && !nameOf(element)) faults.push(`no name: ${describe(element)}`);
  if (element.tabIndex > 0) faults.push(`a place of its own in the focus order: ${describe(element)}`);
}
for (const image of document.querySelectorAll("img:not([alt])")) {
  faults.push(`no text for a picture: ${describe(image)}`);
}
for (const image of document.querySelectorAll("[role=img]:not([aria-label])")) {
  if (isShown(image)) faults.push(`no name for a picture: ${describe(image)}`);
}

// Size of targets: 24 by 24 CSS pixels, but links within a sentence.
for (const element of controls) {
  const isRegion = element.matches("[tabindex]:not(a, button, input)");
  if (element.getAttribute("role") === "option" || isRegion) continue;
  const box = element.getBoundingClientRect();
  const isInSentence = element.tagName === "A" && getComputedStyle(element).display === "inline";
  const isTicked = element.type === "checkbox" && element.closest(".tick")?.getBoundingClientRect().height >= 24;
  if (!isInSentence && !isTicked && (box.width < 24 || box.height < 24)) {
    faults.push(`too small a target, ${Math.round(box.width)} by ${Math.round(box.height)}: ${describe(element)}`);
  }
}

// Contrast of text with what is behind it.
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const parsed = new Map();
const channels = (colour) => {
  if (!parsed.has(colour)) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    parsed.set(colour, [red, green, blue, alpha / 255]);
  }
  return parsed.get(colour);
};
const over = (top, below) => {
  const part = (index) => top[index] * top[3] + below[index] * (1 - top[3]);
  return [part(0), part(1), part(2), 1];
};
const luminance = ([red, green, blue]) => {
  const part = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
};
const ratio = (one, other) => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};
// Every ground that a text can lie on: more than one where a bar reaches below a part of it.
const grounds = (element) => {
  const layers = [];
  for (let place = element; place; place = place.parentElement) {
    const style = getComputedStyle(place);
    const bars = [...style.backgroundImage.matchAll(/(?:rgba?|color|oklch|oklab|hsl)\([^()]*\)/g)]
      .map((match) => channels(match[0]));
    if (bars.length) layers.push(bars);
    const colour = channels(style.backgroundColor);
    if (colour[3] > 0) layers.push([colour]);
    if (colour[3] === 1) break;
  }
  let found = [[255, 255, 255, 1]];
  for (const layer of layers.reverse()) found = found.flatMap((below) => layer.map((top) => over(top, below)));
  return found;
};
const seen = new Set();
const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.textContent.trim() || seen.has(element) || !isShown(element)) continue;
  seen.add(element);
  if (element.closest("button:disabled, .chart-canvas, option, noscript, script, .visually-hidden")) continue;
  const style = getComputedStyle(element);
  const size = parseFloat(style.fontSize);
  const wanted = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
  for (const ground of grounds(element)) {
    const found = ratio(over(channels(style.color), ground), ground);
    if (found >= wanted) continue;
    const behind = ground.slice(0, 3).map(Math.round);
    faults.push(`contrast ${found.toFixed(2)} of ${style.color} on ${behind}: ${describe(element)}`);
  }
}

// The frame of the document.
if (!document.documentElement.lang) faults.push("the document has no language");
if (!document.title) faults.push("the document has no title");
if (document.querySelectorAll("main").length !== 1) faults.push("not one main part");
const heads = document.querySelectorAll("h1").length;
if (heads !== 1) faults.push(`${heads} first headings`);
const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
for (const id of new Set(ids.filter((one, index) => ids.indexOf(one) !== index))) faults.push(`an id twice: ${id}`);
// A phone's browser zooms out to show what is too wide: the width of the document stays what was asked for.
const width = document.documentElement.clientWidth;
if (document.documentElement.scrollWidth > width) {
  const wide = [...document.querySelectorAll("body *")].map((element) => [element, element.getBoundingClientRect()])
    .filter(([, box]) => box.right > width + 1 || box.left < -1).map(([element]) => element);
  faults.push(`wider than the window: ${wide.slice(0, 3).map(describe).join(", ")}`);
}

// Text that is cut off without a sign of it, and text that lies outside its panel.
const scrolls = (style) => /auto|scroll/.test(style.overflowX);
for (const element of seen) {
  const box = element.getBoundingClientRect();
  for (let place = element; place && place !== document.body; place = place.parentElement) {
    const style = getComputedStyle(place);
    if (scrolls(style)) break;
    const isCut = /hidden|clip/.test(style.overflowX) && style.textOverflow !== "ellipsis"
      && place.scrollWidth > place.clientWidth + 1 && !place.matches(".visually-hidden");
    if (isCut) faults.push(`cut off: ${describe(element)} in ${describe(place)}`);
    if (place.matches(".panel, dialog")) {
      const frame = place.getBoundingClientRect();
      if (box.right > frame.right + 1 || box.left < frame.left - 1) faults.push(`out of its panel: ${describe(element)}`);
      break;
    }
    if (isCut) break;
  }
}
return [...new Set(faults)];
