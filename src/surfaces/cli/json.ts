import type { Host } from "./host.ts";
import { runnerCommand } from "./visible.ts";

/** JSON for scripts, indented by two spaces, with a final newline. */
export const toJson = (value: unknown): string => `${toText(value, 2)}\n`;

/** Like `toJson`, on one line. */
export const toJsonLine = (value: unknown): string => `${toText(value)}\n`;

export const writeJson = (host: Host, value: unknown): Promise<void> => host.stdout.write(toJson(value));

/**
 * Escapes, within strings, the characters that a CI runner would read as a command or the end of a line.
 */
const toText = (value: unknown, space?: number): string =>
  JSON.stringify(value, null, space)
    .replaceAll(runnerCommand, String.raw`\u0023#`)
    .replaceAll(/[\u0085\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`);
