import "../../../../system/e2e/browser/session-attacks.test.ts";
