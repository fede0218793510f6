/**
 * Measures one document in its own process, on the built package: `node measure.mjs <file> <base URL or nothing> [--only-load]`. Sends the
 * result to its parent. The measurement comes first, before other work can warm up code or allocate memory.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { root } from '../steps.mjs';
import { examine, load } from './examine.mjs';

const [file, baseUrl, mode] = process.argv.slice(2);
const dist = (name) => import(pathToFileURL(join(root, 'dist/bundle', `${name}.js`)).href);
const [{ OpenAPIServer }, { serveStdio }, { connectInMemory, estimateTokens }] = await Promise.all(
  ['openapi', 'stdio', 'index'].map(dist),
);
const library = { OpenAPIServer, serveStdio, connectInMemory, estimateTokens };
const how = { file, ...(baseUrl === '' ? {} : { baseUrl }) };

const before = { cpu: process.cpuUsage(), bytes: residentBytes('VmRSS') };
try {
  const flat = await load(library, how);
  const { user, system } = process.cpuUsage(before.cpu);
  const peakBytes = residentBytes('VmHWM');
  const measured = {
    cpuMs: (user + system) / 1000,
    peakBytes,
    grownBytes: Math.max(0, peakBytes - before.bytes),
  };
  const found = mode === '--only-load' ? {} : await look(flat);
  process.send({ file, ...measured, ...found });
} catch (error) {
  process.send({ file, failed: error.message });
}
process.disconnect();

async function look(flat) {
  const { readDocument } = await import('./documents.mjs');
  const { root: document } = readDocument(file);
  return examine(library, { ...how, root: document, flat });
}

/** Memory of this process: current or peak. */
function residentBytes(field) {
  try {
    const [, kilobytes] = new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(
      readFileSync('/proc/self/status', 'utf8'),
    );
    return Number(kilobytes) * 1024;
  } catch {
    // Outside Linux, an approximation.
    return field === 'VmRSS' ? process.memoryUsage.rss() : process.resourceUsage().maxRSS * 1024;
  }
}
