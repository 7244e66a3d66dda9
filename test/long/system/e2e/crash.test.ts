import "../../../system/e2e/crash.test.ts";
