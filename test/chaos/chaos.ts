import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { watch } from "../attacks/watch.ts";
import { codeOf, type Fleet, startFleet, tally } from "../system/e2e/fleet.ts";
import { startRedis, type RedisServer } from "../system/storage/redis-server.ts";
import { besiege } from "./besiegers.ts";
import { watchDebts } from "./debts.ts";
import { createOperator } from "./operator.ts";

export interface ChaosOptions {
  seconds: number;
  /** The same seed gives the same faults in the same order; their effects depend on the machine. */
  seed: number;
  /** Whether the attacks of `test/attacks` run beside the load. */
  hostile?: boolean;
  /** The pause of each of the eight callers after an answer, in milliseconds; 10 unless given. */
  pauseMs?: number;
  say(line: string): void;
}

export interface ChaosReport {
  faults: Record<string, number>;
  /** Outcomes of requests with live keys; `broken` if the server was killed meanwhile, `nobody` if it was gone before. */
  answers: Record<string, number>;
  longestMs: number;
  issued: number;
  /** Issued keys, never revoked, that do not work. */
  lost: number;
  revoked: number;
  /** The code of each answer to a revoked key that is no refusal of it. */
  acceptedAs: string[];
  /** Answered requests, and those that Redis counted. */
  answered: number;
  counted: number;
  /**
   * The deviation of the count that docs/redis.md allows: requests that a killed server had let through alone and not yet reported to Redis,
   * and requests whose count was under way when Redis or their server failed.
   */
  mayBeMissing: number;
  mayBeTwice: number;
  /** Bytes and open files of the server that is never killed, after each third of the run. */
  memory: number[];
  handles: number[];
  /** Servers that ended without being killed. */
  ends: number;
  attacks: number;
  /** The most memory of that server and its children, in MiB. */
  highestMiB: number;
  /** The longest silence of /healthz of that server, in milliseconds. */
  longestSilenceMs: number;
}

const nodes = 4;
const lanes = 8;

/** Loads four servers, and at random kills servers, kills Redis and freezes it. Server 0 is spared, because it is measured. */
export async function chaos({
  seconds,
  seed,
  hostile = false,
  pauseMs = 10,
  say,
}: ChaosOptions): Promise<ChaosReport> {
  // Each write is on the disk before its answer, so that a killed Redis loses nothing and every loss is penknife's.
  const redis = await startRedis(["--appendonly", "yes", "--appendfsync", "always"]);
  const fleet = await startFleet(redis.url, nodes, { PENKNIFE_LOG_LEVEL: "warn" });
  try {
    return await run(redis, fleet, { seconds, seed, hostile, pauseMs, say });
  } finally {
    await fleet.close();
    await redis.close();
  }
}

