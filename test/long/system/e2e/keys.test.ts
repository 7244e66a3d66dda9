import "../../../system/e2e/keys.test.ts";
