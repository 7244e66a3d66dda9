import "../../../../system/e2e/browser/webhooks.test.ts";
