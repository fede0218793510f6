import { writeSync } from 'node:fs';

/** The descriptor that the server reads. */
const EVENTS_FD = 3;
const RETRY_MS = 5;
const pause = new Int32Array(new SharedArrayBuffer(4));

/** Writes one event as a line of JSON. */
export function writeEvent(event, data = {}) {
  let rest = Buffer.from(`${JSON.stringify({ ...data, event })}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(EVENTS_FD, rest));
    } catch (error) {
      // The pipe is full.
      if (error.code === 'EAGAIN') Atomics.wait(pause, 0, 0, RETRY_MS);
      // The server is gone; the supervisor ends this process.
      else return;
    }
  }
}
