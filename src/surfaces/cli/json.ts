import type { Host } from "./host.ts";

/** An answer for scripts: two spaces, a line end. */
export const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const writeJson = (host: Host, value: unknown): Promise<void> => host.stdout.write(toJson(value));
