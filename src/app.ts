import type { AppDeps } from "./app/deps.ts";
import { createListening, type Listening } from "./app/listening.ts";
import { openRunner } from "./app/runner.ts";
import { openServices } from "./app/services.ts";
import { addSurfaces } from "./app/surfaces.ts";
import { openTelemetry } from "./app/telemetry.ts";
import type { Catalog } from "./catalog/catalog.ts";
import { openCatalog } from "./catalog/open.ts";
import type { Runner } from "./catalog/run.ts";
import type { Config } from "./options.ts";
import { unwritten } from "./storage/server-store.ts";
import { tools } from "./tools/index.ts";

/** A server that does not listen yet. */
export interface App {
  readonly catalog: Catalog;
  readonly runner: Runner;
  /** Whether an account exists. */
  hasAccounts(): boolean;
  listen(): Promise<Listening>;
  /** Writes pending data and closes the store. Close the listener first. */
  close(): Promise<void>;
  /** Logs an uncaught error with its stack. */
  logFault(error: unknown): void;
}

/**
 * Composes the server: the catalogue of tools, the services over the store, the runner between the two, and the surfaces.
 * @throws ToolError for an invalid configuration, StoreError if the store cannot be opened.
 */
export async function createApp(config: Config, deps: AppDeps): Promise<App> {
  const { disabled } = config.tools;
  const catalog = await openCatalog(tools, { disabled, pipelines: deps.pipelines, readPipelines: true });
  const telemetry = openTelemetry(config, deps, {
    pool: () => pool.stats(),
    store: () => services.store.status?.(),
    disk: () => services.store.room?.(),
    unwritten: () => unwritten(services.store),
    inFlight: () => http.inFlight(),
    webhooks: () => services.webhooks.status(),
    connections: { graphql: () => graphql?.connections() ?? 0 },
  });
  const services = await openServices(config, deps, telemetry);
  const { runner, pool } = openRunner(config, deps, { catalog, telemetry, services });
  const { http, graphql } = addSurfaces(config, deps, { catalog, runner, telemetry, services });
  const listening = createListening(config, deps, { http, pool, telemetry, services });

  return {
    catalog,
    runner,
    hasAccounts: () => services.store.hadAccounts,
    listen: listening.listen,
    async close() {
      await listening.stop();
      await services.close();
      telemetry.log.flush();
    },
    logFault: telemetry.logFault,
  };
}
