// Loaded before the program (node --require): two clocks that a test moves. The file named by
// TEST_CLOCK has how many milliseconds each is ahead; it is read at the start and at SIGUSR2.
"use strict";
const { readFileSync, writeFileSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

const file = process.env.TEST_CLOCK;
const now = Date.now;
const uptime = process.uptime.bind(process);
let ahead = { wall: 0, steady: 0, step: 0 };

function read() {
  ahead = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(`${file}.seen`, String(ahead.step));
}

if (isMainThread) {
  read();
  Date.now = () => now() + ahead.wall;
  process.uptime = () => uptime() + ahead.steady / 1000;
  process.on("SIGUSR2", read);
}
