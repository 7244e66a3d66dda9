import type { Installation } from "../../../../src/surfaces/graphql/deps.ts";

/** A node with an option, a secret and a finding. */
export const installation: Installation = {
  options: async () => [
    { option: "server.port", value: 8787, origin: "default" },
    { option: "auth.secret", value: "********", origin: "environment" },
  ],
  nodes: async () => [
    { id: "0a", version: "1.2.3", seenAt: 0, isThis: true },
    { id: "0b", version: null, seenAt: 1000, isThis: false },
  ],
  examine: async () => [
    { check: "storage.lock", level: "ok", message: "The store is not in use.", action: "" },
    { check: "port", level: "warning", message: "The port is in use.", action: "Choose another." },
  ],
};
