/** The process of the attackers. Its parent sends the target, the attacks and the end. */
import { setMaxListeners } from 'node:events';
import { AttackRun } from './attack-run.mjs';
import { ATTACKS } from './attacks/index.mjs';

const controller = new AbortController();
const runs = new Map();
// Hundreds of attackers wait concurrently.
setMaxListeners(0, controller.signal);

function start({ ports, attacks, bytesPerSecond }) {
  const targets = [
    { port: ports.open, headers: [] },
    { port: ports.named, headers: ['Authorization: Bearer attacker'] },
  ];
  const { signal } = controller;
  const ended = attacks.map((name) => {
    const run = new AttackRun({ targets, signal, bytesPerSecond: bytesPerSecond / attacks.length });
    runs.set(name, run);
    return ATTACKS[name](run);
  });
  void Promise.all(ended).then(() => process.disconnect());
}

function report() {
  return Object.fromEntries(Array.from(runs, ([name, run]) => [name, run.report()]));
}

process.once('disconnect', () => process.exit());
process.on('message', (message) => {
  if (message.attacks !== undefined) start(message);
  if (message === 'stop') {
    process.send({ report: report() });
    controller.abort();
  }
});
