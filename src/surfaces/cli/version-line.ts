import type { Program } from "./host.ts";

/** `penknife 1.2.3 (0123abcd4567)` */
export const versionLine = ({ version, commit }: Awaited<ReturnType<Program["build"]>>): string =>
  `penknife ${version}${commit === "" ? "" : ` (${commit})`}`;
