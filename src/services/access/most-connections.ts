export interface ConnectionSettings {
  readonly server: { readonly maxConcurrency: number };
  readonly graphql: { readonly enabled: boolean; readonly maxConnections: number };
}

/**
 * As many as a server accepts. Connections that wait are cheap; those beyond four for every request that may run are an
 * attack. Those that stay for live results take no room from them.
 */
export const mostConnections = (settings: ConnectionSettings): number =>
  Math.max(1024, settings.server.maxConcurrency * 4) + liveConnections(settings);

export const liveConnections = ({ graphql }: ConnectionSettings): number =>
  graphql.enabled ? graphql.maxConnections : 0;
