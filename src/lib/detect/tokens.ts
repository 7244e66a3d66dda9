import { parseChecksums } from "../checksum.ts";
import { accepts, type Guess, shareOf } from "./guess.ts";
import { splitJws } from "../jws/split.ts";
import type { Sample } from "./sample.ts";
import { readSshLines } from "../ssh/lines.ts";
import { decodeBody, readPem } from "../x509/pem.ts";
import { isCertificate } from "../x509/shape.ts";

const maxTokens = 20;

/** A JSON Web Token alone, wrapped into lines, or within other text. */
export function detectJwt({ text, line }: Sample): Guess[] {
  const folded = /^[\w.\-=\s]+$/.test(text) && text.length < 32_768 ? text.replaceAll(/\s+/g, "") : "";
  if (folded.startsWith("eyJ") && accepts(() => splitJws(folded)))
    return [
      {
        ...jwt(0.98, "It has the three parts of a JSON Web Token, and its header is JSON."),
        ...(folded !== text && { kind: "jwt-wrapped" }),
      },
    ];
  if (folded.startsWith("eyJ") && folded.split(".").length === 5)
    return [jwt(0.85, "It has the five parts of an encrypted token (JWE).")];
  if (
    /^(?:bearer\s+|authorization:\s*bearer\s+)?eyJ[\w-]+\.[\w-]*\.?[\w-]*$/i.test(line) &&
    line.includes(".") &&
    !findToken(text)
  )
    return [jwt(0.85, "It looks like a JSON Web Token, but is incomplete.")];
  const found = findToken(text);
  if (found === undefined) return [];
  const alone = /^(?:authorization:\s*)?bearer\s/i.test(text);
  const reason = "It contains a JSON Web Token.";
  return [{ ...jwt(alone ? 0.98 : 0.955, reason), part: found }];
}

const jwt = (confidence: number, reason: string): Guess => ({ kind: "jwt", confidence, reason });

function findToken(text: string): { index: number; length: number } | undefined {
  let tries = 0;
  for (const { 0: token, index } of text.matchAll(
    /(?<![\w-])eyJ[\w-]{8,8000}\.[\w-]{2,16000}\.[\w-]{0,4000}/g,
  )) {
    if (accepts(() => splitJws(token))) return { index, length: token.length };
    if (++tries === maxTokens) return undefined;
  }
  return undefined;
}

