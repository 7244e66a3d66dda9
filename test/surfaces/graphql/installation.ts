import type { Installation } from "../../../src/surfaces/graphql/deps.ts";

/** A node with an option, a secret and a finding. */
export const installation: Installation = {
  options: async () => [
    { option: "server.port", value: 8787, origin: "default" },
    { option: "auth.secret", value: "********", origin: "environment" },
  ],
  examine: async () => [
    { check: "storage.lock", level: "ok", message: "The store is not in use.", action: "" },
    { check: "port", level: "warning", message: "The port is in use.", action: "Choose another." },
  ],
};
