import { generateKeyPairSync, type KeyObject } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/cert/ssh-key-parser.ts";
import { readBlob } from "../../../../src/lib/ssh/blob.ts";
import { refusalOf, runTool } from "../run-tool.ts";

/** RFC 4251 §5. */
const text = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};
const number = (bytes: Buffer): Buffer =>
  text(bytes.readUInt8() >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
const jwkPart = (key: KeyObject, name: string): Buffer =>
  Buffer.from(String(key.export({ format: "jwk" })[name as "x"]), "base64url");

const ed25519 = Buffer.concat([text("ssh-ed25519"), text(Buffer.alloc(32, 7))]);
const line = `ssh-ed25519 ${ed25519.toString("base64")}`;

interface Key {
  line: number;
  type: string;
  bits: number;
  curve: string | null;
  comment: string;
  options: string[];
}

const parse = async (data: string): Promise<Key[]> =>
  (JSON.parse(await runTool(tool, { data })) as { keys: Key[] }).keys;

test.each([2048, 3072])("an RSA key of %s bits", async (modulusLength) => {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength });
  const blob = Buffer.concat([
    text("ssh-rsa"),
    number(jwkPart(publicKey, "e")),
    number(jwkPart(publicKey, "n")),
  ]);
  expect(await parse(`ssh-rsa ${blob.toString("base64")}`)).toMatchObject([
    { type: "ssh-rsa", bits: modulusLength, curve: null },
  ]);
});

test.each([
  ["P-256", "nistp256", 256],
  ["P-384", "nistp384", 384],
  ["P-521", "nistp521", 521],
])("an ECDSA key on %s", async (namedCurve, curve, bits) => {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve });
  const point = Buffer.concat([Buffer.from([4]), jwkPart(publicKey, "x"), jwkPart(publicKey, "y")]);
  const type = `ecdsa-sha2-${curve}`;
  const blob = Buffer.concat([text(type), text(curve), text(point)]);
  expect(await parse(`${type} ${blob.toString("base64")}`)).toMatchObject([{ type, bits, curve }]);
});

test("a key on a security token", async () => {
  const type = "sk-ssh-ed25519@openssh.com";
  const blob = Buffer.concat([text(type), text(Buffer.alloc(32)), text("ssh:")]);
  expect(await parse(`${type} ${blob.toString("base64")} token`)).toMatchObject([
    { type, bits: 256, comment: "token" },
  ]);
});

test("comments with spaces, empty lines, CRLF, tabs, and base64 alone", async () => {
  const data = `# keys\r\n\r\n  ${line}\ta comment of words \r\n${ed25519.toString("base64")}\n`;
  expect(await parse(data)).toMatchObject([
    { line: 3, comment: "a comment of words", options: [] },
    { line: 4, comment: "", options: [] },
  ]);
});

test.each([
  ["restrict", ["restrict"]],
  ['no-pty,from="10.0.0.0/8,!10.0.0.1"', ["no-pty", 'from="10.0.0.0/8,!10.0.0.1"']],
  ['command="echo \\"a b, c\\" # x",restrict', ['command="echo \\"a b, c\\" # x"', "restrict"]],
  ['environment="A=ssh-ed25519 AAAA"', ['environment="A=ssh-ed25519 AAAA"']],
])("the options %s", async (before, options) => {
  expect(await parse(`${before} ${line} me`)).toMatchObject([
    { options, comment: "me", type: "ssh-ed25519" },
  ]);
});

test.each([
  ["", 0],
  ["# nothing", 0],
  [`${line}\n\nssh-ed25519`, line.length + 2],
  [`ssh-rsa ${ed25519.toString("base64")}`, 0],
  [`ssh-ed25519 ${ed25519.toString("base64").slice(0, -4)}`, 0],
  [`ssh-ed25519 ${ed25519.toString("base64")}AAAA`, 0],
  [`ssh-ed25519 ${ed25519.toString("base64url")}!`, 0],
  [`command="never closed ${line}`, 0],
  [`__proto__ ${text("__proto__").toString("base64")}`, 0],
  [text("toString").toString("base64"), 0],
  ["-----BEGIN OPENSSH PRIVATE KEY-----", 0],
  ["a".repeat(70_000), 0],
])("%j is refused", async (data, offset) => {
  expect(await refusalOf(runTool(tool, { data }))).toMatchObject({ code: "invalid_document", offset });
});

