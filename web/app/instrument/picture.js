/**
 * A picture of a chart, to be kept or handed on.
 * @module
 */
const margin = 12;
const line = 20;

/**
 * Charts below each other, words above them.
 * @param {any[]} charts of the library @param {string[]} words a line each
 * @returns {HTMLCanvasElement}
 */
export function drawPicture(charts, words, palette) {
  const shots = charts.map((chart) => chart.takeScreenshot());
  // A screenshot has the pixels of the screen, of which there may be several for one of the page.
  const scale = Math.max(1, window.devicePixelRatio);
  const head = (margin + words.length * line + margin / 2) * scale;
  const picture = document.createElement("canvas");
  picture.width = Math.max(...shots.map(({ width }) => width));
  picture.height = head + shots.reduce((sum, { height }) => sum + height, 0);
  const context = picture.getContext("2d");
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, picture.width, picture.height);
  const family = getComputedStyle(document.body).fontFamily;
  words.forEach((text, index) => {
    context.fillStyle = index ? palette.muted : palette.text;
    context.font = `${index ? "" : "bold "}${(index ? 12 : 15) * scale}px ${family}`;
    context.fillText(text, margin * scale, (margin + index * line + 14) * scale, picture.width - 2 * margin * scale);
  });
  shots.reduce((top, shot) => (context.drawImage(shot, 0, top), top + shot.height), head);
  return picture;
}

/** Hands a picture on where the device has a sheet for that, else keeps it as a file. */
export async function give(picture, name) {
  const blob = await new Promise((done) => picture.toBlob(done, "image/png"));
  const file = new File([blob], name, { type: blob.type });
  // A desktop's sheet leads to less than a file does.
  if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files: [file] })) {
    return navigator.share({ files: [file] }).catch((error) => {
      if (error.name !== "AbortError") throw error;
    });
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
