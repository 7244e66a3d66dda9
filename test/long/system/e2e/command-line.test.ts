import "../../../system/e2e/command-line.test.ts";
