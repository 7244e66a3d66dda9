import "../../../../system/e2e/browser/single-sign-on.test.ts";
