import { maxBytes } from "../attacks/siege.ts";
import type { ChaosReport } from "./chaos.ts";

/** Bytes that a server may hold for calls that run when it is measured; attacks run beside the load. */
const momentary = 128 * 1_048_576;

/**
 * Returns every way in which a run broke a promise.
 * @param growth The factor by which memory may grow between the first third and the second.
 */
export function findFaults(report: ChaosReport, growth = 1.2): string[] {
  const { answers, answered, counted, mayBeMissing, mayBeTwice, lost, acceptedAs, memory, handles, ends } =
    report;
  const [first = 0, second = 0] = memory;
  const [handlesFirst = 0, , handlesLast = 0] = handles;
  const unexpected = Object.keys(answers).filter(
    (code) => !["ok", "storage_unavailable", "broken", "nobody"].includes(code),
  );
  return [
    ends > 0 && `${ends} servers ended by themselves`,
    report.highestMiB * 1_048_576 > maxBytes && `a server and its children used ${report.highestMiB} MiB`,
    lost > 0 && `${lost} issued keys are lost`,
    acceptedAs.length > 0 && `${acceptedAs.length} times a revoked key was accepted`,
    unexpected.length > 0 && `live keys within their quota were answered ${unexpected.join(", ")}`,
    counted < answered - mayBeMissing &&
      `${answered} were answered and ${counted} counted: at most ${mayBeMissing} may be missing`,
    counted > answered + mayBeTwice &&
      `${answered} were answered and ${counted} counted: at most ${mayBeTwice} may be counted twice`,
    second > first * growth + momentary && `memory grew from ${first} to ${second} bytes`,
    handlesLast > handlesFirst + 12 && `open files grew from ${handlesFirst} to ${handlesLast}`,
  ].filter((fault) => fault !== false);
}