async function run(
  redis: RedisServer,
  fleet: Fleet,
  { seconds, seed, hostile, pauseMs, say }: Required<ChaosOptions>,
): Promise<ChaosReport> {
  const random = createRandom(seed);
  const operator = await createOperator(fleet, random);
  const codes: string[] = [];
  const answeredBy = Array.from({ length: nodes }, () => 0);
  const faults: Record<string, number> = {};
  let [going, longestMs, mayBeMissing, mayBeTwice] = [true, 0, 0, 0];
  // Metrics cost more than requests, of which there are few between two looks.
  const debts = watchDebts(fleet, Math.max(150, 5 * pauseMs));

  const load = Array.from({ length: lanes }, async (_, lane) => {
    // A generator of its own for each lane: the number of requests does not change the faults.
    const dice = createRandom(seed + 1 + lane);
    while (going) {
      const at = Math.floor(dice() * nodes);
      const began = performance.now();
      const key = operator.anyKey(dice);
      const code = await fleet.ask(at, key).then(codeOf, toBroken);
      const isAnswer = code !== "broken" && code !== "nobody";
      if (isAnswer) longestMs = Math.max(longestMs, performance.now() - began);
      if (code === "ok") answeredBy[at] = (answeredBy[at] ?? 0) + 1;
      // A key that was revoked while the request was on its way: the request may be counted although it is refused.
      if (code === "revoked_key" && !operator.isLive(key)) mayBeTwice += 1;
      else codes.push(code);
      await sleep(isAnswer ? pauseMs : 20);
    }
  });
  const watching = await watch(fleet.servers[0]?.child.pid ?? 0, fleet.servers[0]?.url ?? "");
  const besiegers = hostile ? await besiege(fleet, random) : undefined;
  const administration = (async () => {
    while (going) await operator.act();
  })();

  async function away(name: string, begin: () => unknown, ms: number, end: () => unknown): Promise<void> {
    note(name);
    // Requests and debts that are on their way may be counted although their answer is lost.
    mayBeTwice += lanes + debts.inAll();
    await begin();
    await sleep(ms);
    await end();
  }

  async function killNode(back?: Promise<unknown>): Promise<void> {
    note("kill -9 of a server");
    const at = 1 + Math.floor(random() * (nodes - 1));
    const [answeredBefore, debt] = [answeredBy[at] ?? 0, await debts.of(at)];
    // Requests that it answers from here on may be missing from the count too.
    await fleet.replace(at, "SIGKILL", back ?? sleep(200 + random() * 600), () => {
      mayBeMissing += debt + (answeredBy[at] ?? 0) - answeredBefore;
      debts.forget(at);
    });
  }

  const note = (name: string): void => {
    faults[name] = (faults[name] ?? 0) + 1;
    say(`${name}; ${codes.length} requests so far`);
  };
  const killRedis = (ms: number) =>
    away(
      "kill -9 of Redis",
      () => redis.kill(),
      ms,
      () => redis.start(),
    );
  const freezeRedis = (ms: number) =>
    away(
      "freeze of Redis",
      () => redis.freeze(),
      ms,
      () => redis.thaw(),
    );

  const memory: number[] = [];
  const handles: number[] = [];
  const began = performance.now();
  for (let third = 1; third <= 3; third++) {
    do {
      await sleep(500 + random() * 1500);
      const [dice, ms] = [random(), 200 + random() * 2500];
      if (dice < 0.35) await killNode();
      else if (dice < 0.6) await killRedis(ms);
      else if (dice < 0.85) await freezeRedis(ms);
      else {
        const both = freezeRedis(ms);
        await sleep(100);
        await Promise.all([both, killNode(both)]);
      }
    } while (performance.now() - began < (seconds * 1000 * third) / 3);
    // Memory that stays; short peaks are in `highestMiB`.
    await besiegers?.pause();
    memory.push(memoryOf(fleet));
    handles.push(handlesOf(fleet));
    besiegers?.goOn();
  }
  going = false;
  await Promise.all([...load, administration, besiegers?.stop(), debts.stop()]);
  const { highestBytes, longestSilenceMs: silence } = await watching.stop();
  await allBack(fleet);
  const answered = answeredBy.reduce((sum, count) => sum + count, 0);
  const broken = tally(codes)["broken"] ?? 0;
  const usage = await fleet.operate((call) =>
    call<{ items: [{ used: number }] }>("usage", { account: operator.account }),
  );
  return {
    faults,
    answers: tally(codes),
    longestMs: Math.round(longestMs),
    answered,
    counted: usage.items[0].used,
    mayBeMissing,
    mayBeTwice: mayBeTwice + broken,
    ...(await operator.verify()),
    memory,
    handles,
    ends: fleet.ends(),
    attacks: besiegers?.count() ?? 0,
    highestMiB: Math.round(highestBytes / 1_048_576),
    longestSilenceMs: Math.round(silence),
  };
}

/** A refused connection reached no server, so that it cannot have been counted. */
const toBroken = (error: NodeJS.ErrnoException): string =>
  error.code === "ECONNREFUSED" ? "nobody" : "broken";

/** Waits until every server has found Redis again and reported what it let through alone. */
async function allBack(fleet: Fleet): Promise<void> {
  for (let at = 0; at < nodes; at++) {
    const deadline = performance.now() + 20_000;
    while ((await fleet.metric(at, "penknife_store_up")) !== 1) {
      if (performance.now() > deadline) throw new Error(`server ${at} does not find Redis again`);
      await sleep(100);
    }
  }
  // Longer than the half second for which a server uses what it has read, so that a busy machine has time for it.
  await sleep(1500);
}

function memoryOf({ servers: [first] }: Fleet): number {
  const status = readFileSync(`/proc/${first?.child.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

const handlesOf = ({ servers: [first] }: Fleet): number => readdirSync(`/proc/${first?.child.pid}/fd`).length;

/** mulberry32 */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
