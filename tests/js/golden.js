/* The golden records as the replay page receives them. */
import { execFileSync } from "node:child_process";

const root = new URL("../..", import.meta.url);

/** Replays by variant, as `arena.match.frames.framed` makes them. */
export const replays = JSON.parse(execFileSync("python", ["-m", "tests.js.replays"], { cwd: root, maxBuffer: 2 ** 28 }));
