import { parseCron } from "../../cron/parse.ts";
import { DocumentFault } from "../../fault.ts";
import { type At, child, isPresent, items, members, quote, type ReportAt, textOf, wholeOf } from "../at.ts";
import { checkLabels } from "./metadata.ts";
import { checkLeast, checkRange, checkShare } from "./numbers.ts";
import { checkPodSpec, type PodRules } from "./pods.ts";
import { checkSelector, checkTemplateSelector } from "./selectors.ts";

/** Checks an object of a kind that runs pods, or scales or protects them. */
export function checkWorkload(group: string, kind: string, root: At, report: ReportAt): void {
  checks[`${group} ${kind}`]?.(child(root, "spec"), root, report);
}

type Check = (spec: At, root: At, report: ReportAt) => void;

const always: PodRules = { restart: ["Always"] };

const checks: Record<string, Check> = {
  " Pod": (spec, _, report) => checkPodSpec(spec, {}, report),
  " PodTemplate": (_, root, report) => checkTemplate(child(root, "template"), {}, report),
  " ReplicationController": (spec, _, report) => {
    checkLeast(spec, ["replicas", "minReadySeconds"], 0, report);
    checkTemplateSelector(child(spec, "selector"), child(spec, "template"), report, true);
    checkTemplate(child(spec, "template"), always, report);
  },
  "apps ReplicaSet": (spec, _, report) => checkReplicated(spec, always, report),
  "apps Deployment": (spec, _, report) => {
    checkReplicated(spec, always, report);
    checkRollout(child(spec, "strategy"), "Recreate", report);
    const deadline = child(spec, "progressDeadlineSeconds");
    if ((wholeOf(deadline) ?? Infinity) <= (wholeOf(child(spec, "minReadySeconds")) ?? 0))
      report("range", deadline, "progressDeadlineSeconds must be greater than minReadySeconds.");
  },
  "apps DaemonSet": (spec, _, report) => {
    checkReplicated(spec, always, report);
    checkRollout(child(spec, "updateStrategy"), "OnDelete", report);
  },
  "apps StatefulSet": (spec, _, report) => {
    const claims = items(child(spec, "volumeClaimTemplates"));
    const names = claims.flatMap((claim) => textOf(child(claim, "metadata", "name")) ?? []);
    checkReplicated(spec, { ...always, claims: names }, report);
    checkRollout(child(spec, "updateStrategy"), "OnDelete", report);
    for (const claim of claims) checkClaim(child(claim, "spec"), report);
  },
  "batch Job": (spec, _, report) => checkJob(spec, report),
  "batch CronJob": (spec, _, report) => {
    checkSchedule(spec, report);
    checkLeast(
      spec,
      ["startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"],
      0,
      report,
    );
    checkJob(child(spec, "jobTemplate", "spec"), report);
  },
  "autoscaling HorizontalPodAutoscaler": (spec, _, report) => {
    const least = child(spec, "minReplicas");
    const most = child(spec, "maxReplicas");
    checkRange(least, "minReplicas", 0, undefined, report);
    checkRange(most, "maxReplicas", 1, undefined, report);
    if ((wholeOf(least) ?? 1) > (wholeOf(most) ?? Infinity))
      report(
        "range",
        most,
        `maxReplicas must be at least minReplicas (${wholeOf(least) ?? 1}), not ${wholeOf(most)}.`,
      );
    for (const metric of items(child(spec, "metrics"))) checkMetric(metric, report);
  },
  "policy PodDisruptionBudget": (spec, _, report) => {
    const [least, most] = [child(spec, "minAvailable"), child(spec, "maxUnavailable")];
    if (isPresent(least) && isPresent(most))
      report("exclusive", most, "A PodDisruptionBudget has minAvailable or maxUnavailable, not both.");
    checkShare(least, "minAvailable", report, 100);
    checkShare(most, "maxUnavailable", report, 100);
    checkSelector(child(spec, "selector"), report);
  },
};

function checkTemplate(template: At, rules: PodRules, report: ReportAt): void {
  checkLabels(child(template, "metadata", "labels"), report);
  if (isPresent(template) && !isPresent(child(template, "spec")))
    report("required", template, "The template of pods must have spec.");
  checkPodSpec(child(template, "spec"), rules, report);
}

function checkReplicated(spec: At, rules: PodRules, report: ReportAt): void {
  checkLeast(spec, ["replicas", "minReadySeconds", "revisionHistoryLimit"], 0, report);
  const selector = child(spec, "selector");
  checkSelector(selector, report);
  checkTemplateSelector(selector, child(spec, "template"), report);
  checkTemplate(child(spec, "template"), rules, report);
}

