import { DefinitionError } from '../errors/errors.ts';
import { isAnnotations } from '../format/block-members.ts';
import { isObject, isOneOf, isText } from '../tools/compile/member-checks.ts';
import type { Check, MemberRule } from '../tools/compile/member-checks.ts';
import { assertComponent } from '../tools/components/component-definition.ts';
import type { AnyResourceDefinition } from './resource-definition.ts';

const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isFunction: Check = (value) => typeof value === 'function';
const isCacheHint: Check = (value) => {
  if (!isObject(value)) return false;
  const { ttlMs, scope, ...others } = value as { ttlMs?: unknown; scope?: unknown };
  const isScope = scope === undefined || isOneOf('public', 'private')(scope);
  return isCount(ttlMs) && isScope && Object.keys(others).length === 0;
};

const SHARED: readonly MemberRule[] = [
  ['mimeType', isText, 'a string'],
  ['annotations', isAnnotations, 'an object with audience, priority and lastModified'],
  ['cacheHint', isCacheHint, "{ ttlMs, scope }, with scope 'public' or 'private'"],
  ['contentProvider', isFunction, 'a function'],
];

const EXACT: readonly MemberRule[] = [
  ...SHARED,
  ['uri', isText, 'a string'],
  ['size', isCount, 'a number of bytes'],
  ['text', isText, 'a string'],
  ['blob', (value) => typeof value === 'string' || value instanceof Uint8Array, 'a Uint8Array or base64'],
];

const TEMPLATE: readonly MemberRule[] = [
  ...SHARED,
  ['uriTemplate', isText, 'a string'],
  ['complete', isObject, 'an object with a list or a function for each variable'],
];

/** The URI or the URI template that a definition is for. Rejects invalid definitions. */
export function assertResource(definition: AnyResourceDefinition<never>): string {
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) {
    throw new DefinitionError('A resource definition must be an object: { uri, name, text }.');
  }
  const { uri, uriTemplate, name } = definition as { uri?: unknown; uriTemplate?: unknown; name?: unknown };
  const key = uri ?? uriTemplate;
  if (typeof key !== 'string' || (uri !== undefined && uriTemplate !== undefined)) {
    throw new DefinitionError('A resource definition needs either a uri or a uriTemplate, as a string.');
  }
  const owner = `Resource "${key.slice(0, 200)}"`;
  if (typeof name !== 'string' || name.trim() === '') throw new DefinitionError(`${owner} needs a name.`);
  if (uriTemplate === undefined) assertUri(key, owner);
  else assertScheme(key, owner);
  assertComponent(definition, uriTemplate === undefined ? EXACT : TEMPLATE, owner);
  assertSource(definition, owner);
  assertKeptByFew(definition, owner);
  return key;
}

function assertUri(uri: string, owner: string): void {
  if (/[{}]/.test(uri)) {
    throw new DefinitionError(`${owner}: a URI has no braces. For a template, use uriTemplate.`);
  }
  if (/\s/.test(uri) || !URL.canParse(uri)) {
    throw new DefinitionError(`${owner}: the uri must be an absolute URI, such as docs://manual.`);
  }
}

function assertScheme(template: string, owner: string): void {
  const sample = template.replaceAll(/\{[^{}]*\}/g, 'x');
  if (!/^[a-z][a-z0-9+.-]*:/i.test(template) || /\s/.test(template) || !URL.canParse(sample)) {
    throw new DefinitionError(
      `${owner}: the uriTemplate must be the template of an absolute URI, such as notes://{id}.`,
    );
  }
}

function assertSource(definition: AnyResourceDefinition<never>, owner: string): void {
  const given = ['text', 'blob', 'contentProvider'].filter(
    (key) => (definition as unknown as Record<string, unknown>)[key] !== undefined,
  );
  if (definition.uriTemplate !== undefined && given.length === 0)
    throw new DefinitionError(`${owner} needs a contentProvider.`);
  if (given.length !== 1) {
    throw new DefinitionError(`${owner} needs exactly one of text, blob and contentProvider.`);
  }
}

/** A proxy that keeps it would hand it to whoever asks. */
function assertKeptByFew({ scopes = [], cacheHint }: AnyResourceDefinition<never>, owner: string): void {
  if (cacheHint?.scope === 'public' && scopes.length > 0) {
    throw new DefinitionError(
      `${owner} is only for callers with its scopes, so its cacheHint cannot be public.`,
    );
  }
}
