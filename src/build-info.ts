// The build defines both; in a source tree neither exists.
declare const PENKNIFE_VERSION: string | undefined;
declare const PENKNIFE_COMMIT: string | undefined;

export const version: string = typeof PENKNIFE_VERSION === "undefined" ? "0.0.0-dev" : PENKNIFE_VERSION;

/** The commit that was built, short; with `+` when the tree had changes; empty if unknown. */
export const commit: string = typeof PENKNIFE_COMMIT === "undefined" ? "" : PENKNIFE_COMMIT;
