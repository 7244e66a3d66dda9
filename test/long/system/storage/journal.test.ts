import "../../../system/storage/journal.test.ts";
