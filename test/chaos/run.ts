import { chaos } from "./chaos.ts";
import { judge } from "./judge.ts";

// `make chaos`: five minutes, or as many seconds as are asked for; the seed of another run begins the same faults again.
const [seconds = 300, seed = Date.now() % 1_000_000_000] = process.argv.slice(2).map(Number);
process.stdout.write(`${seconds} seconds, seed ${seed}\n`);
const report = await chaos({
  seconds,
  seed,
  hostile: true,
  say: (line) => process.stdout.write(`  ${line}\n`),
});
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
const faults = judge(report);
for (const fault of faults) process.stdout.write(`FAULT: ${fault}\n`);
process.stdout.write(faults.length === 0 ? `all as stated, seed ${seed}\n` : `seed ${seed}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
