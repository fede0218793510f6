import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DefinitionError } from '../../errors/errors.ts';
import { isNode } from '../../schema/nodes/json-node.ts';
import type { OutboundClient } from '../../outbound/outbound-client.ts';
import type { JsonObject } from '../model/operation.ts';
import { tooLarge } from './parse/document-limits.ts';
import type { DocumentLimits } from './parse/document-limits.ts';
import { bareUri, INLINE_URI, looksLikeUri, nameOf, pathOf, toUri } from './document-uri.ts';
import { fetchDocument } from './fetch-document.ts';
import type { OwnHeaders } from './fetch-document.ts';
import { parseDocument } from './parse/parse-document.ts';
import type { ParsedDocument } from './parse/parse-document.ts';
import { copyDocument } from './parse/plain-copy.ts';

/**
 * Source of a document: the path of a file, an `http:`, `https:` or `file:` URL, a text (a string that begins with
 * a brace or has several lines, or `{ text }`), or the document as an object.
 */
export type DocumentSource = string | URL | { readonly text: string; readonly uri?: string } | JsonObject;

/** Options of {@link readSource}. */
export interface ReadOptions {
  readonly client: OutboundClient | undefined;
  readonly own: OwnHeaders | undefined;
  readonly limits: DocumentLimits;
  readonly cwd: string;
  readonly signal: AbortSignal | undefined;
  /** Name of a document without a location, for messages. */
  readonly inlineName: string;
}

/** A loaded document. */
export interface ReadSource extends ParsedDocument {
  /** Name for messages. */
  readonly name: string;
  /** Without fragment and credentials. */
  readonly uri: string;
  readonly bytes: number;
  /** Folder of a file. */
  readonly folder?: string;
  /** Origin of a fetched document. */
  readonly origin?: string;
}

/** Loads a document from any source. */
export async function readSource(source: DocumentSource, options: ReadOptions): Promise<ReadSource> {
  const { limits, cwd, inlineName } = options;
  const resolved = resolveSource(source, cwd);
  if (resolved instanceof URL) return readUrl(resolved, options);
  if ('path' in resolved) return readPath(resolved.path, options);
  const uri = resolved.uri ?? INLINE_URI;
  const name = resolved.uri === undefined ? inlineName : nameOf(uri);
  if ('value' in resolved) return { ...copyDocument(name, resolved.value, limits), name, uri, bytes: 0 };
  const bytes = Buffer.byteLength(resolved.text);
  // defence: limit-of-bytes
  if (bytes > limits.maxDocumentBytes) throw tooLarge(name, limits.maxDocumentBytes);
  return { ...parseDocument({ name, text: resolved.text }, limits), name, uri, bytes };
}

/** Name of a source in messages, before it is loaded. */
export function nameOfSource(source: DocumentSource, inlineName: string): string {
  const text = source instanceof URL ? source.href : source;
  if (typeof text !== 'string' || isText(text)) return inlineName;
  return looksLikeUri(text) ? nameOf(text) : text;
}

