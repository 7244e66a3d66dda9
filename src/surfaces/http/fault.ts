import { redact } from "./problem.ts";

const maxMessage = 200;
const maxName = 64;
const maxFrame = 300;
/** The most frames that V8 collects; other errors may have more. */
const frameCount = 10;

/**
 * Describes an internal error for the log. Messages of parsers and libraries quote their input, which is the caller's
 * document, so the message is shortened, and of the stack only the frames are kept, because V8 starts it with the whole
 * message.
 */
export function describeFault(error: unknown): string {
  try {
    if (!(error instanceof Error)) return shown(String(error), maxMessage);
    const head = `${shown(String(error.name), maxName)}: ${shown(String(error.message), maxMessage)}`;
    return [head, ...framesOf(error)].join("\n");
  } catch {
    // A throwing getter or toString must not cause a second fault.
    return "an error that cannot be described";
  }
}

function framesOf({ stack, message }: Error): string[] {
  if (typeof stack !== "string") return [];
  const at = message === "" ? -1 : stack.indexOf(message);
  const lines = (at === -1 ? stack : stack.slice(at + message.length)).trimEnd().split("\n");
  // Collect frames from the end: the stack may start with an older message than `message`.
  const first = lines.findLastIndex((line) => !/^ +at \S/.test(line)) + 1;
  return lines
    .slice(first)
    .slice(0, frameCount)
    .map((line) => shown(line, maxFrame));
}

/** Shortens first, so that the work does not grow with the document. */
function shown(text: string, limit: number): string {
  const short = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return redact(short).replaceAll(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
