import { load } from "../load.ts";

export type QrLevel = "L" | "M" | "Q" | "H";

/**
 * Returns the modules of a QR code, dark ones true, without a margin; undefined if the data exceed the
 * largest code.
 */
export async function createQr(bytes: Uint8Array, ecc: QrLevel): Promise<boolean[][] | undefined> {
  const { encode } = await load("uqr");
  try {
    // Text lets the library choose the compact modes for digits and capitals; anything else is bytes.
    const text = Buffer.from(bytes).toString("latin1");
    const dense = /^[\dA-Z $%*+\-./:]*$/.test(text);
    return encode(dense ? text : [...bytes], { ecc, border: 0 }).data;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** One path of runs of dark modules: small, and without seams between neighbours. */
export function toSvg(modules: readonly boolean[][], margin: number, dark: string, light: string): string {
  const size = modules.length + 2 * margin;
  let path = "";
  for (const [y, row] of modules.entries()) {
    for (let x = 0; x < row.length; x++) {
      if (row[x] !== true) continue;
      const from = x;
      while (row[x + 1] === true) x++;
      path += `M${from + margin} ${y + margin}h${x - from + 1}v1h-${x - from + 1}z`;
    }
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size * 8}" height="${size * 8}" shape-rendering="crispEdges">` +
    `<rect width="${size}" height="${size}" fill="${light}"/><path d="${path}" fill="${dark}"/></svg>`
  );
}

/**
 * Two rows per line. Draws light modules and leaves dark ones out, because terminals are dark and scanners
 * expect dark on light.
 */
export function toTerminal(modules: readonly boolean[][], margin: number): string {
  const size = modules.length + 2 * margin;
  const isLight = (x: number, y: number): boolean => y < size && modules[y - margin]?.[x - margin] !== true;
  const lines: string[] = [];
  for (let y = 0; y < size; y += 2) {
    let line = "";
    for (let x = 0; x < size; x++)
      line += blocks[(isLight(x, y) ? 2 : 0) + (isLight(x, y + 1) ? 1 : 0)] ?? "";
    lines.push(line);
  }
  return lines.join("\n");
}

/** By upper half and lower half. */
const blocks = [" ", "▄", "▀", "█"];
