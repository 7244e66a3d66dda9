import type { DoctorDeps, DoctorSettings, Finding } from "../../../../src/services/admin/doctor/finding.ts";

type Changes = { [Section in keyof DoctorSettings]?: Partial<DoctorSettings[Section]> };

/** The defaults of the configuration, with changes. */
export function settings(changes: Changes = {}): DoctorSettings {
  return {
    server: {
      host: "127.0.0.1",
      port: 0,
      allowedHosts: [],
      basePath: "",
      trustedProxies: [],
      proxyHeader: "X-Forwarded-For",
      maxConcurrency: 512,
      tlsCert: "",
      tlsKey: "",
      ...changes.server,
    },
    auth: { anonymous: true, ...changes.auth },
    storage: {
      driver: "memory",
      path: "",
      url: "",
      prefix: "penknife:",
      encryptionKey: "",
      ...changes.storage,
    },
    graphql: { enabled: true, maxConnections: 1024, ...changes.graphql },
    tools: { memoryMb: 256, workers: 0, ...changes.tools },
    metrics: { enabled: true, token: "", ...changes.metrics },
  };
}

export const deps = (changes: Partial<DoctorDeps> = {}): DoctorDeps => ({
  now: Date.now,
  monotonic: () => performance.now(),
  processors: 2,
  totalMemory: 8 * 1024 ** 3,
  readSystem: () => undefined,
  ...changes,
});

/** `level check`, for those that are not ok. */
export const troubles = (findings: readonly Finding[]): string[] =>
  findings.filter(({ level }) => level !== "ok").map(({ level, check }) => `${level} ${check}`);

export const told = (findings: readonly Finding[], check: string): string =>
  findings
    .filter((finding) => finding.check === check)
    .map(({ message, action }) => `${message} ${action}`)
    .join("\n");
