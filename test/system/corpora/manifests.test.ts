import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Report } from "../../../src/catalog/report.ts";
import tool from "../../../src/tools/lint/kubernetes-validator.ts";
import { runTool } from "../../unit/tools/run-tool.ts";
import { atHand, corpora } from "../../unit/corpora/corpus.ts";

interface File {
  id: string;
  kind: string;
  text: string;
}

function readManifests(): File[] {
  const lines = readFileSync(new URL("real-files.jsonl", corpora), "utf8").split("\n");
  const files = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as File);
  return files.filter(
    ({ kind, text }) =>
      kind === "kubernetes" || (kind !== "markdown" && /^apiVersion: /m.test(text) && /^kind: /m.test(text)),
  );
}

const validate = async (data: string): Promise<Report> => JSON.parse(await runTool(tool, { data })) as Report;

/** Every error in the manifests of public projects, and why it is one. */
const faults: Record<string, [error: string, why: string][]> = {
  "storageclass-shared-ssd.yaml": [
    [
      "removed-api 2 storage.k8s.io/v1beta1 of StorageClass was removed in Kubernetes 1.22. Use storage.k8s.io/v1.",
      "Deprecated API Migration Guide, v1.22",
    ],
  ],
  "cinder-web.yaml": [
    [
      'enum 12 protocol must be SCTP, TCP or UDP, not "tcp". Did you mean TCP?',
      "the API server compares protocols with their case",
    ],
  ],
  "rbd.yaml": [
    [
      'unknown-field 25 "imageformat" is not a field of RBDVolumeSource. Its fields are fsType, image, keyring, monitors, pool, readOnly, secretRef and user.',
      "they are parameters of a StorageClass, not of a volume",
    ],
    [
      'unknown-field 26 "imagefeatures" is not a field of RBDVolumeSource. Its fields are fsType, image, keyring, monitors, pool, readOnly, secretRef and user.',
      "the same",
    ],
  ],
};

describe.skipIf(!atHand)("manifests of public projects", () => {
  const files = atHand ? readManifests() : [];

  test("there are at least seventy", () => {
    expect(files.length).toBeGreaterThanOrEqual(70);
  });

  test.each(files.map((file) => [file.id, file] as const))("%s", async (id, { text }) => {
    const { errors } = await validate(text);
    const expected = faults[id.slice(id.lastIndexOf("/") + 1)] ?? [];
    const found = errors.filter(({ severity }) => severity === "error");
    expect(found.map(({ rule, line, message }) => `${rule} ${line} ${message}`)).toEqual(
      expected.map(([error]) => error),
    );
    // Kinds without a definition, and configurations of programs.
    const warnings = errors.filter(({ severity }) => severity === "warning").map(({ rule }) => rule);
    expect(warnings.filter((rule) => rule !== "missing-schema" && rule !== "no-object")).toEqual([]);
  });
});
