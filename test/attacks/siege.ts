import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { atHand, readCorpusFile } from "../corpora/corpus.ts";
import { call, callTool, penknife, type Server } from "../e2e/harness.ts";
import type { Attack, Target } from "./attacks.ts";
import { watch, type Watched } from "./watch.ts";

export interface SiegeReport extends Watched {
  /** Calls of the main job that were answered rightly, and the others, with what came. */
  right: number;
  wrong: string[];
  /** Attacks during which the main job got no answer. */
  stalled: string[];
  /** The result of each attack: highest MiB, longest silence in milliseconds, and duration in seconds. */
  course: { name: string; mib: number; silentMs: number; seconds: number }[];
}

/** Bytes that the server may hold with its children, with the settings that it comes with. */
export const mostBytes = 900 * 1_048_576;

/**
 * Runs the main job (a key formats real documents, one call after the other) and, beside it, every attack, one after
 * the other. Ends with the last attack, or when the server has ended.
 */
export async function besiege(
  target: Target,
  jobKey: string,
  attacks: readonly Attack[],
): Promise<SiegeReport> {
  const { server } = target;
  const watching = await watch(server.child.pid ?? 0, server.url);
  const wrong: string[] = [];
  const stalled: string[] = [];
  const course: SiegeReport["course"] = [];
  let right = 0;
  let going = true;
  const job = (async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const documents = documentsOfTheJob();
    for (let count = 0; going && isUp(server); count++) {
      const { text, expected } = documents[count % documents.length] as Document;
      const outcome = await format(server, jobKey, text, agent).catch((error: unknown) => String(error));
      if (outcome === expected) right++;
      else wrong.push(outcome.slice(0, 300));
      await sleep(10);
    }
    agent.destroy();
  })();
  for (const [index, attack] of attacks.entries()) {
    const before = right;
    const began = performance.now();
    watching.reset();
    await attack.run(target, `127.${10 + Math.floor(index / 200)}.${1 + (index % 200)}.7`);
    const { highestBytes, longestSilenceMs } = watching.now();
    course.push({
      name: attack.name,
      mib: Math.round(highestBytes / 1_048_576),
      silentMs: Math.round(longestSilenceMs),
      seconds: Math.round((performance.now() - began) / 1000),
    });
    if (!isUp(server)) {
      wrong.push(`the server ended during: ${attack.name}`);
      break;
    }
    // A call that began before the attack may end in it, and one that began in it after it.
    if (right === before) await sleep(1000);
    if (right === before) stalled.push(attack.name);
  }
  going = false;
  await job;
  return { ...(await watching.stop()), right, wrong, stalled, course };
}

const isUp = ({ child }: Server): boolean => child.exitCode === null && child.signalCode === null;

interface Document {
  text: string;
  expected: string;
}

/** Documents that people have; where they are not at hand, some of the same size and make. */
function documentsOfTheJob(): Document[] {
  const texts = atHand
    ? ["github_events", "twitter"].map((name) => readCorpusFile(`benchmark/${name}.json`).toString())
    : [60, 600].map((count) =>
        JSON.stringify(
          Array.from({ length: count }, (_, id) => ({
            id,
            text: `Nachricht ${id} 一 😀`,
            tags: ["a", "b"],
            at: null,
          })),
        ),
      );
  return ['{"a":[1,2,{"b":null}]}', ...texts].map((text) => ({
    text,
    expected: JSON.stringify(JSON.parse(text), null, 2),
  }));
}

async function format(server: Server, key: string, data: string, agent: Agent): Promise<string> {
  const reply = await callTool(server, "json-formatter", { data }, key, { agent });
  const { result } = JSON.parse(reply.text) as { result?: string };
  return result ?? `${reply.status} ${reply.text}`;
}

/** An inbox that anybody may post to; its address. */
export async function createInbox(folder: string, server: Server, key: string): Promise<string> {
  const { status, stdout, stderr } = await penknife(
    folder,
    ["inbox", "create", "--name", "siege", "--json"],
    {
      env: { PENKNIFE_URL: server.url, PENKNIFE_KEY: key },
    },
  );
  if (status !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { url: string }).url;
}

/** Requests of this hour that an account was counted for. */
export async function usedBy(server: Server, key: string): Promise<number> {
  const { headers } = await call(`${server.url}/api/tools/uuid-generator`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: "{}",
  });
  return Number(headers["x-ratelimit-limit"]) - Number(headers["x-ratelimit-remaining"]);
}
