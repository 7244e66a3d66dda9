import "../../../system/e2e/exit.test.ts";
