import type { Secret, SecretRule } from "./rule.ts";
import { sticky } from "./sticky.ts";
import { toBits } from "./surprise.ts";
import { isPasswordLike, isPlaceholder, isRandom, isSample } from "./values.ts";

const privateKey: SecretRule = { id: "private-key", title: "a private key" };
const encodedKey: SecretRule = { id: "encoded-private-key", title: "a private key in base64" };
const puttyKey: SecretRule = { id: "putty-key", title: "a private key of PuTTY" };
const passwordFile: SecretRule = { id: "pgpass-password", title: "a password of a .pgpass file" };
const passwordHash: SecretRule = { id: "password-hash", title: "the hash of a password" };
const kubernetes: SecretRule = { id: "kubernetes-secret", title: "a value of a Kubernetes Secret" };

/** Rules for files that consist of secrets. */
export const fileRules: readonly SecretRule[] = [
  privateKey,
  encodedKey,
  puttyKey,
  passwordFile,
  passwordHash,
  kubernetes,
];

/**
 * Finds what files of keys and passwords hold, also within other texts.
 * @param examples Whether to include the header of a key without the key.
 */
export function* findInKeyFiles(text: string, examples: boolean): Generator<Secret> {
  yield* findPrivateKeys(text, examples);
  yield* findEncodedKeys(text);
  yield* findPuttyKeys(text);
  yield* findPasswordLines(text);
  yield* findKubernetesData(text);
}

/** RFC 7468 §2. The header alone, as in code that looks for one, is no key. */
function* findPrivateKeys(text: string, examples: boolean): Generator<Secret> {
  const label = "PRIVATE KEY";
  for (let at = text.indexOf(label); at >= 0; at = text.indexOf(label, at + label.length)) {
    const start = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}$/.exec(text.slice(Math.max(0, at - 80), at))?.[0];
    const end = sticky(/PRIVATE KEY(?: BLOCK)?-----/y, text, at);
    if (start === undefined || end < 0) continue;
    const body = keyBody.exec(text.slice(end, end + 600))?.[1] ?? "";
    const letters = body.replaceAll(/\\[nrt]|[^A-Za-z\d+/=]/g, "");
    if (!examples && (letters.length < 24 || isSample(letters) || new Set(letters).size < 10)) continue;
    yield { rule: privateKey, index: at - start.length, end };
  }
}

