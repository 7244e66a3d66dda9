/** A picture as it was and as it is. */
export interface Pair {
  name: string;
  /** Undefined for a page that is new. */
  before: string | undefined;
  now: string;
}

/** Returns a page that shows the pictures that differ, before and after, with each shape that only one of them has outlined. */
export function toComparison(commit: string, pairs: readonly Pair[]): string {
  const changed = pairs.filter(({ before, now }) => before !== now);
  const sections = changed.map(
    ({ name, before, now }) => `<h2>${name}</h2>
<div>${before === undefined ? "<p>This page is new.</p>" : outline(before, now)}${outline(now, before ?? now)}</div>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Pages that differ from ${commit}</title>
<style>
body { font: 16px system-ui; margin: 1rem; background: #888; color: #000; }
div { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; align-items: start; }
div > svg { width: 100%; height: auto; }
</style>
<h1>${changed.length} of ${pairs.length} pictures differ from ${commit}</h1>
${sections.join("\n")}
</html>
`;
}

/** Returns a picture with a frame around each of its shapes that the other one has not. Each shape is a line of the file. */
export function outline(svg: string, other: string): string {
  const known = new Set(other.split("\n"));
  const frames = svg
    .split("\n")
    .filter((line) => line.startsWith("<") && !known.has(line) && !/^<\/?svg xmlns|^<\/svg>/.test(line))
    .map(frameOf);
  return svg.replace(/<\/svg>\n$/, `${frames.join("")}</svg>`);
}

function frameOf(line: string): string {
  const read = (name: string): number => Number(new RegExp(` ${name}="([-\\d.]+)"`).exec(line)?.[1] ?? 0);
  const size = read("font-size");
  const [x, y] = [read("x"), read("y")];
  // The place of a text is where its baseline begins.
  const [width, height, top] =
    size === 0 ? [read("width"), read("height"), y] : [read("textLength"), size * 1.25, y - size];
  return `<rect x="${x - 2}" y="${top - 2}" width="${width + 4}" height="${height + 4}" fill="none" stroke="#e000e0" stroke-width="2"/>`;
}