/** Whether a string is a document and not a path or a URL: it begins with a brace or has several lines. */
function isText(source: string): boolean {
  return /^\s*\{|[\r\n]/.test(source);
}

/** Headers of the request for a document, and their origin. User name and password in a URL become a header. */
export function ownHeadersOf(
  source: DocumentSource,
  headers: Readonly<Record<string, string>> = {},
): OwnHeaders | undefined {
  const text = source instanceof URL ? source.href : source;
  if (typeof text !== 'string' || !/^https?:/i.test(text) || !URL.canParse(text)) return undefined;
  const { origin, username, password } = new URL(text);
  if (username === '' && password === '') return { origin, headers };
  const user = `${decode(username)}:${decode(password)}`;
  const basic = { authorization: `Basic ${Buffer.from(user).toString('base64')}` };
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { origin, headers: { ...basic, ...Object.fromEntries(lower) } };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type ResolvedSource =
  | URL
  | { readonly path: string }
  | { readonly text: string; readonly uri?: string }
  | { readonly value: JsonObject; readonly uri?: undefined };

function resolveSource(source: DocumentSource, cwd: string): ResolvedSource {
  if (typeof source === 'string') return isText(source) ? { text: source } : toAddress(source, cwd);
  if (source instanceof URL) return toAddress(source.href, cwd);
  if (!isNode(source)) throw new DefinitionError('The document must be a path, a URL, a text, or an object.');
  const { text, uri } = source as { text?: unknown; uri?: unknown };
  const hasNoMore = Object.keys(source).every((key) => key === 'text' || key === 'uri');
  if (typeof text !== 'string' || !hasNoMore) return { value: source };
  return typeof uri === 'string' && uri !== '' ? { text, uri: toUri(uri, cwd) } : { text };
}

function toAddress(text: string, cwd: string): URL | { readonly path: string } {
  if (text.trim() === '') throw new DefinitionError('The path of the document is empty.');
  if (!looksLikeUri(text)) return { path: resolve(cwd, text) };
  const url = new URL(text);
  if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  const path = url.protocol === 'file:' ? pathOf(url) : undefined;
  if (path !== undefined) return { path };
  // Only the protocol is shown: the URL may contain a password.
  throw new DefinitionError(
    `Invalid document URL: expected an http:, https: or local file: URL; received ${url.protocol}`,
  );
}

async function readUrl(url: URL, options: ReadOptions): Promise<ReadSource> {
  const { client, own, limits, signal } = options;
  const target = new URL(bareUri(url));
  const fetched = await fetchDocument(target, { client, own, maxBytes: limits.maxDocumentBytes, signal });
  const uri = bareUri(fetched.url);
  const name = nameOf(uri);
  const parsed = parseDocument({ name, text: decodeText(fetched.bytes) }, limits);
  return { ...parsed, name, uri, bytes: fetched.bytes.length, origin: fetched.url.origin };
}

async function readPath(path: string, { limits, signal }: ReadOptions): Promise<ReadSource> {
  if (signal?.aborted === true) throw new DefinitionError(`Loading ${path} was cancelled.`);
  const bytes = await readBytes(path, limits.maxDocumentBytes);
  const parsed = parseDocument({ name: path, text: decodeText(bytes) }, limits);
  const uri = pathToFileURL(path).href;
  return { ...parsed, name: path, uri, bytes: bytes.length, folder: dirname(path) };
}

async function readBytes(path: string, maxBytes: number): Promise<Uint8Array> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    throw new DefinitionError(describeFailure(path, error), { cause: error });
  }
  try {
    return await readHandle({ file, name: path }, maxBytes);
  } finally {
    await file.close();
  }
}

/** Reads an open file, up to a maximum number of bytes. */
export async function readHandle(
  { file, name }: { readonly file: FileHandle; readonly name: string },
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const stats = await file.stat();
    if (stats.isFile() && stats.size > maxBytes) throw tooLarge(name, maxBytes);
    // The size of a pipe is unknown, and a file may grow.
    for (;;) {
      const buffer = Buffer.allocUnsafe(Math.max(65_536, Math.min(stats.size - size + 1, maxBytes + 1)));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
      size += bytesRead;
      if (size > maxBytes) throw tooLarge(name, maxBytes);
      chunks.push(buffer.subarray(0, bytesRead));
    }
  } catch (error) {
    if (error instanceof DefinitionError) throw error;
    throw new DefinitionError(describeFailure(name, error), { cause: error });
  }
}

function describeFailure(path: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return `File not found: ${path}.`;
  if (code === 'EISDIR') return `${path} is a folder, not a file. Give the path of a document in it.`;
  if (code === 'EACCES' || code === 'EPERM') return `${path} is not readable by this user.`;
  return `${path.slice(0, 1000)} could not be read${code === undefined ? '' : ` (${code})`}.`;
}

/** Some programs write UTF-16 with a byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}
