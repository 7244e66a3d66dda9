import { afterAll, beforeAll, expect, it } from "vitest";
import { propertyRuns } from "../../support/cases.ts";
import { type RedisServer, startRedis } from "../storage/redis-server.ts";
import { type Fleet, startFleet, tally } from "./fleet.ts";
import { emptyFolder, type Server } from "./harness.ts";
import {
  type Actor,
  createCommandActor,
  createNodeActor,
  createVerdicts,
  type Outcome,
  signInAt,
  unanswered,
  type Verdicts,
} from "./races.ts";

// Two nodes and the command line change the same records at once. Nothing that was answered may be undone, and nothing that
// was revoked may be accepted, whoever is faster.

let redis: RedisServer;
let fleet: Fleet;
const folder = emptyFolder();

/** Races of each of seven kinds. */
const rounds = propertyRuns(4);
const atOnce = 4;
/** Every n-th race is run against a command, which takes most of a second of CPU time. */
const commandEvery = 4;
/** An operator has to have signed in within ten minutes, for at most a thousand requests. */
const racesPerSession = 40;

beforeAll(async () => {
  redis = await startRedis();
  fleet = await startFleet(redis.url, 2, { PENKNIFE_WEBHOOKS_ALLOW_CIDRS: "127.0.0.0/8" });
});

afterAll(async () => {
  await fleet?.close();
  await redis?.close();
  folder.remove();
});

interface Round extends Verdicts {
  /** An address that no other race uses. */
  localAddress: string;
  /** A name that no other race uses. */
  name: string;
  one: Actor;
  two: Actor;
  /** The second node, or commands. */
  other: Actor;
  outcomes: string[];
}

const node = (at: number): Server => fleet.servers[at] as Server;
let races = 0;

/** Runs races and returns what went wrong. */
async function race(what: string, run: (round: Round) => Promise<string[]>): Promise<string[]> {
  const wrong: string[] = [];
  const outcomes: string[] = [];
  let actors: Actor[] = [];
  for (let round = 0; round < rounds; round += atOnce) {
    if (round % racesPerSession === 0) {
      const tokens = await Promise.all([0, 1].map((at) => signInAt(fleet, node(at), addressOf(races))));
      actors = tokens.map((token, at) => createNodeActor(node(at), token));
    }
    const numbers = Array.from({ length: Math.min(atOnce, rounds - round) }, (_, index) => round + index);
    const found = await Promise.all(
      numbers.map(async (number) => {
        const byCommand = number % commandEvery === commandEvery - 1;
        const [one, two] = (number % 2 === 0 ? actors : actors.toReversed()) as [Actor, Actor];
        const other = byCommand ? createCommandActor(fleet, folder.path) : two;
        for (let left = 10; ; left--) {
          const name = `r${++races}`;
          const localAddress = addressOf(races);
          const verdicts = createVerdicts(fleet, localAddress);
          try {
            return await run({ ...verdicts, localAddress, name, one, two, other, outcomes });
          } catch (error) {
            // On a busy machine Redis may answer too late.
            if (!(error instanceof Error) || error.message !== unanswered || left === 0) throw error;
          }
        }
      }),
    );
    wrong.push(...found.flat());
  }
  process.stdout.write(`${what}: ${rounds} races, ${JSON.stringify(tally(outcomes))}\n`);
  return wrong;
}

const addressOf = (number: number): string => `127.0.${10 + (number >> 7)}.${1 + (number & 127)}`;

/** The record as it is stored. */
const recordOf = async (kind: string, id: string): Promise<Record<string, unknown>> =>
  JSON.parse(String(await redis.command("GET", `penknife:${kind}:${id}`))) as Record<string, unknown>;

/** Requires a change that prepares a race. */
async function made(change: Promise<Outcome>): Promise<Required<Outcome>> {
  const { code, key = "", id = "" } = await change;
  if (code !== "ok") throw new Error(code);
  return { code, key, id };
}

/** The changes in the words of their outcomes, such as `ok+ok`. @throws Error if one is unknown. */
function pair(...outcomes: Outcome[]): string {
  if (outcomes.some(({ code }) => code === unanswered)) throw new Error(unanswered);
  return outcomes.map(({ code }) => (/^\w+$/.test(code) ? code : "refused")).join("+");
}

const isOk = ({ code }: Outcome): boolean => code === "ok";

it("a key that is revoked while it is rotated with a grace stays revoked", async () => {
  const run = async ({ name, one, other, acceptedBy, outcomes }: Round): Promise<string[]> => {
    await made(one.create(name, "pro"));
    const { key, id } = await made(one.issue(name));
    const [rotated, revoked] = await Promise.all([one.rotate(id), other.revoke(id)]);
    outcomes.push(`${pair(revoked)}, rotation ${rotated.code}`);
    if (!isOk(revoked)) return [`${name}: the revocation was refused: ${revoked.code}`];
    return (await acceptedBy(key)).map((at) => `${name}: node ${at} accepts the revoked key`);
  };
  expect(await race("rotate, revoke", run)).toEqual([]);
});

