import "../../../system/e2e/json-test-suite.test.ts";
