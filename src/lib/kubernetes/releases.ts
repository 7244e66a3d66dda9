/** Minor releases of Kubernetes whose types are here; one between two has those of the later one. */
export const releases = [33, 34, 36] as const;

export type Release = (typeof releases)[number];

/** The release whose types validate a minor release: the same, or the next one that is here. */
export const releaseOf = (minor: number): Release => releases.find((one) => one >= minor) ?? 36;

/** Reports whether a release is in a span such as `34-` or `-33`. */
export function isIn(span: string, release: number): boolean {
  const [from = "", to = ""] = span.split("-");
  return (from === "" || release >= Number(from)) && (to === "" || release <= Number(to));
}
