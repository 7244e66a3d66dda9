import { encodeFileName } from "../file-name.ts";
import { diffText } from "./text-diff.ts";
import { toUnified } from "./unified.ts";

const exactly = { unit: "line", ignoreWhitespace: false, ignoreEol: false, ignoreCase: false } as const;

/**
 * Writes the change of a file as a patch for `patch -p1` and `git apply`; "" if there is none. Both take the names as relative
 * to the folder they run in; with a line `diff --git`, Git would take them as relative to the root of the repository.
 * @param name The path of the file, with slashes. It may contain any byte; see `lib/file-name.ts`.
 */
export async function toFilePatch(name: string, before: string, after: string): Promise<string> {
  const changes = await diffText(before, after, exactly);
  return toUnified(changes, 3, [toLabel(`a/${name}`), toLabel(`b/${name}`)]);
}

/** A name in the notation of Git: quoted if it has special characters, and ended by a tab if it has spaces. */
function toLabel(name: string): string {
  // oxlint-disable-next-line no-control-regex
  const plain = name.isWellFormed() && !/["\\\u0000-\u001f\u007f]| $/.test(name);
  return (plain ? name : quote(name)) + (name.includes(" ") ? "\t" : "");
}

function quote(name: string): string {
  const bytes = encodeFileName(name);
  const quoted = Array.from(typeof bytes === "string" ? Buffer.from(bytes) : bytes, (byte) => {
    const character = String.fromCharCode(byte);
    if (character === '"' || character === "\\") return `\\${character}`;
    return byte < 0x20 || byte > 0x7e ? `\\${byte.toString(8).padStart(3, "0")}` : character;
  });
  return `"${quoted.join("")}"`;
}