test("negative and padded numbers are refused", () => {
  for (const n of ["80", "", "0001", "00"]) {
    const blob = Buffer.concat([text("ssh-rsa"), text(Buffer.from([3])), text(Buffer.from(n, "hex"))]);
    expect(() => readBlob(blob)).toThrow("number");
  }
});

test.each([
  ["01", 1],
  ["7f", 7],
  ["0080", 8],
  ["0100", 9],
  [`00ff${"00".repeat(255)}`, 2048],
  [`01${"00".repeat(256)}`, 2049],
])("the number %s has %i bits", (n, bits) => {
  const blob = Buffer.concat([text("ssh-rsa"), text(Buffer.from([3])), text(Buffer.from(n, "hex"))]);
  expect(readBlob(blob).bits).toBe(bits);
});

test("arbitrary bytes are refused or read, and never cause an internal error", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 80 }),
      fc.constantFrom("ssh-rsa", "ssh-ed25519", "ssh-dss"),
      async (bytes, type) => {
        const blob = Buffer.concat([text(type), bytes]).toString("base64");
        try {
          await parse(`${type} ${blob}`);
        } catch (error) {
          expect(error).toMatchObject({ name: "ToolError", code: "invalid_document" });
        }
      },
    ),
  );
});

// RFC 8017 §3.1, RFC 8032 §8.9.
test("weak keys are parsed, and their weakness is reported", async () => {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const rsaLine = (exponent: number): string =>
    Buffer.concat([
      text("ssh-rsa"),
      number(Buffer.from([exponent])),
      number(jwkPart(publicKey, "n")),
    ]).toString("base64");
  const small = Buffer.concat([text("ssh-ed25519"), text(Buffer.from([1, ...Array(31).fill(0)]))]);
  const keys = await parse([line, rsaLine(3), rsaLine(1), rsaLine(4), small.toString("base64")].join("\n"));
  const weaknesses = keys.map((key) => (key as Key & { weakness?: string }).weakness);
  expect(weaknesses.slice(0, 2)).toEqual([undefined, undefined]);
  for (const weakness of weaknesses.slice(2, 4)) expect(weakness).toMatch(/^The exponent of the RSA key/);
  expect(weaknesses[4]).toMatch(/small order/);
});

// RFC 5656 §3.1, SEC 1 §3.2.2.1: a public key is a point on its curve.
test.each([
  ["P-256", "nistp256"],
  ["P-384", "nistp384"],
  ["P-521", "nistp521"],
])("a point off the curve %s is refused", async (namedCurve, name) => {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve });
  const [x, y] = [jwkPart(publicKey, "x"), jwkPart(publicKey, "y")];
  const toLine = (last: Buffer): string =>
    Buffer.concat([
      text(`ecdsa-sha2-${name}`),
      text(name),
      text(Buffer.concat([Buffer.from([4]), x, last])),
    ]).toString("base64");
  expect(await parse(toLine(y))).toHaveLength(1);
  const beside = Buffer.from(y);
  beside[beside.length - 1] = (beside.at(-1) as number) ^ 1;
  expect((await refusalOf(parse(toLine(beside)))).message).toContain(`not on the curve ${name}`);
});

test.each([
  ["github.com,192.0.2.1", "", ["github.com", "192.0.2.1"]],
  ["[git.example.com]:2222", "", ["[git.example.com]:2222"]],
  [
    "|1|F1E1KeoE/eEWhi10WpGv4OdiO6Y=|3988QV0VE8wmZL7suNrYQLITLCg=",
    "",
    ["|1|F1E1KeoE/eEWhi10WpGv4OdiO6Y=|3988QV0VE8wmZL7suNrYQLITLCg="],
  ],
  ["*.example.com,!b.example.com", "@cert-authority ", ["*.example.com", "!b.example.com"]],
  ["localhost", "@revoked ", ["localhost"]],
])("reads the hosts %s of a line of known_hosts", async (names, marker, hosts) => {
  const data = `${marker}${names} ${line}\n`;
  expect(await parse(data)).toEqual([
    expect.objectContaining({
      type: "ssh-ed25519",
      options: [],
      hosts,
      ...(marker !== "" && { marker: marker.trim() }),
    }),
  ]);
});
