import "../../../system/e2e/isolation.test.ts";
