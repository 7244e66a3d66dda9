import { ToolError } from "../catalog/errors.ts";
import type { Config } from "../options.ts";
import type { Pool } from "../services/workers/pool.ts";
import { describeFault } from "../surfaces/http/fault.ts";
import type { Http } from "../surfaces/http/http.ts";
import { type Listener, openListener } from "../surfaces/http/listen.ts";
import type { AppDeps } from "./deps.ts";
import type { Services } from "./services.ts";
import type { Telemetry } from "./telemetry.ts";

export interface Listening extends Pick<Listener, "url" | "close"> {
  /** Reads the certificate again. The sender of the signal gets no answer, so the outcome is logged. */
  reload(): Promise<void>;
}

export interface ListeningDeps {
  http: Http;
  pool: Pool;
  telemetry: Telemetry;
  services: Services;
}

/** Milliseconds from listening to starting the first worker and opening the operator's socket. */
const settleMs = 100;

/** Opens the port of a server, and starts and stops the work beside its requests. */
export function createListening(
  { server }: Config,
  { startTrimming }: AppDeps,
  { http, pool, telemetry, services }: ListeningDeps,
): { listen(): Promise<Listening>; stop(): Promise<void> } {
  const { log, watchdog, connectionLimits } = telemetry;
  let settling: NodeJS.Timeout | undefined;
  let trimming: Promise<(() => void) | undefined> | undefined;

  /** Starts the parts that the first answers do not need and would otherwise wait for. */
  function settle(url: string): void {
    trimming = startTrimming?.().catch(logUntrimmed);
    pool.start();
    services.start(url);
  }

  function logUntrimmed(error: unknown): undefined {
    log.event("warn", "free memory is not returned to the system", { error: describeFault(error) });
  }

  async function reload(listener: Listener): Promise<void> {
    try {
      log.event("info", await listener.reload());
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      log.event("error", `The old certificate stays in use. ${error.message}`);
    }
    log.flush();
  }

  return {
    async listen() {
      const { host, port, basePath, tlsCert, tlsKey } = server;
      const listener = await openListener(http, {
        host,
        port,
        basePath,
        ...(tlsCert !== "" && { tls: { cert: tlsCert, key: tlsKey } }),
        connectionLimits,
      });
      watchdog.start();
      settling = setTimeout(settle, settleMs, listener.url).unref();
      return { ...listener, reload: () => reload(listener) };
    },
    async stop() {
      clearTimeout(settling);
      (await trimming)?.();
      watchdog.close();
      await services.stop();
      await pool.close();
    },
  };
}
