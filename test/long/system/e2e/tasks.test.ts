import "../../../system/e2e/tasks.test.ts";
