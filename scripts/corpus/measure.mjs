/**
 * One document in a process of its own, on the built package: `node measure.mjs <file> <base URL or nothing> [--only-load]`. Tells its
 * parent what it found. What is measured comes first, before anything else can warm up code or take memory.
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

/** Of this process, now or at most. */
function residentBytes(field) {
  try {
    const [, kilobytes] = new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(
      readFileSync('/proc/self/status', 'utf8'),
    );
    return Number(kilobytes) * 1024;
  } catch {
    // Not Linux: near enough.
    return field === 'VmRSS' ? process.memoryUsage.rss() : process.resourceUsage().maxRSS * 1024;
  }
}
