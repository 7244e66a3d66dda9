import { expect, it, onTestFinished } from "vitest";
import { attacks, bombsOverPost, inputsAtOnce } from "../../attacks/attacks.ts";
import { queryBombs } from "../../attacks/documents.ts";
import { languageInputs } from "../../attacks/language-inputs.ts";
import { besiege, createInbox, maxBytes, usedBy } from "../../attacks/siege.ts";
import { limitLikeContainer } from "./container-limits.ts";
import { cases, isLong } from "../../support/cases.ts";
import { callTool, emptyFolder, issueKey, serve } from "./harness.ts";

// `mem_limit` and `pids_limit` of config/compose.yaml, where this machine lets a process set them.
const container = limitLikeContainer(1024 ** 3, 128);

/** Query bombs, and worst inputs of other tools, that `make test` sends at once; `make test-long` sends all. */
const maxBombs = 4;

let killed: number | undefined;

it("the main job continues, correct and counted, during every attack", async () => {
  const folder = emptyFolder();
  const server = await serve(folder.path, { PENKNIFE_LOG_LEVEL: "warn" }, [], undefined, container?.program);
  onTestFinished(async () => {
    await server.stop();
    container?.remove();
    folder.remove();
  });
  const job = await issueKey(folder.path, "job", "team", ["--limit", "100000000"]);
  const key = await issueKey(folder.path, "attacker", "team", ["--limit", "100000000"]);
  const inbox = await createInbox(folder.path, server, key);
  const some = bombsOverPost("some query bombs over POST /graphql", cases(queryBombs, maxBombs));
  const inputs = inputsAtOnce(
    "some of the worst inputs of queries, editors and merges",
    cases(languageInputs, maxBombs),
  );
  const chosen = isLong() ? attacks : [some, inputs, ...attacks.filter(({ long }) => long !== true)];
  // The main job rests 40 ms after each call.
  const report = await besiege({ server, key, inbox }, job, chosen, 40);
  const { highestBytes, longestSilenceMs, right, course } = report;
  const lines = course.map(
    ({ name, mib, silentMs, seconds }) => `${mib} MiB, ${silentMs} ms, ${seconds} s: ${name}\n`,
  );
  process.stdout.write(
    `siege: ${right} calls, ${Math.round(highestBytes / 1_048_576)} MiB, /healthz silent for ${Math.round(longestSilenceMs)} ms at most\n${lines.join("")}`,
  );
  expect(report.wrong).toEqual([]);
  expect(report.stalled).toEqual([]);
  expect(report.failed).toBe(0);
  expect(highestBytes).toBeLessThan(maxBytes);
  killed = container?.kills();
  // Refusing every call for want of a worker would survive the attacks too.
  const query = { data: "[7]", query: "[0]", language: "jmespath" };
  await expect.poll(async () => (await callTool(server, "json-query", query, key)).status).toBe(200);
  // Each call of the job, and this request itself.
  expect(await usedBy(server, job)).toBe(right + 1);
  expect(await server.stop()).toBe(0);
}, 600_000);

it.skipIf(container === undefined)(
  "the kernel ends nothing in a container of 1 GiB and 128 processes",
  () => {
    expect(killed).toBe(0);
  },
);
