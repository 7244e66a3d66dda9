import "../../../system/storage/full-disk.test.ts";
