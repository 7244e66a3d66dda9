/** Returns why an RSA key of this modulus and exponent gives no security; undefined if it does. */
export function findNumbersWeakness(modulus: bigint, exponent: bigint): string | undefined {
  if (exponent < 3n || exponent % 2n === 0n || exponent >= modulus)
    return `The exponent of the RSA key is ${shorten(exponent)}; it must be odd and at least 3, or anybody can sign for the key (RFC 8017 §3.1).`;
  const factor = smallPrimes.find((prime) => modulus % BigInt(prime) === 0n);
  if (factor !== undefined)
    return `The modulus of the RSA key is divisible by ${factor}: it is not the product of two large primes (RFC 8017 §3.1).`;
  return isRoca(modulus)
    ? "The RSA key was made by a faulty library (ROCA, CVE-2017-15361): its private half can be computed. Replace it."
    : undefined;
}

/**
 * Odd primes up to 167: those of the ROCA fingerprint, and the smallest factors that a modulus must not have.
 */
const smallPrimes = [2, ...Array.from({ length: 83 }, (_, index) => 2 * index + 3).filter(isPrime)];

function isPrime(value: number): boolean {
  for (let factor = 3; factor * factor <= value; factor += 2) if (value % factor === 0) return false;
  return true;
}

/**
 * Nemec et al., "The Return of Coppersmith's Attack" (2017), §2.3: primes of the faulty library are k·M +
 * (65537^a mod M), so that modulo each small prime the modulus is a power of 65537. Other keys match with a
 * probability of at most 2^-27.
 */
const isRoca = (modulus: bigint): boolean =>
  smallPrimes.every((prime) => prime === 2 || isPower(Number(modulus % BigInt(prime)), prime));

function isPower(value: number, prime: number): boolean {
  let power = 1;
  for (let count = 0; count < prime; count++) {
    if (power === value) return true;
    power = (power * 65_537) % prime;
  }
  return false;
}

/**
 * The points of order 1, 2, 4 and 8 on edwards25519, and two of their non-canonical encodings, without sign.
 */
const smallOrders: ReadonlySet<string> = new Set([
  "00".repeat(32),
  `01${"00".repeat(31)}`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  `ec${"ff".repeat(30)}7f`,
  `ed${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(30)}7f`,
]);

/**
 * Returns why an Ed25519 key gives no security: its point has so few multiples that valid signatures can be
 * found by trial.
 */
export function findPointWeakness(point: Buffer): string | undefined {
  const unsigned = Buffer.from(point);
  unsigned[31] = (unsigned[31] ?? 0) & 0x7f;
  return smallOrders.has(unsigned.toString("hex"))
    ? "The Ed25519 key is a point of small order: anybody can sign for it (RFC 8032 §8.9)."
    : undefined;
}

/** p and b of y² = x³ - 3x + b (FIPS 186-4, appendix D.1.2). */
const curves: Readonly<Record<string, readonly [bigint, bigint]>> = {
  nistp256: [
    2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
    0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
  ],
  nistp384: [
    2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
  ],
  nistp521: [
    2n ** 521n - 1n,
    0x0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00n,
  ],
};

/** Reports whether the two halves of some bytes are the coordinates of a point on a curve. */
export function isOnCurve(point: Buffer, curve: string): boolean {
  const [p, b] = curves[curve] ?? [1n, 0n];
  const half = point.length / 2;
  const [x, y] = [toNumber(point.subarray(0, half)), toNumber(point.subarray(half))];
  return x < p && y < p && (y * y - (x * x * x - 3n * x + b)) % p === 0n;
}

export const toNumber = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString("hex") || "0"}`);

const shorten = (value: bigint): string => {
  const text = value.toString();
  return text.length > 20 ? `${text.slice(0, 20)}…` : text;
};
