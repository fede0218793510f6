import { setImmediate } from 'node:timers/promises';
import { assertAnswer } from './requests.mjs';

/**
 * One contender at one size, doing one kind of work.
 *
 * @typedef {object} Lane
 * @property {string} name
 * @property {number} size
 * @property {import('./tools.mjs').Catalogue} catalogue
 * @property {'call' | 'list'} kind
 * @property {(text: string) => Promise<string | readonly string[]>} serve
 * @property {readonly import('./requests.mjs').Request[]} requests
 * @property {number} batch How many operations make one measurement; set by the warm-up.
 * @property {number} next Where in the requests the next batch begins.
 */

/** @typedef {{ cpuUs: number, wallUs: number }} Sample Per operation. */

/** Number of operations per turn of the event loop, as between real requests: timers and weak references need it. */
const TURN = 100;

/**
 * Runs a batch, checks one response and returns the cost of an operation.
 *
 * @param {Lane} lane
 * @returns {Promise<Sample>}
 */
export async function measure(lane, batch = lane.batch) {
  const { serve, requests, next } = lane;
  let answer = '';
  let request = requests[0];
  await setImmediate();
  const cpu = process.cpuUsage();
  const startedAt = process.hrtime.bigint();
  for (let index = 0; index < batch; index += 1) {
    request = requests[(next + index) % requests.length];
    answer = await serve(request.text);
    // Reading the last character makes V8 flatten a string that was joined from parts; otherwise the transport would pay for it.
    const text = typeof answer === 'string' ? answer : answer.at(-1);
    if (text.charCodeAt(text.length - 1) !== CLOSING_BRACE) throw new Error(`${lane.name}: not an object`);
    if (index % TURN === TURN - 1) await setImmediate();
  }
  const wallNs = Number(process.hrtime.bigint() - startedAt);
  const { user, system } = process.cpuUsage(cpu);
  lane.next = (next + batch) % requests.length;
  assertAnswer(typeof answer === 'string' ? answer : answer.join(''), request, lane);
  return { cpuUs: (user + system) / batch, wallUs: wallNs / 1000 / batch };
}

const CLOSING_BRACE = 125;

/**
 * Runs a lane until it is warm and finds the number of operations of a batch.
 *
 * @param {Lane} lane
 * @param {{ warmMs: number, batchMs: number }} time
 */
export async function warmUp(lane, { warmMs, batchMs }) {
  const endsAt = performance.now() + warmMs;
  let batch = 1;
  let wallUs = 0;
  do {
    ({ wallUs } = await measure(lane, batch));
    batch = Math.max(1, Math.ceil((Math.min(warmMs, batchMs) * 1000) / 4 / wallUs));
  } while (performance.now() < endsAt);
  lane.batch = Math.max(2, Math.ceil((batchMs * 1000) / wallUs));
}

/**
 * Two lanes in short turns with changing order, so that a disturbance affects both.
 *
 * @param {Lane} ours
 * @param {Lane} floor
 * @returns {Promise<number>} How many times the CPU of the floor ours took.
 */
export async function measurePair(ours, floor) {
  let oursUs = 0;
  let floorUs = 0;
  for (const [first, second] of [
    [ours, floor],
    [floor, ours],
    [ours, floor],
    [floor, ours],
  ]) {
    for (const lane of [first, second]) {
      const { cpuUs } = await measure(lane, Math.ceil(lane.batch / 2));
      if (lane === ours) oursUs += cpuUs;
      else floorUs += cpuUs;
    }
  }
  return oursUs / floorUs;
}
