import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Report } from "../../../src/catalog/report.ts";
import tool from "../../../src/tools/lint/compose-validator.ts";
import { atHand, corpora } from "../../unit/corpora/corpus.ts";
import { runTool } from "../../unit/tools/run-tool.ts";

interface File {
  id: string;
  kind: string;
  text: string;
}

/** Why each warning is one, and no error. */
const reasons: Record<string, string> = {
  "no-image":
    "the service is a part of one in another file, with which it is given to docker compose -f; alone, Compose refuses it",
  "obsolete-version": "the specification: version is for backward compatibility, and Compose warns of it",
  "undefined-network": "the same: another file has the networks; alone, Compose refuses it",
  "undefined-service": "the same: another file has the service; alone, Compose refuses it",
};

/** Every finding in the Compose files of public projects, with its line; none is an error. */
const findings: Record<string, string[]> = {
  "compose/Lissy93/networking-toolbox:docker-compose.yml": ["obsolete-version 1"],
  "compose/authelia/authelia:internal/suites/BypassAll/compose.yml": ["no-image 3"],
  "compose/authelia/authelia:internal/suites/CLI/compose.yml": ["no-image 3"],
  "compose/authelia/authelia:internal/suites/LDAP/compose.yml": ["no-image 3"],
  "compose/authelia/authelia:internal/suites/MariaDB/compose.yml": ["no-image 3"],
  "compose/authelia/authelia:internal/suites/MySQL/compose.yml": ["no-image 3"],
  "compose/authelia/authelia:internal/suites/NetworkACL/compose.yml": ["no-image 3"],
  "compose/authelia/authelia:internal/suites/Postgres/compose.yml": ["no-image 3"],
  "compose/authelia/authelia:internal/suites/Traefik/compose.yml": ["no-image 3"],
  "compose/authelia/authelia:internal/suites/example/compose/authelia/compose.backend.dev.yml": [
    "undefined-network 32",
  ],
  "compose/authelia/authelia:internal/suites/example/compose/httpbin/compose.yml": ["undefined-network 10"],
  "compose/authelia/authelia:internal/suites/example/compose/k3d/compose.yml": ["undefined-network 16"],
  "compose/authelia/authelia:internal/suites/example/compose/nginx/cli/compose.yml": ["undefined-network 9"],
  "compose/authelia/authelia:internal/suites/example/compose/redis-sentinel/compose.yml": [
    "undefined-network 21",
    "undefined-network 40",
    "undefined-network 57",
    "undefined-network 83",
    "undefined-network 99",
    "undefined-network 115",
    "no-image 119",
  ],
  "compose/authelia/authelia:internal/suites/example/compose/samba/compose.yml": ["undefined-network 24"],
  "compose/authelia/authelia:internal/suites/example/compose/squid/compose.yml": [
    "undefined-network 11",
    "undefined-network 21",
  ],
  "compose/dexidp/dex:docker-compose.test.yaml": ["obsolete-version 1"],
  "compose/dexidp/dex:docker-compose.yaml": ["obsolete-version 2"],
  "compose/docker/awesome-compose:pihole-cloudflared-DoH/compose.yaml": ["obsolete-version 1"],
  "yaml-comments/open-telemetry/opentelemetry-demo:compose.profiling.yaml": ["undefined-service 29"],
  "yaml-comments/svix/svix-webhooks:bridge/testing-docker-compose.yml": ["obsolete-version 1"],
};

describe.skipIf(!atHand)("Compose files of public projects", () => {
  const lines = atHand ? readFileSync(new URL("real-files.jsonl", corpora), "utf8").split("\n") : [];
  const files = lines
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as File)
    .filter(({ kind, text }) => kind === "compose" || (kind === "yaml-comments" && /^services:/m.test(text)));

  test("there are 35", () => {
    expect(files).toHaveLength(35);
  });

  test.each(files.map(({ id, text }) => [id, text]))("%s", async (id, text) => {
    const { errors, valid } = JSON.parse(await runTool(tool, { data: text })) as Report;
    expect(errors.map(({ rule, line }) => `${rule} ${line}`)).toEqual(findings[id] ?? []);
    expect(valid).toBe(true);
    for (const { rule } of errors) expect(reasons).toHaveProperty(rule);
  });

  test("alone, each part of a project is refused with strict", async () => {
    const parts = files.filter(({ id }) => findings[id]?.some((one) => !one.startsWith("obsolete-version")));
    expect(parts.length).toBeGreaterThan(10);
    for (const { text } of parts) {
      const { valid } = JSON.parse(await runTool(tool, { data: text, strict: true })) as Report;
      expect(valid).toBe(false);
    }
  });
});
