import type { Host } from "../host.ts";
import { usageError } from "../usage-error.ts";

/** A key in the arguments is seen by everyone who lists the processes, and stays in the history of the shell. */
export async function readId(word: string, host: Host): Promise<string> {
  if (word !== "-") return word;
  const text = new TextDecoder().decode(await host.stdin.readAll(65_536)).trim();
  if (text === "" || text.length > 200)
    throw usageError("Standard input holds no key and no token: one line is expected.");
  return text;
}
