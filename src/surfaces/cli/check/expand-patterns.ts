import type { Files } from "../host.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";

/**
 * The files that the words of a line mean, each once, in order. A word that is a file is that file, whatever
 * characters are in its name; otherwise it may be a pattern, which a shell has left alone because it was quoted.
 * @throws ToolError invalid_input where a word means no file: a check of nothing must not pass.
 */
export async function expandPatterns(words: readonly string[], files: Files): Promise<string[]> {
  const found = new Set<string>();
  for (const word of words) {
    for (const name of await expand(word, files)) found.add(name);
  }
  return [...found];
}

async function expand(word: string, files: Files): Promise<string[]> {
  if (word === "-") return [word];
  const kind = files.stat(word)?.kind;
  if (kind === "file") return [word];
  const shown = visible(word);
  if (kind === "folder")
    throw usageError(`${shown} is a folder. Say which files of it: '${shown.replace(/\/$/, "")}/**/*'`);
  if (!/[*?[{]/.test(word)) throw usageError(`${shown} cannot be read: there is no such file`);
  const names = await files.glob(word);
  if (names.length === 0) throw usageError(`No file matches ${shown}`);
  return names.toSorted();
}
