import type { Sending } from "../../../operations/context.ts";
import type { AttemptView } from "../../../operations/webhooks/delivery.ts";
import { defineLeaf, jsonArg } from "../command.ts";
import type { Host } from "../host.ts";
import { writeJson } from "../json.ts";
import { visible } from "../visible.ts";
import { type AdminLink, callerOf, openAdmin } from "./connect.ts";

/** The result of a test, as printed. */
interface Outcome {
  event: string;
  delivery: string;
  delivered: boolean;
  attempt: AttemptView | null;
}

const patienceMs = 10_000;
const pauseMs = 100;

export const testCommand = defineLeaf({
  description:
    "Send a test event to an endpoint and wait up to 10 seconds for the result; exit status 1 if it is not delivered.",
  args: { id: { type: "positional", required: true, description: "The endpoint (we_…)" }, ...jsonArg },
  async run(args, host) {
    const link = await openAdmin("webhooks.test", args, host);
    try {
      const { sending, ...test } = await link.call("webhooks.test", { id: args.id }, callerOf(host));
      const outcome: Outcome =
        sending === "nowhere"
          ? { ...test, delivered: false, attempt: null }
          : { ...test, ...(await waitFor(test.delivery, link, host)) };
      if (args.json === true) await writeJson(host, outcome);
      else await (outcome.delivered ? host.stdout : host.stderr).write(`${describe(outcome, sending)}\n`);
      return outcome.delivered ? 0 : 1;
    } finally {
      await link.close();
    }
  },
});

/** Waits for the first attempt only: a retry comes much later. */
async function waitFor(
  id: string,
  link: AdminLink,
  host: Host,
): Promise<Pick<Outcome, "delivered" | "attempt">> {
  const deadline = host.runtime.monotonic() + patienceMs;
  for (;;) {
    const { state, log } = await link.call("webhooks.delivery", { id }, callerOf(host));
    const attempt = log.at(-1) ?? null;
    if (state !== "waiting" || attempt !== null || host.runtime.monotonic() > deadline) {
      return { delivered: state === "delivered", attempt };
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function describe({ delivery, delivered, attempt }: Outcome, sending: Sending): string {
  const look = `penknife admin webhooks deliveries ${delivery}`;
  if (attempt === null) {
    if (sending === "nowhere") return `No server runs on this store. The test waits until one does: ${look}`;
    // With a shared Redis it is unknown whether any server runs.
    const why = `${sending === "elsewhere" ? "no server runs, or " : ""}slow receivers keep every delivery busy (webhooks.concurrency)`;
    return `Nothing was sent within ${patienceMs / 1000} seconds: ${why}. The test waits. ${look}`;
  }
  const { status, error, durationMs, excerpt } = attempt;
  const answer = status === null ? (error ?? "no answer") : `status ${status}`;
  if (delivered) return `Delivered in ${durationMs} ms: ${answer}. ${delivery}`;
  const said = excerpt === null ? "" : ` Response: "${visible(excerpt.slice(0, 200))}".`;
  return `Not delivered: ${answer} after ${durationMs} ms.${said} ${look}`;
}
