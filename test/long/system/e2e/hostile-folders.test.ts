import "../../../system/e2e/hostile-folders.test.ts";
