/**
 * Reads a QR code of version 1 to 5 with one data block (ISO/IEC 18004): format, mask, codewords, segments. It corrects no errors, so that
 * none goes unnoticed.
 */
export function readQr(modules: readonly boolean[][]): { ecc: string; mask: number; bytes: Buffer } {
  const size = modules.length;
  const version = (size - 17) / 4;
  const at = (x: number, y: number): boolean => modules[y]?.[x] === true;
  const { ecc, mask } = readFormat(at);
  const bits: boolean[] = [];
  let up = true;
  for (let right = size - 1; right > 0; right -= 2) {
    // The column of the timing pattern contains no data.
    if (right === 6) right--;
    for (let step = 0; step < size; step++) {
      const y = up ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (isFunction(x, y, size, version)) continue;
        bits.push(at(x, y) !== (masks[mask] as (x: number, y: number) => boolean)(x, y));
      }
    }
    up = !up;
  }
  return { ecc, mask, bytes: readSegments(bits) };
}

function readFormat(at: (x: number, y: number) => boolean): { ecc: string; mask: number } {
  const columns = [0, 1, 2, 3, 4, 5, 7, 8];
  const word = [...columns.map((x) => at(x, 8)), at(8, 7), ...[5, 4, 3, 2, 1, 0].map((y) => at(8, y))];
  const value = word.reduce((sum, bit) => sum * 2 + (bit ? 1 : 0), 0) ^ 0b101010000010010;
  const data = value >> 10;
  // BCH (15,5): the remainder must be zero.
  let rest = value;
  for (let shift = 4; shift >= 0; shift--) if ((rest >> (shift + 10)) & 1) rest ^= 0b10100110111 << shift;
  if (rest !== 0) throw new Error("The format is damaged");
  return { ecc: "MLHQ"[data >> 3] as string, mask: data & 7 };
}

const masks: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Finder patterns with formats, timing, and from version 2 to 6 one alignment pattern. */
function isFunction(x: number, y: number, size: number, version: number): boolean {
  if ((x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8)) return true;
  if (x === 6 || y === 6) return true;
  const center = size - 7;
  return version > 1 && Math.abs(x - center) <= 2 && Math.abs(y - center) <= 2;
}

function readSegments(bits: readonly boolean[]): Buffer {
  let at = 0;
  const read = (count: number): number => {
    let value = 0;
    for (let index = 0; index < count; index++) value = value * 2 + (bits[at++] === true ? 1 : 0);
    return value;
  };
  const parts: Buffer[] = [];
  for (let mode = read(4); mode !== 0; mode = read(4)) {
    if (mode === 4) parts.push(Buffer.from(Array.from({ length: read(8) }, () => read(8))));
    else if (mode === 1) parts.push(readDigits(read(10), read));
    else if (mode === 2) parts.push(readLetters(read(9), read));
    else throw new Error(`Mode ${mode}`);
  }
  return Buffer.concat(parts);
}

function readDigits(count: number, read: (bits: number) => number): Buffer {
  let text = "";
  for (let left = count; left > 0; left -= 3) {
    const digits = Math.min(left, 3);
    text += String(read([0, 4, 7, 10][digits] as number)).padStart(digits, "0");
  }
  return Buffer.from(text);
}

function readLetters(count: number, read: (bits: number) => number): Buffer {
  const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
  let text = "";
  for (let left = count; left > 0; left -= 2) {
    const value = read(left > 1 ? 11 : 6);
    text += left > 1 ? `${letters[Math.floor(value / 45)]}${letters[value % 45]}` : letters[value];
  }
  return Buffer.from(text);
}
