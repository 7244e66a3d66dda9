import { describeAt, refuse, refuseUnexpected, type Source } from "./source.ts";

/** Refuses a usual mistake where the grammar expects a value; each message says what to do. */
export function refuseValue(source: Source, at: number, close: number): -1 {
  const { bytes } = source;
  const byte = bytes[at];
  const comment = commentAdvice(source, at);
  if (at >= bytes.length && close === 0) {
    refuse(source, at, "", "a value");
    if (source.refusal) source.refusal.message = "The document is empty; expected a value.";
    return -1;
  }
  if (byte === 0x27)
    return refuse(source, at, "Single quotes are not JSON; put strings in double quotes.", "a value");
  if (byte === 0x2c) return refuse(source, at, "A value is missing before this comma.", "a value");
  if (byte === 0 && at < 4) {
    return refuse(
      source,
      at,
      "Found U+0000: this looks like UTF-16 or UTF-32; convert the document to UTF-8.",
      "a value",
    );
  }
  return refuseUnexpected(source, at, close === 0x5d ? "a value or ']'" : "a value", comment);
}

export function refuseKey(source: Source, at: number): -1 {
  const byte = source.bytes[at] ?? 0;
  if (byte === 0x27)
    return refuse(source, at, "Single quotes are not JSON; put keys in double quotes.", "a key");
  const letter = ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) || byte === 0x5f || byte === 0x24;
  if (letter && source.dialect !== "json5") {
    return refuse(
      source,
      at,
      `Found ${describeAt(source.bytes, at)}: keys must be in double quotes.`,
      "a key in double quotes",
    );
  }
  const expected = source.dialect === "json5" ? "a key or '}'" : "a key in double quotes or '}'";
  return refuseUnexpected(source, at, expected, commentAdvice(source, at));
}

export function refuseAfterKey(source: Source, at: number): -1 {
  const expected = "':' after the key";
  if (source.bytes[at] === 0x3d) return refuseUnexpected(source, at, expected, "JSON writes ':' for '='.");
  return refuseUnexpected(source, at, expected, commentAdvice(source, at));
}

export function refuseAfterValue(source: Source, at: number, close: number): -1 {
  const { bytes } = source;
  const byte = bytes[at];
  const expected = close === 0x7d ? "',' or '}' after the value" : "',' or ']' after the value";
  if (byte === 0x7d || byte === 0x5d) {
    const open = close === 0x7d ? "an object" : "an array";
    return refuseUnexpected(source, at, expected, `The innermost open container is ${open}.`);
  }
  if (byte === 0x3a && close === 0x5d)
    return refuseUnexpected(source, at, expected, "Members with keys need an object, '{'.");
  if (startsValue(byte)) return refuseUnexpected(source, at, expected, "Is a comma missing?");
  return refuseUnexpected(source, at, expected, commentAdvice(source, at));
}

/** Refuses what follows a complete document. */
export function refuseTrailing(source: Source, at: number): -1 {
  const byte = source.bytes[at];
  const expected = "the end of the document";
  if (startsValue(byte)) {
    const advice = "JSON holds one value; pass lines of JSON (NDJSON) one by one, or as an array.";
    return refuseUnexpected(source, at, expected, advice);
  }
  const advice = byte === 0x7d || byte === 0x5d ? "It closes nothing." : commentAdvice(source, at);
  return refuseUnexpected(source, at, expected, advice);
}

function startsValue(byte = 0): boolean {
  return (
    byte === 0x22 ||
    byte === 0x7b ||
    byte === 0x5b ||
    byte === 0x2d ||
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a)
  );
}

function commentAdvice({ bytes, dialect }: Source, at: number): string {
  const byte = bytes[at];
  if (byte === 0x23) return "Comments are not JSON; remove it.";
  if (byte === 0x2f && dialect === "json") return "Comments are not JSON; remove it.";
  return "";
}
