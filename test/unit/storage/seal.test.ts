import { expect, test } from "vitest";
import { createSeal, isSealed, SealError, type Seal } from "../../../src/storage/seal.ts";
import { createRandom } from "../services/setup.ts";

const hex = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const random = createRandom();
const sealOf = (key: string): Seal => createSeal({ key, random });

function reasonOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof SealError) return error.reason;
    throw error;
  }
  return "opened";
}

test("without a key a secret is stored in clear", () => {
  const seal = sealOf("");
  expect(seal.keyed).toBe(false);
  expect(seal.close(secret, "we_1")).toBe(secret);
  expect(seal.open(secret, "we_1")).toBe(secret);
});

test("with a key it is encrypted, no two results are equal, and it can be decrypted", () => {
  const seal = sealOf(hex);
  const kept = seal.close(secret, "we_1");
  expect(isSealed(kept)).toBe(true);
  expect(kept).toMatch(/^sealed:v1:[0-9a-f]{8}:[\w-]+$/);
  expect(kept).not.toContain("MfKQ");
  expect(seal.close(secret, "we_1")).not.toBe(kept);
  expect(seal.open(kept, "we_1")).toBe(secret);
  for (const text of ["", "é ☃ 😀", "x".repeat(10_000)])
    expect(seal.open(seal.close(text, "a"), "a")).toBe(text);
});

test("the key may be hex of either case, base64 or base64url: the same bytes are the same key", () => {
  const base64 = Buffer.from(hex, "hex").toString("base64");
  const kept = sealOf(hex).close(secret, "we_1");
  for (const key of [
    hex.toUpperCase(),
    base64,
    base64.replaceAll("+", "-").replaceAll("/", "_").replace("=", ""),
  ])
    expect(sealOf(key).open(kept, "we_1")).toBe(secret);
});

test("a secret stored in clear before there was a key can still be read", () => {
  expect(sealOf(hex).open(secret, "we_1")).toBe(secret);
});

test("it cannot be decrypted without the key, with another key, or in another record", () => {
  const kept = sealOf(hex).close(secret, "we_1");
  expect(reasonOf(() => sealOf("").open(kept, "we_1"))).toBe("no_key");
  expect(reasonOf(() => sealOf("f".repeat(64)).open(kept, "we_1"))).toBe("other_key");
  expect(reasonOf(() => sealOf(hex).open(kept, "we_2"))).toBe("damaged");
});

test("a change of any character is detected, and the message quotes nothing of the secret", () => {
  const seal = sealOf(hex);
  const kept = seal.close(secret, "we_1");
  const end = kept.lastIndexOf(":");
  for (let at = end + 1; at < kept.length - 1; at++) {
    const other = kept[at] === "A" ? "B" : "A";
    const changed = kept.slice(0, at) + other + kept.slice(at + 1);
    expect(
      reasonOf(() => seal.open(changed, "we_1")),
      changed,
    ).toBe("damaged");
  }
  for (const text of ["sealed:", "sealed:v2:x", "sealed:v1:zz:", kept.slice(0, end + 20)]) {
    expect(
      reasonOf(() => seal.open(text, "we_1")),
      text,
    ).toBe("damaged");
  }
  expect(new SealError("damaged", "we_1").message).toBe(
    "The secret of we_1 cannot be read: the stored form is damaged. Restore the record from a backup, or give it a new secret.",
  );
});