/** PEM, also with \n in the place of line ends, and certificates in DER as base64. */
export function detectPem({ text }: Sample): Guess[] {
  const index = text.indexOf("-----BEGIN ");
  if (index < 0) return detectDer(text);
  const escaped = text.includes("\\n") && !text.slice(index).includes("\n");
  const plain = escaped ? text.replaceAll("\\r", "").replaceAll("\\n", "\n").replaceAll(/^"|"$/g, "") : text;
  const labels = [...plain.matchAll(/-----BEGIN ([A-Z\d #-]{1,64})-----/g)].map(([, label = ""]) => label);
  const has = (pattern: RegExp): boolean => labels.some((label) => pattern.test(label));
  const whole = accepts(() => readPem(Buffer.from(plain)));
  const confidence = whole ? 0.97 : 0.85;
  const reason = `It has ${labels.length === 1 ? `a block ${labels[0]}` : `${labels.length} blocks`} of PEM${whole ? "" : ", cut off or damaged"}.`;
  const add = (kind: Guess["kind"]): Guess[] => [{ kind, confidence, reason }];
  const options = { language: "json", ...(text.startsWith('"') && { quotes: true }) };
  if (escaped) return [{ kind: "pem-escaped", confidence, reason, options, decoded: Buffer.from(plain) }];
  if (has(/OPENSSH PRIVATE/)) return add("ssh-private-key");
  if (has(/PRIVATE KEY/))
    return has(/^(?:X509 |TRUSTED )?CERTIFICATE$/) ? add("certificate-and-key") : add("private-key");
  if (has(/REQUEST$/)) return add("certificate-request");
  if (has(/CERTIFICATE$/)) return add("certificate");
  if (has(/PUBLIC KEY$/)) return add(has(/SSH2/) ? "ssh-key" : "public-key");
  return has(/^PGP/) ? add("secret") : add("public-key");
}

function detectDer(text: string): Guess[] {
  if (!/^MI[A-Za-z\d+/\s]+={0,2}$/.test(text.slice(0, 4096)) || text.length < 100) return [];
  const body = decodeBody(text);
  if (body === undefined || !isCertificate(body)) return [];
  return [
    { kind: "certificate-base64", confidence: 0.97, reason: "It is the base64 of a certificate in DER." },
  ];
}

export function detectSsh({ text, lines }: Sample): Guess[] {
  // Without its type, a key is base64 of its blob, which begins with the length of the type.
  if (/^AAAA[\w+/=]{40,}$/.test(text) && accepts(() => readSshLines(text)))
    return [{ kind: "ssh-key", confidence: 0.97, reason: "It is the base64 of a public key of SSH." }];
  if (
    !/\b(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-\S+|sk-\S+@openssh\.com) +AAAA|---- BEGIN SSH2 PUBLIC KEY|^\|1\|/.test(
      text,
    )
  )
    return [];
  // Lines of known_hosts have a host before the key.
  const valid = accepts(() => readSshLines(text));
  const confidence = valid ? 0.97 : lines.some((line) => /^\S+ (?:ssh-|ecdsa-)/.test(line)) ? 0.9 : 0.8;
  return [
    {
      kind: "ssh-key",
      confidence,
      reason: valid ? "Its lines are public keys of SSH." : "It contains a public key of SSH.",
    },
  ];
}

/** Digests alone, and files of them. */
export function detectDigest({ text, line, lines }: Sample): Guess[] {
  const isSum = (each: string): boolean =>
    /^\\?[\da-fA-F]{32,128}[ \t]+[ *]?\S|^[A-Z][A-Z\d-]{2,11} ?\(.{1,500}\) ?= [\da-fA-F]{32,128}$|^[A-Z\d-]+\([^)]*\)= [\da-f]{32,}/.test(
      each,
    ) && accepts(() => parseChecksums(each));
  if (shareOf(lines, isSum) > 0.7)
    return [
      {
        kind: "checksums",
        confidence: 0.97,
        reason: "Each line has a digest and the name of a file, as sha256sum writes them.",
      },
    ];
  const isSri = (each: string): boolean => /^sha(?:256|384|512)-[A-Za-z\d+/]{43,86}={0,2}$/.test(each);
  if (text.length < 600 && shareOf(text.split(/\s+/), isSri) === 1)
    return [{ kind: "integrity", confidence: 0.97, reason: "It is the value of an integrity attribute." }];
  if (/^'sha(?:256|384|512)-[\w+/]{43,86}={0,2}'$/.test(line))
    return [
      { kind: "integrity", confidence: 0.95, reason: "It is a hash source of a Content-Security-Policy." },
    ];
  if (
    shareOf(lines, (each) => /^[\da-fA-F]+$/.test(each) && digestLengths.has(each.length)) === 1 &&
    /[a-f]/i.test(text)
  ) {
    // Bytes of text are below 0x80, and those of a digest are not.
    const words = /^(?:0[9ad]|[2-7][\da-f]){8,}$/i.test(lines[0] as string);
    const reason = `It has the length of a digest: ${(lines[0] as string).length * 4} bits.`;
    return [{ kind: "digest", confidence: words ? 0.7 : 0.93, reason }];
  }
  if (/^(?:sha(?:1|2?-?(?:224|256|384|512))|md5|blake2[bs]\w*|sha3-\d{3})[:=]\s*\S{20,128}$/i.test(line))
    return [
      { kind: "checksums", confidence: 0.93, reason: "It is a digest after the name of its function." },
    ];
  if (/^[A-Za-z\d+/]{43}=$/.test(line) && /[a-z]/.test(line) && /[A-Z]/.test(line))
    return [
      {
        kind: "digest-base64",
        confidence: 0.83,
        reason: "It is the base64 of 32 bytes, as a SHA-256 digest is.",
      },
    ];
  return [];
}

const digestLengths = new Set([32, 40, 56, 64, 96, 128]);