/** Lines of base64 behind a header, in strings of any language; other headers (RFC 1421) may stand before them. */
const keyBody =
  /^(?:[^A-Za-z\d+/=-]|\\[nr]){1,40}(?:[A-Z][\w-]{1,40}: {0,2}[^\n\\]{1,200}(?:\\[nr]|[\s"'+,]){1,40}){0,6}((?:[A-Za-z\d+/=]{1,100}(?:\\{1,3}[nrt]|[\s"'+,.\\>#*|]){0,40}){1,12})/;

/** Finds the whole text of a private key in base64, as in the client-key-data of a kubeconfig. */
function* findEncodedKeys(text: string): Generator<Secret> {
  // -----BEGIN
  const start = "LS0tLS1CRUdJTi";
  let end = 0;
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, end)) {
    end = Math.max(at + start.length, sticky(/[A-Za-z\d+/]{60,65536}={0,2}/y, text, at));
    if (Buffer.from(text.slice(at, Math.min(end, at + 80)), "base64").includes("PRIVATE KEY"))
      yield { rule: encodedKey, index: at, end };
  }
}

/** The format of PuTTY's private keys, appendix C of its manual. */
function* findPuttyKeys(text: string): Generator<Secret> {
  const label = "PuTTY-User-Key-File-";
  for (let at = text.indexOf(label); at >= 0; at = text.indexOf(label, at + label.length)) {
    const window = text.slice(at, at + 16_384);
    const lines = /Private-Lines: \d{1,3}(?:\r?\n|\\n)((?:[A-Za-z\d+/=]{4,80}(?:\r?\n|\\n)?){1,100})/.exec(
      window,
    );
    if (lines === null) continue;
    const [whole, body = ""] = lines;
    const index = at + lines.index + whole.length - body.length;
    yield { rule: puttyKey, index, end: index + body.trimEnd().length };
  }
}

/** Finds host:port:database:user:password of .pgpass, and user:hash of htpasswd and shadow. */
function* findPasswordLines(text: string): Generator<Secret> {
  for (const { index: at } of text.matchAll(/:(?:\d{2,5}|\*):|:\$(?=[a\d])|:\{SHA\}/g)) {
    // Searching the whole of a long line again for each of its parts would be quadratic.
    const before = text.slice(Math.max(0, at - maxBefore), at);
    const start = at - before.length + before.lastIndexOf("\n") + 1;
    if (start > 0 && text[start - 1] !== "\n") continue;
    const found = passwordLine.exec(text.slice(start, start + 600));
    if (found === null) continue;
    const [whole, host = "", password, hash] = found;
    const value = (password ?? hash) as string;
    const index = start + whole.lastIndexOf(value);
    if (hash !== undefined) yield { rule: passwordHash, index, end: index + value.length };
    else if (
      /^(?:\*|localhost|.*[.-].*)$/.test(host) &&
      !isPlaceholder(value) &&
      (isPasswordLike(value) || isRandom(value, 26))
    )
      yield { rule: passwordFile, index, end: index + value.length };
  }
}

/** Most characters of a line before its first mark. */
const maxBefore = 101;

const passwordLine =
  /^(?:([\w.-]{1,100}|\*):(?:\d{2,5}|\*):[^:\s]{1,64}:[^:\s]{1,64}:([^:\s]{1,128})|[\w.@-]{1,64}:(\$(?:apr1|2[abxy]?|[156y]|argon2\w{1,2})\$[./\w$=,+-]{20,200}|\{SHA\}[\w+/]{27}=)(?::[\d:]{0,40})?)[ \t]{0,8}(?=\r?\n|$)/;

const maxDocument = 65_536;

/** Finds the values under data and stringData in manifests of the kind Secret: documents of YAML, up to a size. */
function* findKubernetesData(text: string): Generator<Secret> {
  let done = 0;
  for (let at = text.indexOf("kind:"); at >= 0; at = text.indexOf("kind:", Math.max(at + 5, done))) {
    if (sticky(/kind:[ \t]{1,4}["']?Secret["']?[ \t]{0,8}(?=\r?\n|$)/y, text, at) < 0) continue;
    const start = Math.max(text.lastIndexOf("\n---", at), done, at - maxDocument);
    const stop = text.indexOf("\n---", at);
    done = Math.min(stop < 0 ? text.length : stop, at + maxDocument);
    yield* findDataEntries(text.slice(start, done), start);
  }
}

/** A line of a mapping: its indentation, its key, and a value of one line. */
const entryLine =
  /^([ \t]*)["']?([\w.-]{1,100})["']?:(?:[ \t]{1,8}(["']?)([^\s"'#][^"']{0,8192}?)\3)?[ \t\r]*$/;

function* findDataEntries(document: string, start: number): Generator<Secret> {
  let at = start;
  let block: { indent: number; encoded: boolean } | undefined;
  for (const line of document.split("\n")) {
    const found = line.length < 9000 ? entryLine.exec(line) : null;
    const [, indent = "", name = "", quote = "", value = ""] = found ?? [];
    if (block !== undefined && found !== null && indent.length <= block.indent) block = undefined;
    if (value === "" && /^(?:data|stringData)$/.test(name))
      block = { indent: indent.length, encoded: name === "data" };
    else if (block !== undefined && value !== "") {
      const plain = block.encoded ? fromBase64(value) : value;
      const index = at + line.lastIndexOf(value + quote);
      if (plain !== undefined && isWorthHiding(plain))
        yield { rule: kubernetes, index, end: index + value.length, name };
    }
    at += line.length + 1;
  }
}

function fromBase64(value: string): string | undefined {
  return /^(?:[A-Za-z\d+/]{4}){1,4096}(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$|^[A-Za-z\d+/]{2,3}={1,2}$/.test(
    value,
  )
    ? Buffer.from(value, "base64").toString("latin1")
    : undefined;
}

/** A user's name, a host or a flag may stand in a Secret beside what is secret; bytes that are no text are a key. */
const isWorthHiding = (value: string): boolean =>
  /[^\t\r\n -~]/.test(value)
    ? value.length >= 8
    : !isPlaceholder(value) && (isPasswordLike(value) || toBits(value) >= 26);
