import { type ErrorCode, ToolError } from "../../catalog/errors.ts";
import type { Runtime } from "../../runtime.ts";
import { createAddressCounter } from "../../storage/address-counter.ts";
import { bucketOf } from "./client-ip.ts";

/** Counts refused credentials by client address. */
export interface Refusals {
  /** Returns the 429 for an address with too many refusals; check it before a credential that might be guessed. */
  blocked(ip: string): ToolError | undefined;
  /**
   * Counts the look-up of a key or a session that this process does not know yet, and returns the 429 for an address with
   * too many refusals and, in this second, too many look-ups.
   */
  barred(ip: string): ToolError | undefined;
  /** Counts a refusal and returns the error to throw, which is a 429 beyond the cap. */
  refuse(code: ErrorCode, message: string, ip: string): ToolError;
}

/**
 * Stands for no address: a credential that is checked again gets its real refusal, and the refusal is not counted.
 * Otherwise an address at its cap would get a 429 here, and could keep a connection open that a revocation has to
 * close.
 */
export const letIn = "";

/** Refusals an address may cause in a minute; beyond it every credential that does not work is answered 429. */
const maxFailures = 30;
const failureCapacity = 50_000;

/** @param ipv6Factor `limits.ipv6Factor`; its default unless given. */
export function createRefusals(runtime: Runtime, ipv6Factor?: number): Refusals {
  const failures = createAddressCounter({
    seconds: 60,
    capacity: failureCapacity,
    runtime,
    ipv6Factor,
  });
  const lookups = createLookups(runtime.monotonic);

  function refuse(code: ErrorCode, message: string, ip: string): ToolError {
    const error = blocked(ip);
    if (error !== undefined) return error;
    if (ip !== letIn) void failures.consume(bucketOf(ip), 1);
    return new ToolError(code, message);
  }

  function blocked(ip: string): ToolError | undefined {
    if (ip === letIn) return undefined;
    const count = failures.use(bucketOf(ip), maxFailures);
    if (count === undefined || count.used < maxFailures) return undefined;
    const retryAfter = Math.max(1, Math.ceil((count.resetAt - runtime.now()) / 1_000));
    return new ToolError(
      "quota_exceeded",
      `Too many refused credentials came from this address. Try again in ${retryAfter} seconds, with a key that works.`,
      { limit: maxFailures, retryAfter },
    );
  }

  function barred(ip: string): ToolError | undefined {
    if (blocked(ip) === undefined || lookups.take(bucketOf(ip))) return undefined;
    return new ToolError(
      "quota_exceeded",
      "Too many refused credentials came from this address, and this one is not known here yet. Try again in a second.",
      { limit: maxFailures, retryAfter: 1 },
    );
  }

  return { blocked, barred, refuse };
}

/**
 * Bounds the look-ups that addresses with too many refusals cause, so that a credential that works passes on a node that does
 * not know it yet, and invented ones with a right checksum cost the store little.
 */
interface Lookups {
  /** Counts a look-up by the bucket of an address, and reports whether it may be made. */
  take(bucket: string): boolean;
}

/** Look-ups a second of one address, and of all together on this node. */
const maxOfAddress = 100;
const maxOfAll = 1000;

/** @param monotonic Milliseconds of a clock that never goes back. */
function createLookups(monotonic: () => number): Lookups {
  let second = 0;
  let all = 0;
  const counts = new Map<string, number>();
  return {
    take(bucket) {
      const current = Math.floor(monotonic() / 1000);
      if (current !== second) {
        second = current;
        all = 0;
        counts.clear();
      }
      const count = counts.get(bucket) ?? 0;
      if (all >= maxOfAll || count >= maxOfAddress) return false;
      all += 1;
      counts.set(bucket, count + 1);
      return true;
    },
  };
}
