import "../../../unit/lib/glob-set.test.ts";
