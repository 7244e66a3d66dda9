import "../../../system/e2e/operator-crash.test.ts";
