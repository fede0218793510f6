/**
 * Traces one request through the built library: every function it enters, in order. Works on a copy of the modules in `dist/` with a probe
 * at the start of each function.
 *
 * node scripts/house/trace.mjs call|list|register|imported [--print]
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { parseSync } from 'oxc-parser';
import * as z from 'zod';
import { root } from '../steps.mjs';

const what = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? 'call';
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const folder = mkdtempSync(join(root, 'node_modules', '.trace-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const steps = await record(copyWithProbes());
if (process.argv.includes('--print')) for (const [file, name] of steps) console.log(`${file} · ${name}`);
console.log(JSON.stringify({ what, ...summary(steps) }));
process.exit(0);

function copyWithProbes() {
  const copy = join(folder, 'dist');
  const isWanted = (file) => !/dist[\\/]bundle/.test(file) && !file.endsWith('.d.ts');
  cpSync(join(root, 'dist'), copy, { recursive: true, filter: isWanted });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  for (const file of modulesOf(copy)) writeFileSync(file, withProbes(file, relative(copy, file)));
  return copy;
}

function modulesOf(dir) {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return modulesOf(path);
    return path.endsWith('.js') ? [path] : [];
  });
}

function withProbes(file, name) {
  const code = readFileSync(file, 'utf8');
  const inserts = [];
  const visit = (node, named) => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) return node.forEach((child) => visit(child, named));
    const own = node.key?.name ?? node.id?.name ?? named;
    if (FUNCTIONS.has(node.type) && node.body) {
      const label = String(node.id?.name ?? named ?? '(anonymous)');
      const probe = `globalThis.__trace?.(${JSON.stringify(name.replace(/\.js$/, ''))},${JSON.stringify(label)})`;
      if (node.body.type === 'BlockStatement') inserts.push([node.body.start + 1, `${probe};`]);
      else inserts.push([node.body.start, `(${probe},`], [node.body.end, ')']);
    }
    for (const key in node) if (key !== 'type') visit(node[key], own);
  };
  visit(parseSync(file, code).program, undefined);
  const ordered = inserts.map((insert, order) => [...insert, order]);
  ordered.sort((one, other) => other[0] - one[0] || one[2] - other[2]);
  return ordered.reduce((text, [at, probe]) => text.slice(0, at) + probe + text.slice(at), code);
}

async function record(copy) {
  const load = (name) => import(pathToFileURL(join(copy, name)).href);
  const { createServer, defineTool } = await load('index.js');
  const { serveHttp } = await load('http.js');
  const found = [];
  const add = defineTool({
    name: 'add',
    description: 'Adds',
    inputSchema: z.object({ a: z.number().min(0), b: z.int().default(1) }),
    handler: async ({ input }) => `${input.a + input.b}`,
  });
  const upstream = what === 'imported' ? await listenUpstream() : undefined;
  const tools = upstream === undefined ? [add] : await importFrom(load, upstream);
  const listen = () => (globalThis.__trace = (file, name) => found.push([file, name]));
  if (what === 'register') listen();
  const server = createServer({ name: 'traced', version: '1.0.0', tools });
  globalThis.__trace = undefined;
  if (what === 'register') return found;
  const running = await serveHttp(server, { port: 0 });
  const send = () => post(running.url, what === 'list' ? 'tools/list' : 'tools/call');
  const warm = await send();
  if (!warm.includes('"result"') || warm.includes('"isError":true')) throw new Error(warm);
  await send();
  listen();
  await send();
  await wait(50);
  globalThis.__trace = undefined;
  await running.close();
  upstream?.close();
  return found;
}

async function post(url, method) {
  const isCall = method === 'tools/call';
  const name = what === 'imported' ? 'getItem' : 'add';
  const args = what === 'imported' ? { id: 'a' } : { a: 1 };
  const params = { ...(isCall ? { name, arguments: args } : {}), _meta: META };
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(isCall ? { 'mcp-name': name } : {}),
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return (await fetch(url, { method: 'POST', headers, body })).text();
}

function listenUpstream() {
  const upstream = createHttpServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"id":"a","name":"An item"}');
  });
  return new Promise((resolve) => upstream.listen(0, '127.0.0.1', () => resolve(upstream)));
}

async function importFrom(load, upstream) {
  const { fromOpenAPI } = await load('openapi.js');
  const parameter = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const content = { 'application/json': { schema: { type: 'object' } } };
  const get = {
    operationId: 'getItem',
    parameters: [parameter],
    responses: { 200: { description: 'The item', content } },
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Items', version: '1.0.0' },
    servers: [{ url: `http://127.0.0.1:${upstream.address().port}` }],
    paths: { '/items/{id}': { get } },
  };
  const imported = await fromOpenAPI(document, { outbound: { allowPrivate: ['127.0.0.1'] } });
  return imported.tools;
}

function summary(found) {
  const folderOf = ([file]) => (file.includes('/') ? file.split('/')[0] : '.');
  const switches = found.filter((step, at) => at > 0 && folderOf(step) !== folderOf(found[at - 1])).length;
  return { functions: found.length, files: new Set(found.map(([file]) => file)).size, switches };
}
