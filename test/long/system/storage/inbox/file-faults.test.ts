import "../../../../system/storage/inbox/file-faults.test.ts";
