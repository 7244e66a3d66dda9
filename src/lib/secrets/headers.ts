import type { Span } from "./personal.ts";
import { sticky } from "./sticky.ts";

/** The end of a header's value: the quote opened before its name or value, or the end of the line. */
interface Field {
  from: number;
  to: number;
}

const maxField = 4096;

/** Matches the text between a header's name and value in HTTP, JSON, YAML, code, nginx and escaped JSON. */
const separator =
  /\\{0,3}["'`]?\]?[ \t]{0,8}(?:[:=,]|=>|(?=[ \t]\\{0,3}["'`]))[ \t]{0,8}(?:\[?\s{1,40}(?=\\{0,3}["'`])|\[(?=\\{0,3}["'`]))?/y;
const quote = /(?:[fbrFBR@$](?=["'`]))?(\\{0,3}["'`])/y;

/** Reads the value of the header whose name spans `start` to `end`. */
function readField(text: string, start: number, end: number): Field | undefined {
  const at = sticky(separator, text, end);
  if (at < 0) return undefined;
  quote.lastIndex = at;
  const opened = quote.exec(text);
  const from = opened === null ? at : quote.lastIndex;
  const around = /(\\{0,3}["'`])$/.exec(text.slice(Math.max(0, start - 4), start));
  const close = opened?.[1] ?? around?.[1];
  const window = text.slice(from, from + maxField);
  const line = /[\r\n]|\\[rn]/.exec(window)?.index ?? window.length;
  const quoted = close === undefined ? -1 : window.indexOf(close);
  const to = from + (quoted >= 0 && quoted < line ? quoted : line);
  return to > from ? { from, to } : undefined;
}

const schemes =
  /(?:bearer|basic|token|digest|negotiate|ntlm|apikey|api-key|hmac|oauth|aws4-hmac-sha256|hawk|key|splunk|sso-key|genie-?key|bot|dpop|jwt|sharedaccesssignature|sharedkey(?:lite)?|discogs|scram-sha-\d+|vapid|mutual|privatetoken)(?=[ \t]|%20|\+)/iy;

/**
 * Finds the credentials in Authorization headers, without their scheme. The caller skips references to
 * secrets.
 */
export function* findAuthorization(text: string): Generator<Span> {
  if (includesAny(text, ["uthorization", "UTHORIZATION"])) yield* findAuthorizationFields(text);
  if (includesAny(text, ["earer", "EARER", "asic", "ASIC"])) yield* findBare(text);
}

/** Searching for a literal text costs a tenth of a pattern without regard to case. */
const includesAny = (text: string, parts: readonly string[]): boolean =>
  parts.some((part) => text.includes(part));

function* findAuthorizationFields(text: string): Generator<Span> {
  const names = /(?:proxy-)?authorization(?![\w-])/gi;
  for (let match = names.exec(text); match !== null; match = names.exec(text)) {
    if (
      /[\w.$]/.test(text.charAt(match.index - 1)) &&
      !/^http_/i.test(text.slice(match.index - 5, match.index))
    )
      continue;
    const field = readField(text, match.index, names.lastIndex);
    // An unquoted argument is a variable.
    if (field === undefined || /,[ \t]{0,8}$/.test(text.slice(field.from - 9, field.from))) continue;
    const { from, to } = field;
    const scheme = sticky(schemes, text, from);
    const index = scheme < 0 ? from : sticky(/(?:[ \t]|%20|\+){1,8}/y, text, scheme);
    // Digest and similar schemes have parameters, all of which are secret; a token ends with its word.
    const word = sticky(/[^\s,;"'`<>()]{1,8192}/y, text, index);
    const parameters = scheme >= 0 && sticky(/[\w-]{1,40}=["\w]/y, text, index) >= 0 && word < to;
    const end = parameters ? to : Math.min(word, to);
    if (end > index) yield { kind: "auth", index, end };
    names.lastIndex = Math.max(names.lastIndex, Math.min(end, to));
  }
}

/** Finds a Bearer or Basic credential anywhere. */
function* findBare(text: string): Generator<Span> {
  for (const match of text.matchAll(/\b(?:bearer|basic)[ \t]{1,4}([\w.~+/-]{8,4096}={0,2})(?![\w.~+/-])/gi)) {
    const value = match[1] as string;
    const basic = /^basic/i.test(match[0]);
    if (basic ? !isBasic(value) : !/\d/.test(value) || !/[A-Za-z]/.test(value)) continue;
    const index = match.index + match[0].length - value.length;
    yield { kind: "auth", index, end: index + value.length };
  }
}

/** RFC 7617: base64 of a user, a colon and a password. */
export const isBasic = (value: string): boolean =>
  /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(value, "base64").toString("latin1"));

/** Finds the values of Cookie, Set-Cookie and document.cookie, without names and attributes (RFC 6265 §4). */
export function* findCookies(text: string): Generator<Span & { name?: string }> {
  if (!includesAny(text, ["ookie", "OOKIE"])) return;
  const names = /(?:set-)?cookie(?![\w-])/gi;
  for (let match = names.exec(text); match !== null; match = names.exec(text)) {
    const field = readField(text, match.index, names.lastIndex);
    if (field === undefined) continue;
    const pair = /([^\s=;,"'`]{1,256})=([^;\s"'`]{1,4096})/y;
    for (let at = field.from; at < field.to;) {
      pair.lastIndex = at;
      const found = pair.exec(text);
      if (found === null || pair.lastIndex > field.to) break;
      const [, name = "", value = ""] = found;
      const end = pair.lastIndex;
      if (!attributes.test(name)) yield { kind: "cookie", index: end - value.length, end, name };
      names.lastIndex = end;
      at = sticky(/;[ \t]{0,8}(?:(?:secure|httponly|partitioned)[ \t]{0,8};?[ \t]{0,8}){0,4}/iy, text, end);
      if (at < 0) break;
    }
  }
}

const attributes = /^(?:path|domain|expires|max-age|samesite|priority|version|comment)$/i;

const userOption =
  /[ \t](?:-u|-U|--user|--proxy-user|-a|--auth)(?:[ \t]{1,4}|=|(?<=-u))(["']?)([^\s"':]{1,256}:)([^\s"']{1,1024})/g;
const cookieOption = /[ \t](?:-b|--cookie)(?:[ \t]{1,4}|=)["']?([^\s"'=;]{1,256}=[^"'\r\n]{1,4096})/g;

/** Clients that take a password as an option, and the option. */
const passwordOption =
  /\b(?:(?:mysql(?:dump|admin|import|show)?|mariadb(?:-dump|-admin)?)[ \t](?:[^\n|;&]{0,500}?[ \t])??-p|sshpass[ \t]{1,4}-p[ \t]{0,4}|(?:redis-cli|valkey-cli)[ \t](?:[^\n|;&]{0,500}?[ \t])??(?:-a|--pass)[ \t]{1,4}|(?:mongo(?:sh|dump|restore)?|(?:docker|podman|nerdctl|buildah|skopeo|oras|helm[ \t]registry)[ \t]login)[ \t](?:[^\n|;&]{0,500}?[ \t])??-p[ \t]{1,4}|ConvertTo-SecureString[ \t]{1,4}(?:-String[ \t]{1,4})?(?=["']))(["']?)([^\s"'-][^\s"']{2,255})\1(?=[\s;&|)"'`]|$)/g;

/** Finds passwords on the command line of clients of databases and registries, of sshpass and of PowerShell. */
function* findClientPasswords(text: string): Generator<Span> {
  for (const match of text.matchAll(passwordOption)) {
    const [whole, mark = "", value = ""] = match;
    const end = match.index + whole.length - mark.length;
    yield { kind: "auth", index: end - value.length, end };
  }
}

/** Finds credentials on the command line of curl, HTTPie and wget (-u user:password and -b name=value) and of clients. */
export function* findCommandLine(text: string): Generator<Span> {
  if (
    includesAny(text, ["mysql", "mariadb", "sshpass", "is-cli", "ey-cli", "mongo", "login", "SecureString"])
  )
    yield* findClientPasswords(text);
  if (!includesAny(text, ["curl", "wget", "http ", "https ", "xh "])) return;
  const commands = /\b(?:curl|https?|xh|wget)(?:\.exe)?[ \t]/g;
  for (let match = commands.exec(text); match !== null; match = commands.exec(text)) {
    const end = sticky(/(?:[^\n\\]|\\[\s\S]){0,8192}/y, text, match.index);
    const command = text.slice(match.index, end);
    for (const found of command.matchAll(userOption)) {
      const to = match.index + found.index + found[0].length;
      yield { kind: "auth", index: to - (found[3] as string).length, end: to };
    }
    for (const found of command.matchAll(cookieOption)) {
      const value = found[1] as string;
      const to = match.index + found.index + found[0].length;
      for (const { 0: one, index } of value.matchAll(/(?<==)[^;\s]{1,4096}/g)) {
        const from = to - value.length + index;
        yield { kind: "cookie", index: from, end: from + one.length };
      }
    }
    commands.lastIndex = Math.max(commands.lastIndex, end);
  }
}
