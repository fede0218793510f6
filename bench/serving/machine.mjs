import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, loadavg, totalmem } from 'node:os';
import { pinning } from './processor.mjs';
import { PEER_CASTS, quick, time } from './settings.mjs';

const PEERS = {
  'SDK v2': '@modelcontextprotocol/server',
  'SDK v1': '@modelcontextprotocol/sdk',
  tmcp: 'tmcp',
  Zod: 'zod',
};

/** The machine, the versions and the date. */
export function describeMachine() {
  const versions = Object.entries(PEERS).map(([name, dependency]) => `${name} ${versionOf(dependency)}`);
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores`,
    memory: `${Math.round(totalmem() / 1024 ** 3)} GB`,
    system: `${process.platform} ${process.arch}`,
    node: process.version,
    versions: versions.join(', '),
    // Other load makes all figures slower, and not by the same factor.
    loadBefore: loadavg()[0].toFixed(1),
    pinning,
    rounds: time.casts * time.rounds,
    peerRounds: Math.min(time.casts, PEER_CASTS) * time.rounds,
    isQuick: quick,
  };
}

/** @param {ReturnType<typeof describeMachine>} machine */
export function formatMachine(machine) {
  const {
    date,
    processor,
    memory,
    system,
    node,
    versions,
    loadBefore,
    pinning,
    rounds,
    peerRounds,
    isQuick,
  } = machine;
  const note = isQuick ? '**A quick run: nothing is warm, the figures are rough.** ' : '';
  return (
    `${note}${date}; ${processor}, ${memory}, ${system}, Node ${node.slice(1)}; ${versions}; ` +
    `${pinning}; medians of ${rounds} rounds (peers: ${peerRounds}); load of the machine before: ${loadBefore}.`
  );
}

/** Read from the lock file: some packages do not export their manifest. */
function versionOf(dependency) {
  const lock = createRequire(import.meta.url).resolve('../package-lock.json');
  return JSON.parse(readFileSync(lock, 'utf8')).packages[`node_modules/${dependency}`].version;
}
