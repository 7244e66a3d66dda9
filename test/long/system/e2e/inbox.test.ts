import "../../../system/e2e/inbox.test.ts";
