import "../../../../system/e2e/browser/sign-in.test.ts";
