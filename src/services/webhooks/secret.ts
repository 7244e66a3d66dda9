/** `whsec_` and 32 random bytes in base64, as Standard Webhooks has it. */
export const createSecret = (random: (size: number) => Uint8Array): string =>
  `whsec_${Buffer.from(random(32)).toString("base64")}`;

/** What may be shown of a secret, to tell it from another. */
export const maskSecret = (secret: string): string => `whsec_…${secret.slice(-4)}`;
