/** How much of the time asked for a server must have had the processor, and how often it is asked again where it had less. */
const SHARE = 0.7;
const MAX_RUNS = 4;

/**
 * Lets a server work for so long and says what an answer took. On a machine that others use, a server may get only a part of the time:
 * then it goes on, so that everybody is equally warm and equally well measured.
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
