/**
 * Returns the contrast (WCAG 2.2) between the two colours of an image of two: the ground, which is its first rectangle, and its one
 * path. Undefined for other images, and for colours that cannot be resolved.
 * @param resolve Returns a colour as "#rrggbb"; without it, only those that are written so are known.
 */
export function readContrast(svg: string, resolve = (colour: string): string => colour): number | undefined {
  const ground = /<rect\b[^>]*\bfill="([^"]+)"/.exec(svg)?.[1];
  const paths = [...svg.matchAll(/<path\b[^>]*?(?:\bfill="([^"]+)"[^>]*)?\/?>/g)];
  if (ground === undefined || paths.length !== 1) return undefined;
  const [light, dark] = [ground, paths[0]?.[1] ?? "#000"].map((colour) => luminanceOf(resolve(colour)));
  if (light === undefined || dark === undefined) return undefined;
  return (Math.max(light, dark) + 0.05) / (Math.min(light, dark) + 0.05);
}

function luminanceOf(colour: string): number | undefined {
  const digits = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(colour)?.[1];
  if (digits === undefined) return undefined;
  const size = digits.length / 3;
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((index) => {
    const part = Number.parseInt(digits.slice(index * size, (index + 1) * size), 16) / (16 ** size - 1);
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
