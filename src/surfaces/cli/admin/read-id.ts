import type { Host } from "../host.ts";
import { usageError } from "../usage-error.ts";

/** Returns an id or key, read from standard input for `-`: arguments are visible in the process list and the shell history. */
export async function readId(word: string, host: Host): Promise<string> {
  if (word !== "-") return word;
  const text = new TextDecoder().decode(await host.stdin.readAll(65_536)).trim();
  if (text === "" || text.length > 200)
    throw usageError("Standard input must be one line with a key, a token or an id.");
  return text;
}
