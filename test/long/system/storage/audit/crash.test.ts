import "../../../../system/storage/audit/crash.test.ts";
