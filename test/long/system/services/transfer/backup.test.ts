import "../../../../system/services/transfer/backup.test.ts";
