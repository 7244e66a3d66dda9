import { createCipheriv, createDecipheriv, createHash } from "node:crypto";

/**
 * Secrets at rest. They cannot be hashed, because signing needs them: with a key of the operator's they are stored
 * encrypted by AES-256-GCM, without one in clear.
 */
export interface Seal {
  /** Whether a key is configured. */
  readonly keyed: boolean;
  /** Returns the stored form of a secret. `owner` is the id of its record: it can be opened with no other. */
  close(secret: string, owner: string): string;
  /** Returns the secret of a stored form, sealed or clear. @throws SealError */
  open(kept: string, owner: string): string;
  /** Encrypts bytes and returns them with the name of the key; undefined without a key. */
  closeBytes(bytes: Uint8Array, owner: string): { by: string; sealed: Buffer } | undefined;
  /** Returns the bytes that `closeBytes` was given. @throws SealError. */
  openBytes(sealed: Uint8Array, by: string, owner: string): Buffer;
}

/** A sealed secret cannot be opened; `message` is a sentence for the operator. */
export class SealError extends Error {
  readonly reason: "no_key" | "other_key" | "damaged";

  constructor(reason: SealError["reason"], owner: string) {
    super(`The secret of ${owner} cannot be read: ${words[reason]}`);
    this.name = "SealError";
    this.reason = reason;
  }
}

const words: Record<SealError["reason"], string> = {
  no_key: "it is encrypted, and storage.encryptionKey is not set. Set it to the key that was used.",
  other_key:
    "it is encrypted with another key than storage.encryptionKey. Set the option to the key that was used.",
  damaged: "the stored form is damaged. Restore the record from a backup, or give it a new secret.",
};

const shape = /^sealed:v1:([0-9a-f]{8}):([A-Za-z0-9_-]{38,})$/;
const nonceBytes = 12;
const tagBytes = 16;

/** `key` is 64 hex digits or the base64 of 32 bytes; empty to store secrets in clear. */
export function createSeal(options: { key: string; random: (size: number) => Uint8Array }): Seal {
  const { random } = options;
  const key = toKey(options.key);
  // Distinguishes another key from damage. Eight digits of a hash reveal nothing about 256 random bits.
  const name = key && createHash("sha256").update("penknife seal\0").update(key).digest("hex").slice(0, 8);

  function closeBytes(bytes: Uint8Array, owner: string): { by: string; sealed: Buffer } | undefined {
    if (key === undefined || name === undefined) return undefined;
    const nonce = random(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(owner));
    const text = [cipher.update(bytes), cipher.final()];
    return { by: name, sealed: Buffer.concat([nonce, cipher.getAuthTag(), ...text]) };
  }

  function openBytes(sealed: Uint8Array, by: string, owner: string): Buffer {
    if (key === undefined) throw new SealError("no_key", owner);
    if (by !== name) throw new SealError("other_key", owner);
    try {
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
      return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
    } catch {
      throw new SealError("damaged", owner);
    }
  }

  return {
    keyed: key !== undefined,
    close(secret, owner) {
      const closed = closeBytes(Buffer.from(secret), owner);
      return closed === undefined ? secret : `sealed:v1:${closed.by}:${closed.sealed.toString("base64url")}`;
    },
    open(kept, owner) {
      if (!isSealed(kept)) return kept;
      const [, by, data] = shape.exec(kept) ?? [];
      if (by === undefined || data === undefined) throw new SealError("damaged", owner);
      return openBytes(Buffer.from(data, "base64url"), by, owner).toString("utf8");
    },
    closeBytes,
    openBytes,
  };
}

/** Reports whether a stored secret is encrypted. */
export const isSealed = (kept: string): boolean => kept.startsWith("sealed:");

function toKey(text: string): Buffer | undefined {
  if (text === "") return undefined;
  return Buffer.from(text, /^[0-9A-Fa-f]{64}$/.test(text) ? "hex" : "base64");
}
