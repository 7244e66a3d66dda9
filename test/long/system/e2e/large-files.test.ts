import "../../../system/e2e/large-files.test.ts";
