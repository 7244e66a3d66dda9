import "../../../system/e2e/threads.test.ts";
