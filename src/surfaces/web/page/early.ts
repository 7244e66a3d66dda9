// Runs before the first paint, as the one script that the parser of a page waits for: colours that change later would flash.
import { readColours, setColours } from "./colours.ts";

setColours(readColours());
