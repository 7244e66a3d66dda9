import "../../../../unit/tools/regex/regex-tester.test.ts";
