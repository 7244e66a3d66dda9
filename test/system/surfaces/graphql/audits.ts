/** The audits of GraphQL over HTTP from the package graphql-http, each a rule of the specification with its level. */
export interface Audit {
  id: string;
  name: string;
  fn(): Promise<{ status: "ok" | "notice" | "warn" | "error"; reason?: string }>;
}

// The test run installs its package; the type check has no types for it.
const file = new URL("clients/node_modules/graphql-http/lib/index.mjs", import.meta.url).href;
const { serverAudits } = (await import(file)) as {
  serverAudits(options: { url: string; fetchFn: typeof fetch }): Audit[];
};

/** GET runs nothing without the header or a credential. */
export const withPreflight: typeof fetch = (url, init) =>
  fetch(url, {
    ...init,
    headers: { ...Object.fromEntries(new Headers(init?.headers)), "graphql-require-preflight": "1" },
  });

export const auditsOf = (url: string, fetchFn = fetch): Audit[] => serverAudits({ url, fetchFn });
