/** Returns `whsec_` and 32 random bytes in base64, the form of Standard Webhooks. */
export const createSecret = (random: (size: number) => Uint8Array): string =>
  `whsec_${Buffer.from(random(32)).toString("base64")}`;

/** Masks a secret; the rest distinguishes it from others. */
export const maskSecret = (secret: string): string => `whsec_…${secret.slice(-4)}`;
