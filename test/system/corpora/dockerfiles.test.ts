import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Report } from "../../../src/catalog/report.ts";
import tool from "../../../src/tools/lint/dockerfile-linter.ts";
import { atHand, corpora } from "../../unit/corpora/corpus.ts";
import { runTool } from "../../unit/tools/run-tool.ts";

interface File {
  id: string;
  kind: string;
  text: string;
}

/** Why each warning is one: what hadolint's documentation or the Dockerfile reference says. */
const reasons: Record<string, string> = {
  "consecutive-runs": "DL3059: two RUN of one command each make two layers",
  "copy-relative": "DL3045: a relative destination, and no WORKDIR above; the image's own is unknown",
  "image-tag": "DL3006: the image has no tag",
  "legacy-pair": "Dockerfile reference, ENV: the form without = is discouraged and may be removed",
  "package-cache": "DL3009, DL3019, DL3060: lists and caches stay in the layer",
  "package-pin": "DL3008, DL3018: packages without a version",
  "package-recommends": "DL3015: no --no-install-recommends",
  pipefail: "DL4006: the shell is /bin/sh, and the script sets no pipefail",
  "shell-form": "DL3025: CMD is no JSON array",
  sudo: "DL3004",
};

/** Every finding in the Dockerfiles of public projects, with its line; none is an error. */
const findings: Record<string, string[]> = {
  "GoogleCloudPlatform/microservices-demo:src/checkoutservice/Dockerfile": ["image-tag 33"],
  "GoogleCloudPlatform/microservices-demo:src/currencyservice/Dockerfile": [
    "package-pin 22",
    "package-pin 35",
  ],
  "GoogleCloudPlatform/microservices-demo:src/emailservice/Dockerfile": [
    "package-pin 26",
    "copy-relative 30",
    "package-pin 42",
  ],
  "GoogleCloudPlatform/microservices-demo:src/paymentservice/Dockerfile": [
    "package-pin 22",
    "package-pin 35",
  ],
  "GoogleCloudPlatform/microservices-demo:src/recommendationservice/Dockerfile": [
    "package-pin 26",
    "copy-relative 30",
    "package-pin 39",
  ],
  "GoogleCloudPlatform/microservices-demo:src/shoppingassistantservice/Dockerfile": ["copy-relative 27"],
  "authelia/authelia:internal/suites/example/compose/authelia/Dockerfile.backend": ["package-pin 10"],
  "authelia/authelia:internal/suites/example/compose/duo-api/Dockerfile": ["package-cache 7"],
  "authelia/authelia:internal/suites/example/compose/pam/Dockerfile": [
    "package-pin 11",
    "package-pin 39",
    "pipefail 43",
  ],
  "docker-library/docker:29/windows/windowsservercore-ltsc2022/Dockerfile": [
    "legacy-pair 18",
    "legacy-pair 19",
    "legacy-pair 43",
    "legacy-pair 44",
    "legacy-pair 45",
    "legacy-pair 64",
    "legacy-pair 65",
    "legacy-pair 66",
  ],
  "docker/awesome-compose:fastapi/Dockerfile": ["package-cache 16", "package-pin 17"],
  "docker/awesome-compose:flask-redis/Dockerfile": ["package-pin 19", "package-cache 19"],
  "docker/awesome-compose:nginx-flask-mysql/backend/Dockerfile": [
    "legacy-pair 11",
    "legacy-pair 12",
    "legacy-pair 13",
    "legacy-pair 14",
    "package-pin 24",
    "package-cache 24",
  ],
  "docker/awesome-compose:nginx-wsgi-flask/nginx/Dockerfile": ["package-pin 4", "package-cache 4"],
  "docker/awesome-compose:react-express-mongodb/backend/Dockerfile": ["package-cache 20", "package-pin 21"],
  "docker/awesome-compose:react-express-mongodb/frontend/Dockerfile": ["package-cache 30", "package-pin 31"],
  "docker/awesome-compose:react-express-mysql/backend/Dockerfile": [
    "legacy-pair 9",
    "legacy-pair 15",
    "package-cache 37",
    "package-pin 38",
  ],
  "docker/awesome-compose:sparkjava/sparkjava/Dockerfile": ["package-pin 15", "shell-form 31"],
  "iib0011/omni-tools:Dockerfile": ["consecutive-runs 17"],
  "kubernetes/examples:_archived/storage/rethinkdb/image/Dockerfile": [
    "package-recommends 19",
    "package-pin 19",
    "shell-form 27",
  ],
  "kubernetes/examples:web/guestbook/redis-slave/Dockerfile": ["shell-form 19"],
  "miloyip/nativejson-benchmark:Dockerfile": ["legacy-pair 7", "package-cache 11", "pipefail 16"],
  "nodejs/docker-node:22/bookworm-slim/Dockerfile": [
    "package-pin 19",
    "pipefail 43",
    "package-pin 67",
    "pipefail 90",
  ],
  "nodejs/docker-node:22/bookworm/Dockerfile": ["pipefail 40"],
  "nodejs/docker-node:22/trixie-slim/Dockerfile": [
    "package-pin 19",
    "pipefail 43",
    "package-pin 67",
    "pipefail 90",
  ],
  "nodejs/docker-node:24/bookworm-slim/Dockerfile": [
    "package-pin 17",
    "pipefail 41",
    "package-pin 65",
    "pipefail 88",
  ],
  "spring-projects/spring-petclinic:.devcontainer/Dockerfile": ["sudo 10", "sudo 10"],
};

describe.skipIf(!atHand)("Dockerfiles of public projects", () => {
  const lines = atHand ? readFileSync(new URL("real-files.jsonl", corpora), "utf8").split("\n") : [];
  const files = lines
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as File)
    .filter(({ kind }) => kind === "dockerfile");

  test("there are 29", () => {
    expect(files).toHaveLength(29);
  });

  test.each(files.map(({ id, text }) => [id, text]))("%s", async (id, text) => {
    const { errors, valid } = JSON.parse(await runTool(tool, { data: text })) as Report;
    expect(errors.map(({ rule, line }) => `${rule} ${line}`)).toEqual(
      findings[id.replace("dockerfile/", "")] ?? [],
    );
    expect(valid).toBe(true);
    for (const { rule } of errors) expect(reasons).toHaveProperty(rule);
  });
});
