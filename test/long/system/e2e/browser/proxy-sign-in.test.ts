import "../../../../system/e2e/browser/proxy-sign-in.test.ts";
