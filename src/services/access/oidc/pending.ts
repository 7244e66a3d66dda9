import { createHmac } from "node:crypto";
import { toOwnPage } from "../../../lib/own-page.ts";

/**
 * One sign-in that a browser has started. All its parts come from one secret, which only the browser's cookie holds: the
 * server keeps nothing, so that any node can finish it.
 */
export interface PendingSignIn {
  readonly secret: string;
  /** Epoch seconds. */
  readonly startedAt: number;
  /** The right that the person chose; undefined if none was. */
  readonly choice: Choice | undefined;
  /** The page to which the person returns, as `toOwnPage` has it; undefined for the first page of what they signed in to. */
  readonly to: string | undefined;
}

/** A right of a person: the operator's role or an account. */
export type Choice = { operator: true } | { account: string };

/** The time that a person may take to sign in at the provider. */
export const pendingSeconds = 600;
/** Sign-ins that one browser may have started at the same time, in several tabs. */
const maxPending = 4;

export const createPendingSignIn = (
  random: (count: number) => Uint8Array,
  now: number,
  choice: Choice | undefined,
  to?: string,
): PendingSignIn => ({
  secret: Buffer.from(random(32)).toString("base64url"),
  startedAt: Math.floor(now / 1000),
  choice,
  to,
});

/** The values of a sign-in that go to the provider, or into its requests; none of them reveals another, or the secret. */
export const toParameters = ({
  secret,
}: PendingSignIn): { state: string; nonce: string; verifier: string } => ({
  state: derive(secret, "state"),
  nonce: derive(secret, "nonce"),
  verifier: derive(secret, "code_verifier"),
});

const derive = (secret: string, purpose: string): string =>
  createHmac("sha256", secret).update(purpose).digest("base64url");

/** Writes sign-ins as the value of a cookie; of too many, the oldest are dropped. */
export const toCookieValue = (pending: readonly PendingSignIn[]): string =>
  pending
    .slice(-maxPending)
    .map(({ secret, startedAt, choice, to }) =>
      [secret, startedAt.toString(36), toText(choice), ...(to === undefined ? [] : [to])].join("."),
    )
    .join("~");

/** Reads the sign-ins of a cookie that are still valid. What cannot be read is ignored. */
export function parseCookieValue(value: string, now: number): PendingSignIn[] {
  if (value.length > maxValue) return [];
  return value.split("~").flatMap((text) => {
    const [, secret, started = "", choice = "", to = null] = form.exec(text) ?? [];
    const startedAt = Number.parseInt(started, 36);
    const age = now / 1000 - startedAt;
    if (secret === undefined || age >= pendingSeconds || age < -pendingSeconds) return [];
    return [{ secret, startedAt, choice: fromText(choice), to: toOwnPage(to) }];
  });
}

const form = /^([\w-]{43})\.([0-9a-z]{1,9})\.(operator|account:[a-z0-9-]{1,63}|)(?:\.([a-z\d/-]+))?$/;
const maxValue = 4096;

function toText(choice: Choice | undefined): string {
  if (choice === undefined) return "";
  return "operator" in choice ? "operator" : `account:${choice.account}`;
}

function fromText(text: string): Choice | undefined {
  if (text === "") return undefined;
  return text === "operator" ? { operator: true } : { account: text.slice("account:".length) };
}
