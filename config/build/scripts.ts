/**
 * Joins scripts and their code caches to one asset: a line for each script, an empty line, and the contents. A line is
 * the name, and the offsets in the asset where the script starts, where it ends and its cache starts, and where the cache
 * ends. Lines start with a line end, so that a reader finds one by searching; numbers have a fixed width, so that the
 * length of the index is known before its content.
 */
export function packScripts(
  scripts: Readonly<Record<string, string>>,
  caches: Readonly<Record<string, Uint8Array>>,
): Uint8Array {
  const names = Object.keys(scripts);
  const toLine = (name: string, offsets: readonly number[]): string =>
    `\n${name} ${offsets.map((offset) => String(offset).padStart(digits, "0")).join(" ")}`;
  const parts: Uint8Array[] = [];
  let at = names.reduce((length, name) => length + toLine(name, [0, 0, 0]).length, "\n\n".length);
  const lines = names.map((name) => {
    const offsets = [at];
    for (const part of [Buffer.from(scripts[name] ?? "", "latin1"), caches[name] ?? new Uint8Array()]) {
      parts.push(part);
      offsets.push((at += part.length));
    }
    return toLine(name, offsets);
  });
  return Buffer.concat([Buffer.from(`${lines.join("")}\n\n`, "latin1"), ...parts]);
}

const digits = 9;
