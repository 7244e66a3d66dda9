import { redact } from "./problem.ts";

const messageLimit = 200;
const nameLimit = 64;
const frameLimit = 300;
/** As many as V8 collects; an error that was made elsewhere may claim more. */
const frameCount = 10;

/**
 * What the log says of a fault of ours. Messages of parsers and libraries quote what they were given, which is the
 * caller's document: so the message is cut short, and of the stack only the frames are kept, because V8 begins it
 * with the whole message.
 */
export function describeFault(error: unknown): string {
  try {
    if (!(error instanceof Error)) return shown(String(error), messageLimit);
    const head = `${shown(String(error.name), nameLimit)}: ${shown(String(error.message), messageLimit)}`;
    return [head, ...framesOf(error)].join("\n");
  } catch {
    // A getter or a toString that throws must not turn one fault into two.
    return "a fault that cannot be described";
  }
}

function framesOf({ stack, message }: Error): string[] {
  if (typeof stack !== "string") return [];
  const at = message === "" ? -1 : stack.indexOf(message);
  const lines = (at === -1 ? stack : stack.slice(at + message.length)).trimEnd().split("\n");
  // From the end, as far as there are frames: a message that was changed after the stack was taken is still in front.
  const first = lines.findLastIndex((line) => !/^ +at \S/.test(line)) + 1;
  return lines
    .slice(first)
    .slice(0, frameCount)
    .map((line) => shown(line, frameLimit));
}

/** Cut before anything else, so that the work does not grow with the document. */
function shown(text: string, limit: number): string {
  const short = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return redact(short).replaceAll(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
