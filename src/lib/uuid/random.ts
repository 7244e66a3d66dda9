import { stamp } from "./format.ts";

/** RFC 9562 §5.4 (version 4) or, for bits of any meaning, §5.8 (version 8), as consecutive bytes. */
export function randomUuids(
  version: "4" | "8",
  count: number,
  random: (size: number) => Uint8Array,
): Uint8Array {
  const bytes = random(16 * count);
  for (let at = 0; at < bytes.length; at += 16) stamp(bytes, at, Number(version));
  return bytes;
}