it("no key lives on when all are revoked while they are rotated", async () => {
  const run = async ({ name, one, two, other, acceptedBy, outcomes }: Round): Promise<string[]> => {
    await made(one.create(name, "team"));
    const keys = [];
    for (let n = 0; n < 4; n++) keys.push(await made(one.issue(name)));
    const rotating = keys.map(({ id }, at) => (at % 2 === 0 ? one : two).rotate(id));
    const [revoked, ...rotated] = await Promise.all([other.revokeAll(name), ...rotating]);
    outcomes.push(`${pair(revoked)}, ${rotated.filter(isOk).length} of 4 rotated`);
    if (!isOk(revoked)) return [`${name}: the revocation was refused: ${revoked.code}`];
    const all = [...keys, ...rotated.filter(isOk)].map(({ key = "" }) => key);
    const found = await Promise.all(all.map(acceptedBy));
    return found.flatMap((nodes, at) => nodes.map((which) => `${name}: node ${which} accepts key ${at}`));
  };
  expect(await race("revoke all, rotate", run)).toEqual([]);
});

it("a name that is given again inherits no key from its former owner", async () => {
  const run = async (round: Round): Promise<string[]> => {
    const { name, localAddress, one, other, acceptedBy, refusedBy, outcomes } = round;
    await made(one.create(name, "pro"));
    const signIn = (at: number): Promise<string> => signInAt(fleet, node(at), localAddress, name);
    const tokens = [await signIn(0), await signIn(1)];
    const owners = tokens.map((token, at) => createNodeActor(node(at), token));
    const renew = async (): Promise<Outcome> => {
      const removed = await other.remove(name);
      return isOk(removed) ? one.create(name, "pro") : removed;
    };
    const issuing = Array.from({ length: 6 }, (_, at) => (owners[at % 2] as Actor).issue(name));
    const [renewed, ...issued] = await Promise.all([renew(), ...issuing]);
    const late = await Promise.all(owners.map((owner) => owner.issue(name)));
    outcomes.push(`${pair(renewed)}, ${issued.filter(isOk).length} issued`);
    if (!isOk(renewed)) return [`${name}: not given again: ${renewed.code}`];
    const old = [...issued, ...late].filter(isOk).map(({ key = "" }) => key);
    const accepted = (await Promise.all(old.map(acceptedBy))).flat();
    const fresh = await made(one.issue(name));
    return [
      ...accepted.map((at) => `${name}: node ${at} accepts a key of the former owner`),
      ...(await refusedBy(fresh.key)).map((at) => `${name}: node ${at} refuses the new owner's key`),
    ];
  };
  expect(await race("delete, issue, create", run)).toEqual([]);
});

it("of two rotations of one key one succeeds", async () => {
  const run = async ({ name, one, other, refusedBy, outcomes }: Round): Promise<string[]> => {
    await made(one.create(name, "pro"));
    const { id } = await made(one.issue(name));
    const both = await Promise.all([one.rotate(id), other.rotate(id)]);
    outcomes.push(pair(...both));
    const winners = both.filter(isOk);
    if (winners.length !== 1) return [`${name}: ${pair(...both)}`];
    const { rotatedTo } = await recordOf("keys", id.slice("key_".length));
    if (rotatedTo !== winners[0]?.id) return [`${name}: rotated to ${String(rotatedTo)}`];
    return (await refusedBy(winners[0]?.key ?? "")).map((at) => `${name}: node ${at} refuses the new key`);
  };
  expect(await race("rotate, rotate", run)).toEqual([]);
});

it("an endpoint that is paused while its secret is rotated is paused and has a new secret", async () => {
  const run = async ({ name, one, other, outcomes }: Round): Promise<string[]> => {
    await made(one.create(name, "pro"));
    const { id } = await made(one.addEndpoint(name));
    const both = await Promise.all([one.pause(id), other.rotateSecret(id)]);
    outcomes.push(pair(...both));
    const { state, previousSecret } = await recordOf("endpoints", id.slice("we_".length));
    const right = both.every(isOk) && state === "paused" && typeof previousSecret === "string";
    return right ? [] : [`${name}: ${pair(...both)}, ${String(state)}`];
  };
  expect(await race("pause, rotate a secret", run)).toEqual([]);
});

it("a name is given once", async () => {
  const run = async ({ name, one, other, outcomes }: Round): Promise<string[]> => {
    const both = await Promise.all([one.create(name, "pro"), other.create(name, "team")]);
    outcomes.push(pair(...both));
    const { plan } = await recordOf("accounts", name);
    const right = both.filter(isOk).length === 1 && plan === (both[0] && isOk(both[0]) ? "pro" : "team");
    return right ? [] : [`${name}: ${pair(...both)}, ${String(plan)}`];
  };
  expect(await race("create, create", run)).toEqual([]);
});

it("a plan that is changed while the account is disabled is changed, and the account disabled", async () => {
  const run = async ({ name, one, other, outcomes }: Round): Promise<string[]> => {
    await made(one.create(name, "pro"));
    const both = await Promise.all([one.upgrade(name), other.disable(name)]);
    outcomes.push(pair(...both));
    const { plan, disabled } = await recordOf("accounts", name);
    const right = both.every(isOk) && plan === "team" && disabled === true;
    return right ? [] : [`${name}: ${pair(...both)}, ${String(plan)}, ${String(disabled)}`];
  };
  expect(await race("change the plan, disable", run)).toEqual([]);
});
