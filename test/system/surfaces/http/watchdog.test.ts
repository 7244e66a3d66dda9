import { z } from "zod";
import { expect, test } from "vitest";
import { defineTool } from "../../../../src/catalog/tool.ts";
import { openHarness } from "../harness.ts";

test("a tool that blocks the event loop appears in the log and in the metrics, with its request and caller", async () => {
  const holding = defineTool({
    slug: "loop-holder",
    title: "Loop holder",
    summary: "Hold the event loop.",
    version: "1.0.0",
    input: z.object({ data: z.string().describe("Anything") }),
    examples: [{ input: { data: "" }, result: "" }],
    run() {
      const end = performance.now() + 600;
      while (performance.now() < end);
      return "";
    },
  });
  const app = await openHarness({ tools: [holding] });
  const authorization = `Bearer ${await app.key("pro", "holder")}`;
  const headers = { authorization, "x-request-id": "the-one" };
  expect((await app.post("/api/tools/loop-holder", '{"data":""}', headers)).status).toBe(200);
  const found = (): unknown =>
    app.logged({ stalls: true }).find(({ message }) => message === "event loop stalled");
  await expect.poll(found, { timeout: 60_000 }).toBeDefined();
  expect(found()).toMatchObject({ during: "loop-holder", requestId: "the-one", account: "holder" });
  const metrics = await (await app.get("/metrics")).text();
  expect(metrics).toContain('penknife_event_loop_stall_seconds_count{during="loop-holder"} 1');
  await app.close();
});
