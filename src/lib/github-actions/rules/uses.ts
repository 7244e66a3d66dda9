import type { ReportAt } from "../finding.ts";
import { isDynamic, type Node, quote, textOf } from "../node.ts";

type Pin = "sha" | "tag" | "off";

/** Checks what a step uses: an action of a repository, of this one, or an image. */
export function checkUses(node: Node, pin: Pin, report: ReportAt): void {
  const uses = textOf(node);
  if (uses === undefined || isDynamic(node)) return;
  if (uses.startsWith("docker://")) {
    const image = uses.slice("docker://".length);
    if (image === "" || /\s|:$|@$/.test(image)) report("uses", node, `${quote(uses)} names no image.`);
    else if (pin === "sha" && !/@sha256:[\da-f]{64}$/.test(image))
      report(
        "unpinned-uses",
        node,
        `${quote(uses)} is not pinned; name the image by its digest, with @sha256:.`,
      );
    return;
  }
  if (isLocal(uses)) {
    if (uses.includes("@"))
      report("uses", node, "An action of this repository has no version; remove what follows @.");
    return;
  }
  const [, owner, repository, , ref] = /^([^/@\s]+)\/([^/@\s]+)((?:\/[^@\s]*)?)(?:@(\S+))?$/.exec(uses) ?? [];
  if (owner === undefined || repository === undefined) {
    report("uses", node, `${quote(uses)} must be OWNER/REPOSITORY@REF, ./PATH or docker://IMAGE.`);
    return;
  }
  if (ref === undefined) {
    report("uses", node, `${quote(uses)} needs a version: @ and a tag, branch or commit.`);
    return;
  }
  checkPin(node, uses, ref, pin, report);
  checkAge(node, `${owner}/${repository}`.toLowerCase(), ref, report);
}

const isLocal = (uses: string): boolean => /^(?:\.\.?[/\\]|\.$|\$\/)/.test(uses);

function checkPin(node: Node, uses: string, ref: string, pin: Pin, report: ReportAt): void {
  if (pin === "off" || /^(?:[\da-f]{40}|[\da-f]{64})$/.test(ref)) return;
  if (pin === "sha")
    report(
      "unpinned-uses",
      node,
      `${quote(uses)} is not pinned: the owner can change what ${quote(ref)} means. Name a commit by its 40 digits.`,
    );
  else if (!/^v?\d/.test(ref))
    report(
      "unpinned-uses",
      node,
      `${quote(uses)} follows ${quote(ref)}, which is no version; name a tag or a commit.`,
    );
}

/** The oldest major versions of actions whose programs GitHub still runs: others are for a Node that runners no longer have. */
const oldest: Readonly<Record<string, number>> = {
  "actions/cache": 4,
  "actions/checkout": 4,
  "actions/download-artifact": 4,
  "actions/github-script": 7,
  "actions/labeler": 5,
  "actions/setup-dotnet": 4,
  "actions/setup-go": 5,
  "actions/setup-java": 4,
  "actions/setup-node": 4,
  "actions/setup-python": 5,
  "actions/stale": 9,
  "actions/upload-artifact": 4,
};

function checkAge(node: Node, name: string, ref: string, report: ReportAt): void {
  const least = Object.hasOwn(oldest, name) ? oldest[name] : undefined;
  const major = /^v?(\d{1,3})(?:\.|$)/.exec(ref)?.[1];
  if (least === undefined || major === undefined || Number(major) >= least) return;
  report(
    "outdated-action",
    node,
    `Version ${major} of ${name} is for a Node that runners of GitHub no longer support; use v${least} or a newer one.`,
    { severity: "warning" },
  );
}

/** Checks the reusable workflow that a job calls. */
export function checkWorkflowCall(node: Node, pin: Pin, report: ReportAt): void {
  const uses = textOf(node);
  if (uses === undefined) return;
  if (isDynamic(node)) {
    report("workflow-call", node, "The workflow of a job cannot be an expression.");
    return;
  }
  if (isLocal(uses)) {
    if (uses.includes("@"))
      report("workflow-call", node, "A workflow of this repository has no version; remove what follows @.");
    else if (!/\.ya?ml$/.test(uses))
      report("workflow-call", node, `${quote(uses)} must be a file, such as ./.github/workflows/build.yml.`);
    return;
  }
  const [, ref] = /^[^/@\s]+\/[^/@\s]+\/[^@\s]+\.ya?ml@(\S+)$/.exec(uses) ?? [];
  if (ref === undefined)
    report(
      "workflow-call",
      node,
      `${quote(uses)} must be OWNER/REPOSITORY/PATH.yml@REF or ./.github/workflows/FILE.yml.`,
    );
  else checkPin(node, uses, ref, pin, report);
}
