/** Required share of CPU time in the planned time, and the number of extensions. */
const SHARE = 0.7;
const MAX_RUNS = 4;

/**
 * Runs a server for a time and returns the cost of a response. On a shared machine a server may get only a part of the time; then it runs
 * longer, so that all contenders are equally warm and equally well measured.
 *
 * @param {import('./child.mjs').Child} child
 * @param {() => Promise<{ count: number, wallMs: number }>} run
 * @param {number} ms
 */
export async function measureChild(child, run, ms) {
  let [cpuUs, count, wallMs] = [0, 0, 0];
  for (let runs = 0; runs < MAX_RUNS && cpuUs < ms * 1000 * SHARE; runs += 1) {
    const before = await child.cpuUs();
    const done = await run();
    cpuUs += (await child.cpuUs()) - before;
    count += done.count;
    wallMs += done.wallMs;
  }
  return { cpuUs: cpuUs / count, perSecond: (count * 1000) / wallMs };
}
