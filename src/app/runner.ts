import type { Catalog } from "../catalog/catalog.ts";
import { createRunner, type Runner } from "../catalog/run.ts";
import type { Config } from "../options.ts";
import { createAdmit } from "../services/access/admit.ts";
import { callerBucket } from "../services/access/buckets.ts";
import { createLimits } from "../services/access/limits.ts";
import { createLazyPool } from "../services/workers/lazy-pool.ts";
import { autoSize } from "../services/workers/limits.ts";
import type { Pool } from "../services/workers/pool.ts";
import { describeFault } from "../surfaces/http/fault.ts";
import type { AppDeps } from "./deps.ts";
import type { Services } from "./services.ts";
import type { Telemetry } from "./telemetry.ts";

/** Creates the runner of tools, over the limits of callers and the pool of workers, and records each run. */
export function openRunner(
  config: Config,
  { processors }: AppDeps,
  { catalog, telemetry, services }: { catalog: Catalog; telemetry: Telemetry; services: Services },
): { runner: Runner; pool: Pool } {
  const { log, metrics, loop, watchdog, runtime, inTurn, reading } = telemetry;
  const { store, usage, operator } = services;
  const poolSize = config.tools.workers || autoSize(processors);
  const pool = createLazyPool(poolSize, async () => {
    const { openPool } = await import("../services/workers/open-pool.ts");
    return openPool(poolSize, config.tools, { log, metrics, runtime, describe: describeFault });
  });
  const limits = createLimits({ store, runtime: inTurn });
  const runner = createRunner({
    catalog,
    admit: createAdmit({ limits, metrics, usage, noteLimit: operator.noteLimit, runtime }),
    isolate: (call, signal, principal, place) => pool.run(call, place, signal, callerBucket(principal)),
    context: { now: runtime.now, random: runtime.random },
    inlineBytes: config.tools.inlineBytes,
    maxDocumentBytes: config.server.bodyLimit,
    runtime: reading,
    loop,
    onInline: watchdog.enter,
    observe(result) {
      metrics.run(result);
      usage.run(result);
    },
  });
  return { runner, pool };
}
