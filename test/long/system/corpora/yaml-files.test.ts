import "../../../unit/corpora/yaml-files.test.ts";
