import type { Host } from "./host.ts";
import { runnerCommand } from "./visible.ts";

/** JSON for scripts, indented by two spaces, with a final newline. */
export const toJson = (value: unknown): string => `${toText(value, 2)}\n`;

/** Like `toJson`, on one line. */
export const toJsonLine = (value: unknown): string => `${toText(value)}\n`;

export const writeJson = (host: Host, value: unknown): Promise<void> => host.stdout.write(toJson(value));

/**
 * Escapes, within strings, the characters that a CI runner would read as a command or the end of a line, and those that a
 * terminal would obey or show as something else: C1 controls and formats such as U+202E. The values stay the same.
 */
const toText = (value: unknown, space?: number): string =>
  JSON.stringify(value, null, space)
    .replaceAll(runnerCommand, String.raw`\u0023#`)
    .replaceAll(/[\u007f-\u009f\u2028\u2029\p{Cf}]/gu, (character) =>
      Array.from({ length: character.length }, (_, at) => toEscape(character.charCodeAt(at))).join(""),
    );

const toEscape = (unit: number): string => `\\u${unit.toString(16).padStart(4, "0")}`;
