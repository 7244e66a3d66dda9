import { joinWords } from "../join-words.ts";
import { nearest } from "../nearest.ts";
import { quote } from "./at.ts";
import type { Release } from "./releases.ts";
import type { Types } from "./types.ts";

export interface MissingKind {
  /** Whether the group is one of Kubernetes itself, so that no CustomResourceDefinition can add the kind. */
  builtIn: boolean;
  /** The field that is more likely to be wrong. */
  field: "apiVersion" | "kind";
  message: string;
}

const groupOf = (apiVersion: string): string =>
  apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";

/** Explains why a release has no such kind. */
export function explainMissing(
  apiVersion: string,
  kind: string,
  types: Types,
  others: ReadonlyMap<Release, Types>,
): MissingKind {
  const name = `${apiVersion} ${kind}`;
  const other = [...others].find(([, one]) => one.kind(name) !== undefined)?.[0];
  if (other !== undefined)
    return {
      builtIn: true,
      field: "apiVersion",
      message: `${apiVersion} of ${kind} exists in Kubernetes 1.${other}, but not in the release that version names.`,
    };
  const known = Array.from(types.kinds(), (one) => one.split(" ") as [string, string]);
  const versions = known.filter(([, one]) => one === kind).map(([version]) => version);
  const group = groupOf(apiVersion);
  const builtIn = known.some(([version]) => groupOf(version) === group) || !group.includes(".");
  if (versions.length > 0 && (builtIn || nearest(apiVersion, versions) !== undefined))
    return {
      builtIn,
      field: "apiVersion",
      message: `${quote(apiVersion)} has no ${kind}; it is in ${joinWords(versions)}.`,
    };
  if (!builtIn)
    return {
      builtIn,
      field: "kind",
      message: `There is no schema for ${quote(kind)} of ${quote(apiVersion)}, so it is not validated; give its CustomResourceDefinition in crds.`,
    };
  const near =
    nearest(
      kind,
      known.filter(([version]) => version === apiVersion).map(([, one]) => one),
    ) ??
    nearest(
      kind,
      known.map(([, one]) => one),
    );
  const hint =
    near === undefined
      ? ""
      : ` Did you mean ${near}${known.some(([version, one]) => one === near && version === apiVersion) ? "" : ` of ${known.find(([, one]) => one === near)?.[0]}`}?`;
  return { builtIn, field: "kind", message: `${quote(apiVersion)} has no kind ${quote(kind)}.${hint}` };
}
