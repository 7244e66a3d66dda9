import { hash } from "node:crypto";
import { BlobError, isKeyType, readBlob } from "./blob.ts";

/** One line of an authorized_keys file, or a key alone. */
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
}

/** A line is no key; `line` counts from 1. */
export class SshLineError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.name = "SshLineError";
    this.line = line;
  }
}

const maxKeys = 10_000;
const maxLine = 65_536;

/** Reads keys as sshd(8) does, a line each; empty lines and comments are passed over. @throws SshLineError */
export function readSshLines(text: string): SshLine[] {
  const keys: SshLine[] = [];
  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    if (keys.length === maxKeys) throw new SshLineError(`There may be ${maxKeys} keys at most.`, index + 1);
    try {
      keys.push({ line: index + 1, ...readLine(line) });
    } catch (error) {
      throw error instanceof BlobError ? new SshLineError(error.message, index + 1) : error;
    }
  }
  return keys;
}

function readLine(line: string): Omit<SshLine, "line"> {
  if (line.length > maxLine) throw new BlobError(`The line is longer than ${maxLine} characters.`);
  if (line.startsWith("-----BEGIN ") || line.startsWith("---- BEGIN "))
    throw new BlobError(
      "This is PEM or the SSH2 format; give the line of the .pub file: ssh-keygen -y -f <file> or -i.",
    );
  const { options, rest } =
    isKeyType(wordOf(line)) || isBlob(line) ? { options: [], rest: line } : takeOptions(line);
  const [first = "", ...words] = rest.split(/[ \t]+/);
  const [declared, encoded = "", ...comment] = isBlob(first)
    ? [undefined, first, ...words]
    : [first, ...words];
  if (declared !== undefined && !isKeyType(declared))
    throw new BlobError("Expected the type of a key, such as ssh-ed25519, and its base64.");
  const blob = decode(encoded);
  const key = readBlob(blob);
  if (declared !== undefined && declared !== key.type)
    throw new BlobError(`The line says ${declared}, but the key is of type ${key.type}.`);
  return {
    type: key.type,
    bits: key.bits,
    curve: key.curve ?? null,
    ...(key.weakness !== undefined && { weakness: key.weakness }),
    fingerprintSha256: `SHA256:${hash("sha256", blob, "base64").replace(/=+$/, "")}`,
    fingerprintMd5: hash("md5", blob, "hex").replace(/..(?=.)/g, "$&:"),
    comment: comment.join(" "),
    options,
  };
}

const wordOf = (line: string): string => /^[^ \t]*/.exec(line)?.[0] ?? "";

/** Every key begins with the length of its type: three zero bytes. */
const isBlob = (word: string): boolean => word.startsWith("AAAA");

function decode(text: string): Buffer {
  if (!/^[A-Za-z\d+/]+={0,2}$/.test(text) || text.length % 4 !== 0)
    throw new BlobError("The key is not base64 with its padding: a part is missing.");
  return Buffer.from(text, "base64");
}

/** Options are joined by commas; in quotes may be spaces and commas, and a quote after a backslash. */
function takeOptions(line: string): { options: string[]; rest: string } {
  const options: string[] = [];
  const option = /([A-Za-z\d@-]+(?:="(?:[^"\\]|\\.)*")?)(,|[ \t]+)/y;
  for (;;) {
    const found = option.exec(line);
    if (found === null)
      throw new BlobError('Expected options (name or name="value", joined by commas), or the type of a key.');
    options.push(found[1] as string);
    if (found[2] !== ",") return { options, rest: line.slice(option.lastIndex) };
  }
}