/** @param other The strategy that takes no parameters. */
function checkRollout(strategy: At, other: string, report: ReportAt): void {
  const rolling = child(strategy, "rollingUpdate");
  if (!isPresent(rolling)) return;
  if (textOf(child(strategy, "type")) === other)
    report("exclusive", rolling, `rollingUpdate must not be set with the strategy ${other}.`);
  const [surge, unavailable] = [child(rolling, "maxSurge"), child(rolling, "maxUnavailable")];
  checkShare(surge, "maxSurge", report);
  checkShare(unavailable, "maxUnavailable", report, 100);
  const isZero = (at: At): boolean => wholeOf(at) === 0 || textOf(at) === "0%";
  if (isZero(surge) && isZero(unavailable))
    report(
      "range",
      unavailable,
      "maxUnavailable and maxSurge must not both be 0: nothing could be replaced.",
    );
  checkRange(child(rolling, "partition"), "partition", 0, undefined, report);
}

function checkJob(spec: At, report: ReportAt): void {
  checkLeast(
    spec,
    ["parallelism", "completions", "backoffLimit", "activeDeadlineSeconds", "ttlSecondsAfterFinished"],
    0,
    report,
  );
  const mode = child(spec, "completionMode");
  if (textOf(mode) === "Indexed" && !isPresent(child(spec, "completions")))
    report("required", mode, "A Job with completionMode Indexed must have completions.");
  const template = child(spec, "template");
  if (isPresent(child(spec, "selector")) && child(spec, "manualSelector").value === true)
    checkTemplateSelector(child(spec, "selector"), template, report);
  checkTemplate(template, { restart: ["OnFailure", "Never"] }, report);
}

/** Checks a schedule as `robfig/cron` reads it. */
function checkSchedule(spec: At, report: ReportAt): void {
  const at = child(spec, "schedule");
  const schedule = textOf(at);
  if (schedule === undefined) return;
  if (/^(?:CRON_)?TZ=/.test(schedule))
    return report("schedule", at, "schedule must not contain a time zone; put it into timeZone.");
  if (/^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)$/.test(schedule)) return;
  if (/^@every \S+$/.test(schedule)) return;
  const fault = faultOfCron(schedule);
  if (fault !== undefined) report("schedule", at, `schedule ${quote(schedule)} is not valid: ${fault}`);
}

function faultOfCron(schedule: string): string | undefined {
  if (schedule.length > 500) return "it is too long.";
  try {
    parseCron(schedule, "unix", false);
    return undefined;
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    return error.message;
  }
}

function checkMetric(metric: At, report: ReportAt): void {
  const type = textOf(child(metric, "type"));
  if (type === undefined || !/^(?:ContainerResource|External|Object|Pods|Resource)$/.test(type)) return;
  const field = type.charAt(0).toLowerCase() + type.slice(1);
  if (!isPresent(child(metric, field)))
    report("required", metric, `A metric of type ${type} must have ${field}.`);
  const target = child(metric, field, "target");
  checkRange(child(target, "averageUtilization"), "averageUtilization", 1, undefined, report);
}

/** Checks the spec of a PersistentVolumeClaim. */
export function checkClaim(spec: At, report: ReportAt): void {
  if (!isPresent(spec)) return;
  const modes = child(spec, "accessModes");
  if (items(modes).length === 0)
    report(
      "required",
      isPresent(modes) ? modes : spec,
      "A PersistentVolumeClaim must have at least one mode in accessModes.",
    );
  if (!isPresent(child(spec, "resources", "requests", "storage")))
    report("required", spec, "A PersistentVolumeClaim must have resources.requests.storage.");
  checkSelector(child(spec, "selector"), report);
}

/** Members of the spec of a PersistentVolume that are no source. */
const notSources = new Set(
  "accessModes capacity claimRef mountOptions nodeAffinity persistentVolumeReclaimPolicy storageClassName volumeAttributesClassName volumeMode".split(
    " ",
  ),
);

/** Checks the spec of a PersistentVolume. */
export function checkVolume(spec: At, report: ReportAt): void {
  if (!isPresent(spec)) return;
  for (const field of ["accessModes", "capacity"])
    if (!isPresent(child(spec, field))) report("required", spec, `A PersistentVolume must have ${field}.`);
  const sources = members(spec).filter(([key, at]) => !notSources.has(key) && isPresent(at));
  if (sources.length !== 1)
    report(
      "volume-source",
      spec,
      `A PersistentVolume must have exactly one source, such as nfs or csi; this one has ${sources.length}.`,
    );
}
