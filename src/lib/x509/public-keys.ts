import { DocumentFault } from "../fault.ts";
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { readKey } from "../read-key.ts";
import { toCertificate } from "./certificates.ts";
import { childOf, readDer } from "./der.ts";
import { publicKeyOf } from "./describe.ts";
import type { PemBlock } from "./pem.ts";

/** The content of a block, in words. */
export type Kind = "certificate" | "certificate request" | "private key" | "public key";

export function kindOf({ label }: PemBlock): Kind | undefined {
  if (/^(?:X509 )?CERTIFICATE$/.test(label)) return "certificate";
  if (/^(?:NEW )?CERTIFICATE REQUEST$/.test(label)) return "certificate request";
  if (/^(?:[A-Z]+ )?PRIVATE KEY$/.test(label)) return "private key";
  return /^(?:RSA )?PUBLIC KEY$/.test(label) ? "public key" : undefined;
}

/**
 * Returns the public key that a block contains or belongs to.
 * @throws DocumentFault, which reveals nothing about a private key.
 */
export function readPublicKey(block: PemBlock, kind: Kind): KeyObject {
  try {
    if (kind === "private key") return readKey(() => createPublicKey(createPrivateKey(block.text)));
    if (kind === "public key") return readKey(() => createPublicKey(block.text));
    if (kind === "certificate request") return readKey(() => fromRequest(block.der));
  } catch {
    throw new DocumentFault(`The ${kind} is invalid.${advice(block)}`, { offset: block.offset });
  }
  const key = publicKeyOf(toCertificate(block.der, block.offset));
  if (key === undefined)
    throw new DocumentFault("The type of the certificate's key is not supported.", {
      offset: block.offset,
    });
  return key;
}

/** RFC 2986 §4: the third field of the request's information is the key, as a SubjectPublicKeyInfo. */
const fromRequest = (der: Buffer): KeyObject =>
  createPublicKey({
    key: childOf(childOf(readDer(der), 0, 0x30), 2, 0x30).raw,
    format: "der",
    type: "spki",
  });

function advice({ label, text }: PemBlock): string {
  if (label.startsWith("OPENSSH")) return " Convert it first: ssh-keygen -p -m PEM -f <file>.";
  return /ENCRYPTED/.test(text) ? " It is encrypted; decrypt it first: openssl pkey -in <file>." : "";
}
