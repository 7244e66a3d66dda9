import { mostBytes } from "../attacks/siege.ts";
import type { ChaosReport } from "./chaos.ts";

/** What is not as it was stated; nothing where all is well. `growth` is how much larger the memory may be at the end. */
export function judge(report: ChaosReport, growth = 1.2): string[] {
  const { answers, answered, counted, mayBeMissing, mayBeTwice, lost, accepted, memory, handles, ends } =
    report;
  const [first = 0, second = 0] = memory;
  const [handlesFirst = 0, , handlesLast = 0] = handles;
  const strange = Object.keys(answers).filter(
    (code) => !["ok", "storage_unavailable", "broken", "nobody"].includes(code),
  );
  return [
    ends > 0 && `${ends} servers ended by themselves`,
    report.highestMiB * 1_048_576 > mostBytes && `a server and its children held ${report.highestMiB} MiB`,
    lost > 0 && `${lost} issued keys are lost`,
    accepted > 0 && `${accepted} times a revoked key was accepted`,
    strange.length > 0 && `live keys within their quota were answered ${strange.join(", ")}`,
    counted < answered - mayBeMissing &&
      `${answered} were answered and ${counted} counted: more than ${mayBeMissing} are missing`,
    counted > answered + mayBeTwice &&
      `${answered} were answered and ${counted} counted: more than ${mayBeTwice} twice`,
    second > first * growth && `memory grew from ${first} to ${second} bytes`,
    handlesLast > handlesFirst + 12 && `open files grew from ${handlesFirst} to ${handlesLast}`,
  ].filter((fault) => fault !== false);
}
