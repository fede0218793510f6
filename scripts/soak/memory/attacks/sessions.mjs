/** Attacks with the handshake of earlier revisions. */
import { FILLED, FILLER, initialize } from '../wire.mjs';

/** Cost of a new session, in bytes of a body. */
const SESSION_COST = 20_000;

/** Handshakes with a client description of 4 MB. */
export function longHandshakes(run) {
  return run.repeat(8, async (_index, turn) => {
    await run.pace(FILLER.length);
    const target = run.nextTarget();
    const said =
      turn % 2 === 0
        ? { clientInfo: { name: FILLED, version: '1' } }
        : { capabilities: { experimental: { padding: { text: FILLED } } } };
    await run.ask(target, initialize(target, said));
  });
}

/** Sessions whose handshake is never completed. */
export function emptySessions(run) {
  return run.repeat(4, async () => {
    await run.pace(SESSION_COST);
    const target = run.nextTarget();
    await run.ask(target, initialize(target));
  });
}
