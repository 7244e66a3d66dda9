import { type DoctorDeps, error, type Finding, ok } from "./finding.ts";

const earliest = Date.parse("2025-01-01T00:00:00Z");
const latest = Date.parse("2100-01-01T00:00:00Z");

/** Expiries and windows depend on the clock: with one that says 1970, no key expires. */
export function checkClock({ runtime }: DoctorDeps): Finding[] {
  const time = runtime.now();
  const shown = new Date(time).toISOString();
  if (time >= earliest && time < latest) return [ok("clock", `The clock says ${shown}.`)];
  return [
    error(
      "clock",
      `The clock says ${shown}, which is impossible: keys expire and quota windows end at the wrong time.`,
      "Set the clock and synchronize it with NTP (timedatectl set-ntp true).",
    ),
  ];
}
