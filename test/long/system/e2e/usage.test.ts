import "../../../system/e2e/usage.test.ts";
