import "../../../system/e2e/siege.test.ts";
