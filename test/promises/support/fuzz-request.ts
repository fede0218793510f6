import { envelope } from '../../support/raw-peer.ts';
import type { Base } from './fuzz-bases.ts';
import type { FuzzCase, Mutation } from './fuzz-cases.ts';
import { leaf, spotsOf, toTree, writeTree } from './json-tree.ts';
import type { JsonTree, Spot } from './json-tree.ts';
import { JSON_HEADERS } from './poster.ts';
import type { Posted } from './poster.ts';

/** Sessions for requests of earlier revisions. */
export type Sessions = Readonly<Record<'legacy' | 'batch', string>>;

/** The request of a case. */
export function toRequest(fuzz: Exclude<FuzzCase, { kind: 'wire' }>, sessions: Sessions, id: number): Posted {
  if (fuzz.kind === 'mutated') return mutate(fuzz, sessions, id);
  const headers = headersOf({ era: fuzz.era, method: 'tools/list', params: {} }, sessions);
  return { headers, body: fuzz.kind === 'json' ? fuzz.text : Buffer.from(fuzz.bytes) };
}

type Mutated = Extract<FuzzCase, { kind: 'mutated' }>;

/** First the message, then its encoding, then the request around it. */
function mutate({ base, mutations }: Mutated, sessions: Sessions, id: number): Posted {
  const tree = toTree(messageOf(base, id));
  for (const mutation of mutations) if ('isInside' in mutation) changeTree(tree, mutation);
  let body: Buffer = Buffer.from(writeTree(tree));
  let headers = Object.entries(headersOf(base, sessions));
  let target: Pick<Posted, 'method' | 'path'> = {};
  for (const mutation of mutations) {
    if (mutation.op === 'bytes') body = changeBytes(body, mutation);
    if (mutation.op === 'header') headers = changeHeader(headers, mutation);
    if (mutation.op === 'request') target = { method: mutation.method, path: mutation.path };
  }
  // All later cases need the session, so it must not be ended.
  if (target.method === 'DELETE') headers = headers.filter(([name]) => name !== 'Mcp-Session-Id');
  const isStream = target.method === 'GET' || body.includes('subscriptions/listen');
  return { ...target, headers: Object.fromEntries(headers), body, isStream };
}

/** Raw bytes for the connection. */
export function toWire({ start, bytes: given, at }: Extract<FuzzCase, { kind: 'wire' }>): Buffer {
  const text = Buffer.from(start);
  const cut = Math.min(at, text.length);
  return Buffer.concat([text.subarray(0, cut), Buffer.from(given), text.subarray(cut)]);
}

function messageOf({ era, method, params }: Base, id: number): unknown {
  const isNotification = method.startsWith('notifications/');
  const capabilities = { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const given = params['_meta'] as object | undefined;
  const modern = { ...params, _meta: { ...envelope(capabilities), ...given } };
  const message = {
    jsonrpc: '2.0',
    ...(isNotification ? {} : { id }),
    method,
    params: era === 'modern' && !isNotification ? modern : params,
  };
  return era === 'batch' && method !== 'initialize'
    ? [{ jsonrpc: '2.0', id: `${id}-ping`, method: 'ping' }, message]
    : message;
}

function headersOf({ era, method, params }: Base, sessions: Sessions): Record<string, string> {
  if (method === 'initialize') return { ...JSON_HEADERS };
  if (era !== 'modern')
    return {
      ...JSON_HEADERS,
      'Mcp-Session-Id': sessions[era],
      'MCP-Protocol-Version': era === 'batch' ? '2025-03-26' : '2025-11-25',
    };
  const name = params['name'] ?? params['uri'] ?? params['taskId'];
  return {
    ...JSON_HEADERS,
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
  };
}

function changeHeader(
  headers: readonly [string, string][],
  { at, value }: Extract<Mutation, { op: 'header' }>,
): [string, string][] {
  return headers.flatMap(([name, given], index): [string, string][] => {
    if (index !== at % headers.length) return [[name, given]];
    return value === undefined ? [] : [[name, value]];
  });
}

type TreeMutation = Extract<Mutation, { isInside: boolean }>;

function changeTree(tree: JsonTree, { op, isInside, at, key, text, size }: TreeMutation): void {
  const all = spotsOf(tree);
  const args = all.find((spot) => spot.key === '"arguments"');
  const spots = isInside && args !== undefined ? spotsOf(args.value) : all;
  const spot = spots[at % Math.max(1, spots.length)];
  if (op === 'id') return all.find((each) => each.key === '"id"')?.put(leaf(text));
  if (op === 'add') return addMember(isInside ? args : spot, key, text);
  if (spot === undefined) return;
  if (op === 'replace') spot.put(leaf(text));
  else if (op === 'remove') spot.remove();
  else if (op === 'double') spot.double();
  else if (op === 'rename') spot.rename(key);
  else spot.put(leaf(grown(size, at)));
}

function addMember(spot: Spot | undefined, key: string, text: string): void {
  if (spot?.value.kind === 'object') spot.value.members.push([key, leaf(text)]);
  else if (spot?.value.kind === 'list') spot.value.items.push(leaf(text));
  else spot?.put(leaf(`{${key}:${text}}`));
}

/** A long, wide or deep value. */
function grown(size: number, at: number): string {
  if (at % 4 === 0) return `[${'0,'.repeat(size)}0]`;
  if (at % 4 === 1) return `${'['.repeat(size)}${']'.repeat(size)}`;
  if (at % 4 === 2)
    return `{${Array.from({ length: Math.min(size, 60_000) }, (_, index) => `"${index}":0`).join(',')}}`;
  return `"${'ü'.repeat(size)}"`;
}

function changeBytes(body: Buffer, { way, at, byte }: Extract<Mutation, { op: 'bytes' }>): Buffer {
  const place = at % (body.length + 1);
  const [before, after] = [body.subarray(0, place), body.subarray(place)];
  const one = Buffer.from([byte]);
  switch (way) {
    case 'cut':
      return before;
    case 'flip':
      return Buffer.concat([before, one, after.subarray(1)]);
    case 'insert':
      return Buffer.concat([before, one, after]);
    case 'mark':
      return Buffer.concat([Buffer.from('\uFEFF'), body]);
    case 'trail':
      return Buffer.concat([body, Buffer.from('{}')]);
    case 'pad':
      return Buffer.concat([Buffer.alloc(at, ' '), body, Buffer.alloc(at, '\n')]);
    default:
      return Buffer.concat([Buffer.from('['), body, Buffer.from(']')]);
  }
}
