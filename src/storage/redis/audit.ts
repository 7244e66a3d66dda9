import { type RedisClient, tagOf } from "./client.ts";
import { type AuditHead, genesis, noHash, parseAuditLine } from "../audit/line.ts";
import type { AuditStore } from "../audit/audit-store.ts";
import type { Guard } from "./guard.ts";
import type { Marker } from "./marker.ts";
import { createScript, evenFull } from "./script.ts";

const waitMs = 2000;
const linesAtOnce = 500;

/**
 * Adds a line unless another process was faster. KEYS[1] is the list, KEYS[2] its head; ARGV is line, old head, new
 * head.
 */
const script = `if (redis.call('get', KEYS[2]) or '') ~= ARGV[2] then return 0 end
redis.call('rpush', KEYS[1], ARGV[1])
redis.call('set', KEYS[2], ARGV[3])
return 1
`;
const append = createScript(script);
const appendWhereFull = createScript(`${evenFull}${script}`);

export interface RedisAuditOptions {
  client: RedisClient;
  guard: Guard;
  marker: Marker;
  prefix: string;
  /** Reports whether lines are to be written even if Redis is full. */
  isUrgent(): boolean;
}

/** One list, shared by all nodes and commands. */
export function createRedisAudit({ client, guard, marker, prefix, isUrgent }: RedisAuditOptions): AuditStore {
  const list = prefix + tagOf(client)("audit");
  const headKey = `${list}:head`;

  async function storedHead(): Promise<AuditHead | undefined> {
    const text = await guard.run("read", waitMs, () => client.get(headKey));
    const [, seq, hash = ""] = /^(\d{1,15}) ([0-9a-f]{64})$/.exec(text ?? "") ?? [];
    return seq === undefined ? undefined : { seq: Number(seq), hash };
  }

  return {
    storedHead,
    async head() {
      const noted = await storedHead();
      if (noted !== undefined) return noted;
      // After FLUSHALL, no new trail may begin as if there had been none.
      await marker.check(undefined, list);
      const last = await guard.run("read", waitMs, () => client.lindex(list, -1));
      if (last === null) return genesis;
      // Lines may have been lost with the head. A hash that matches nothing leaves a permanent, visible break.
      return { seq: parseAuditLine(last)?.seq ?? 0, hash: noHash };
    },
    async add(line, head, next) {
      const run = isUrgent() ? appendWhereFull : append;
      const words = [line, toText(head), toText(next)];
      const done = await guard.run("write", waitMs, () => run(client, [list, headKey], words));
      return done === 1;
    },
    async *lines() {
      for (let at = 0; ; at += linesAtOnce) {
        const some = await guard.run("read", waitMs, () =>
          client.lrangeBuffer(list, at, at + linesAtOnce - 1),
        );
        for (const [index, bytes] of some.entries()) {
          yield { bytes, place: `${list}:${at + index + 1}`, torn: false };
        }
        if (some.length < linesAtOnce) return;
      }
    },
  };
}

/** Returns the stored form of a head; empty for a head that was never stored. */
const toText = ({ seq, hash }: AuditHead): string => (hash === noHash ? "" : `${seq} ${hash}`);
