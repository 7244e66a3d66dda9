/** The options that decide how many connections a server needs. */
export interface ConnectionSettings {
  readonly server: { readonly maxConcurrency: number };
  readonly graphql: { readonly enabled: boolean; readonly maxConnections: number };
}

/**
 * Returns how many connections a server accepts: four for each concurrent request, since waiting connections are cheap
 * but more than that is an attack, and those for live results in addition.
 */
export const maxConnectionsOf = (settings: ConnectionSettings): number =>
  Math.max(1024, settings.server.maxConcurrency * 4) + liveConnections(settings);

export const liveConnections = ({ graphql }: ConnectionSettings): number =>
  graphql.enabled ? graphql.maxConnections : 0;
