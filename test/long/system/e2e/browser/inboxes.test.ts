import "../../../../system/e2e/browser/inboxes.test.ts";
