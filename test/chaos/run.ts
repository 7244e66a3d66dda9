import { chaos } from "./chaos.ts";
import { findFaults } from "./find-faults.ts";

// `make chaos`: five minutes, or the given seconds. A seed repeats the faults of the run that printed it.
const [seconds = 300, firstSeed = Date.now() % 1_000_000_000] = process.argv.slice(2).map(Number);

/** A round ends before the hour in which Redis counts requests: its counts are compared with the answers. */
const longestRound = 2700;
const rounds = Math.ceil(seconds / longestRound);

for (let round = 0; round < rounds; round++) {
  const seed = firstSeed + round;
  const length = Math.ceil(seconds / rounds);
  process.stdout.write(`${length} seconds, seed ${seed}\n`);
  const report = await chaos({
    seconds: length,
    seed,
    hostile: true,
    say: (line) => process.stdout.write(`  ${line}\n`),
  });
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  const faults = findFaults(report);
  for (const fault of faults) process.stdout.write(`FAULT: ${fault}\n`);
  process.stdout.write(faults.length === 0 ? `no fault, seed ${seed}\n` : `seed ${seed}\n`);
  if (faults.length > 0) process.exitCode = 1;
}
