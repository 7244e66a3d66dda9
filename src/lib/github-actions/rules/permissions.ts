import type { ReportAt } from "../finding.ts";
import type { Model } from "../model.ts";
import { child, textOf } from "../node.ts";

/** Warns of jobs whose token has the rights that the repository gives by default, which may be to write everything. */
export function checkPermissions({ root, jobs }: Model, report: ReportAt): void {
  const all = child(root, "permissions");
  if (all !== undefined) {
    warnOfAll(all);
    return;
  }
  for (const { node, entry } of jobs.values()) {
    const own = child(node, "permissions");
    if (own !== undefined) warnOfAll(own);
    else {
      const message =
        "The token has the rights that the repository gives by default; name those that are needed in permissions of the workflow or the job.";
      report("missing-permissions", entry.key, message, { severity: "warning" });
    }
  }

  function warnOfAll(permissions: NonNullable<typeof all>): void {
    const text = textOf(permissions);
    if (text === "write-all" || text === "read-all")
      report(
        "missing-permissions",
        permissions,
        `${text} gives the token more rights than a job needs; name them.`,
        {
          severity: "warning",
        },
      );
  }
}
