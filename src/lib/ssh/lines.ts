import { isPaddedBase64 } from "../x509/pem.ts";
import { DocumentFault } from "../fault.ts";
import { hash } from "node:crypto";
import { isKeyType, readBlob } from "./blob.ts";

/** One line of an authorized_keys or known_hosts file, or a key alone. */
export interface SshLine {
  /** From 1. */
  line: number;
  type: string;
  bits: number;
  curve: string | null;
  weakness?: string;
  fingerprintSha256: string;
  fingerprintMd5: string;
  comment: string;
  options: string[];
  /** Names, patterns or hashed names of a line of known_hosts. */
  hosts?: string[];
  /** Its marker, such as @revoked. */
  marker?: string;
}

const maxKeys = 10_000;
const maxLine = 65_536;

/** Parses keys as sshd(8) does, one per line; skips empty lines and comments. @throws DocumentFault at the line */
export function readSshLines(text: string): SshLine[] {
  const keys: SshLine[] = [];
  let next = 0;
  for (const [number, raw] of text.split("\n").entries()) {
    const index = next;
    next += raw.length + 1;
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    if (keys.length === maxKeys)
      throw new DocumentFault(`A document can have at most ${maxKeys} keys.`, { index });
    try {
      keys.push({ line: number + 1, ...readLine(line) });
    } catch (error) {
      throw error instanceof DocumentFault ? new DocumentFault(error.message, { index }) : error;
    }
  }
  return keys;
}

function readLine(line: string): Omit<SshLine, "line"> {
  if (line.length > maxLine) throw new DocumentFault(`The line is longer than ${maxLine} characters.`);
  if (line.startsWith("-----BEGIN ") || line.startsWith("---- BEGIN "))
    throw new DocumentFault(
      "This is PEM or the SSH2 format; pass the line of the .pub file: ssh-keygen -y -f <file> or -i.",
    );
  const { options, rest, ...host } =
    isKeyType(wordOf(line)) || isBlob(line)
      ? { options: [], rest: line }
      : (takeHosts(line) ?? takeOptions(line));
  const [first = "", ...words] = rest.split(/[ \t]+/);
  const [declared, encoded = "", ...comment] = isBlob(first)
    ? [undefined, first, ...words]
    : [first, ...words];
  if (declared !== undefined && !isKeyType(declared))
    throw new DocumentFault("Expected the type of a key, such as ssh-ed25519, and its base64.");
  const blob = decode(encoded);
  const key = readBlob(blob);
  if (declared !== undefined && declared !== key.type)
    throw new DocumentFault(`The line declares ${declared}, but the key has type ${key.type}.`);
  return {
    type: key.type,
    bits: key.bits,
    curve: key.curve ?? null,
    ...(key.weakness !== undefined && { weakness: key.weakness }),
    fingerprintSha256: `SHA256:${hash("sha256", blob, "base64").replace(/=+$/, "")}`,
    fingerprintMd5: hash("md5", blob, "hex").replace(/..(?=.)/g, "$&:"),
    comment: comment.join(" "),
    options,
    ...host,
  };
}

/**
 * Reads the hosts before the key in a line of known_hosts (sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT"). A name without a dot, a colon, a
 * pattern or a hash is read as an option of authorized_keys, unless a marker precedes it.
 */
function takeHosts(
  line: string,
): { options: string[]; rest: string; hosts: string[]; marker?: string } | undefined {
  const found = /^(?:(@(?:cert-authority|revoked))[ \t]+)?([^ \t"=]+|\|1\|[^ \t"]+)[ \t]+(?=[a-z])/.exec(
    line,
  );
  const [whole = "", marker, names = ""] = found ?? [];
  const rest = line.slice(whole.length);
  if (!isKeyType(wordOf(rest)) || (marker === undefined && !/[.:|*?[]/.test(names))) return undefined;
  return { options: [], rest, hosts: names.split(","), ...(marker !== undefined && { marker }) };
}

const wordOf = (line: string): string => /^[^ \t]*/.exec(line)?.[0] ?? "";

/** Every key begins with the length of its type: three zero bytes. */
const isBlob = (word: string): boolean => word.startsWith("AAAA");

function decode(text: string): Buffer {
  if (!isPaddedBase64(text)) throw new DocumentFault("The key is not padded base64: a part is missing.");
  return Buffer.from(text, "base64");
}

/** Reads options, joined by commas; in quotes there may be spaces, commas, and quotes after a backslash. */
function takeOptions(line: string): { options: string[]; rest: string } {
  const options: string[] = [];
  const option = /([A-Za-z\d@-]+(?:="(?:[^"\\]|\\.)*")?)(,|[ \t]+)/y;
  for (;;) {
    const found = option.exec(line);
    if (found === null)
      throw new DocumentFault(
        'Expected options (name or name="value", joined by commas), hosts as in known_hosts, or the type of a key.',
      );
    options.push(found[1] as string);
    if (found[2] !== ",") return { options, rest: line.slice(option.lastIndex) };
  }
}
