import "../../../system/e2e/elsewhere.test.ts";
