import type { Fields, Level, RequestEntry } from "./log-entry.ts";

/** Formats by concatenation: it runs once a request, and `JSON.stringify` costs five times as much. */
export function toJsonRequest(time: string, level: Level, entry: RequestEntry): string {
  let line = `{"time":"${time}","level":"${level}","message":"request","requestId":"${entry.requestId}","method":"${entry.method}","path":${quote(entry.path)},"status":${entry.status},"durationMs":${round(entry.durationMs)},"bytesIn":${entry.bytesIn},"bytesOut":${entry.bytesOut},"ip":${quote(entry.ip)}`;
  if (entry.account !== "") line += `,"account":"${entry.account}"`;
  if (entry.keyId !== "") line += `,"keyId":"${entry.keyId}"`;
  if (entry.sessionId !== "") line += `,"sessionId":"${entry.sessionId}"`;
  if (entry.tool !== "") line += `,"tool":"${entry.tool}"`;
  if (entry.operation !== "") line += `,"operation":"${entry.operation}"`;
  return `${line},"outcome":"${entry.outcome}"}\n`;
}

export function toTextRequest(time: string, level: Level, entry: RequestEntry, color: boolean): string {
  const { status } = entry;
  const paint = (text: string): string => {
    if (!color) return text;
    const code = status >= 500 ? 31 : status >= 400 ? 33 : 32;
    return `\u001B[${code}m${text}\u001B[39m`;
  };
  const { account, keyId, sessionId } = entry;
  const who = account + sessionId === "" ? printable(entry.ip) : `${account} ${keyId}${sessionId}`.trim();
  const outcome = entry.outcome === "ok" ? "" : ` ${entry.outcome}`;
  const operation = entry.operation === "" ? "" : ` ${entry.operation}`;
  const mark = level === "debug" ? "debug " : "";
  return `${clock(time)} ${mark}${paint(String(status))} ${entry.method} ${printable(entry.path)}${operation} ${round(entry.durationMs)} ms ${entry.bytesIn}→${entry.bytesOut} B ${who}${outcome} ${dim(entry.requestId, color)}\n`;
}

export function toJsonLine(time: string, level: Level, message: string, fields: Fields): string {
  return `${JSON.stringify({ time, level, message, ...fields })}\n`;
}

export function toTextLine(
  time: string,
  level: Level,
  message: string,
  fields: Fields,
  color: boolean,
): string {
  const rest = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        ` ${dim(`${name}=`, color)}${name === "error" ? printableLines(String(value)) : printable(String(value))}`,
    );
  return `${clock(time)} ${level} ${printable(message)}${rest.join("")}\n`;
}

const round = (ms: number): number => Math.round(ms * 1000) / 1000;

/** Returns the 12:34:56.789 of an RFC 3339 time. */
const clock = (time: string): string => time.slice(11, 23);

const dim = (text: string, color: boolean): string => (color ? `\u001B[2m${text}\u001B[22m` : text);

// eslint-disable-next-line no-control-regex -- what must be escaped in JSON
const special = /["\\\u0000-\u001F\u007F-\uFFFF]/;

function quote(text: string): string {
  return special.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** Escapes control characters, with which a path could forge lines or colours on a terminal (CWE-117). */
function printable(text: string): string {
  return text.replaceAll(
    // eslint-disable-next-line no-control-regex -- C0, DEL, C1, and the marks that reverse text
    /[\u0000-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Keeps the lines of a stack. */
const printableLines = (text: string): string => text.split("\n").map(printable).join("\n");
