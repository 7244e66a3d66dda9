import { commit, version } from "../build-info.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Runner } from "../catalog/run.ts";
import type { Config } from "../options.ts";
import { createClientIp } from "../services/access/client-ip.ts";
import { addGraphql, type GraphqlSurface } from "../surfaces/graphql/graphql.ts";
import { createHttp, type Http } from "../surfaces/http/http.ts";
import { addMcp } from "../surfaces/mcp/mcp.ts";
import { addRest } from "../surfaces/rest/rest.ts";
import { addSession, addWeb } from "../surfaces/web/web.ts";
import type { AppDeps } from "./deps.ts";
import type { Services } from "./services.ts";
import type { Telemetry } from "./telemetry.ts";

export interface SurfacesDeps {
  catalog: Catalog;
  runner: Runner;
  telemetry: Telemetry;
  services: Services;
}

/** Creates the HTTP shell and adds the surfaces that the configuration enables. */
export function addSurfaces(
  config: Config,
  { installation }: AppDeps,
  { catalog, runner, telemetry, services }: SurfacesDeps,
): { http: Http; graphql: GraphqlSurface | undefined } {
  const { log, metrics, loop, watchdog, inTurn } = telemetry;
  const { auth, inbox, check, nodes, operator } = services;
  const { admin, live } = operator;
  const deps = {
    options: {
      ...config.server,
      ...config.limits,
      version,
      inlineBytes: config.tools.inlineBytes,
      anonymous: config.auth.anonymous,
      metrics: config.metrics,
      publicUrl: config.web.publicUrl,
    },
    catalog,
    runner,
    ...auth,
    clientIp: createClientIp(config.server),
    ...(inbox !== undefined && { inbox }),
    check,
    log,
    metrics,
    runtime: inTurn,
    loop,
    watchdog,
  };
  const http = createHttp(deps);
  const web = config.web.enabled && addWeb(http, { ...config, ...deps, commit });
  if (web) addSession(http, { ...config, ...deps, pages: web, admin });
  addRest(http, {
    ...deps,
    ...(config.graphql.enabled && { graphql: config.graphql }),
    ...(config.mcp.enabled && { mcp: config.mcp }),
    ...(web && { showProblem: web.problem, showApi: web.api }),
  });
  const graphql = config.graphql.enabled
    ? addGraphql(http, {
        ...deps,
        graphql: config.graphql,
        admin,
        live,
        installation: { ...installation, nodes },
      })
    : undefined;
  if (config.mcp.enabled) addMcp(http, { ...deps, mcp: config.mcp });
  return { http, graphql };
}
