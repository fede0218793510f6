import { DefinitionError } from '../errors/errors.ts';
import { isObject } from '../base/is-object.ts';
import { assertValues, FUNCTION, NON_EMPTY, required, STRING } from '../errors/options/rules.ts';
import type { Check, Rules } from '../errors/options/rules.ts';
import { wrongValue } from '../errors/options/wrong-value.ts';
import { isAnnotations } from '../format/block-members.ts';
import { assertComponent } from '../tools/components/component-definition.ts';
import type { AnyResourceDefinition } from './resource-definition.ts';

const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isCacheHint: Check = (value) => {
  if (!isObject(value)) return false;
  const { ttlMs, scope = 'private', ...others } = value as { ttlMs?: unknown; scope?: unknown };
  return isCount(ttlMs) && (scope === 'public' || scope === 'private') && Object.keys(others).length === 0;
};

const SHARED: Rules = {
  mimeType: STRING,
  annotations: [isAnnotations, 'an object with audience, priority and lastModified'],
  cacheHint: [isCacheHint, "{ ttlMs, scope }, with scope 'public' or 'private'"],
  contentProvider: FUNCTION,
};

const EXACT: Rules = {
  ...SHARED,
  uri: STRING,
  size: [isCount, 'a number of bytes'],
  text: STRING,
  blob: [(value) => typeof value === 'string' || value instanceof Uint8Array, 'a Uint8Array or base64'],
};

const TEMPLATE: Rules = {
  ...SHARED,
  uriTemplate: STRING,
  complete: [isObject, 'an object with an array or a function for each variable'],
};

/** The URI or URI template of a definition. Rejects invalid definitions. */
export function assertResource(definition: AnyResourceDefinition<never>): string {
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) {
    throw new DefinitionError('A resource definition must be an object: { uri, name, text }.');
  }
  const { uri, uriTemplate } = definition as { uri?: unknown; uriTemplate?: unknown };
  const key = uri ?? uriTemplate;
  if (typeof key !== 'string' || (uri !== undefined && uriTemplate !== undefined)) {
    throw new DefinitionError('A resource definition needs either a uri or a uriTemplate, as a string.', {
      option: 'uri',
    });
  }
  const owner = `Resource "${key.slice(0, 200)}"`;
  assertValues(owner, definition, { name: required(NON_EMPTY) });
  if (uriTemplate === undefined) assertUri(key, owner);
  else assertScheme(key, owner);
  assertComponent(definition, uriTemplate === undefined ? EXACT : TEMPLATE, owner);
  assertSource(definition, owner);
  assertKeptByFew(definition, owner);
  return key;
}

function assertUri(uri: string, owner: string): void {
  if (/[{}]/.test(uri)) {
    throw new DefinitionError(`${owner}: uri must not contain braces. For a template, use uriTemplate.`, {
      option: 'uri',
    });
  }
  if (/\s/.test(uri) || !URL.canParse(uri)) {
    throw wrongValue(owner, {
      option: 'uri',
      expected: 'an absolute URI, such as docs://manual',
      value: uri,
    });
  }
}

function assertScheme(template: string, owner: string): void {
  const sample = template.replaceAll(/\{[^{}]*\}/g, 'x');
  if (!/^[a-z][a-z0-9+.-]*:/i.test(template) || /\s/.test(template) || !URL.canParse(sample)) {
    const expected = 'the template of an absolute URI, such as notes://{id}';
    throw wrongValue(owner, { option: 'uriTemplate', expected, value: template });
  }
}

function assertSource(definition: AnyResourceDefinition<never>, owner: string): void {
  const given = ['text', 'blob', 'contentProvider'].filter(
    (key) => (definition as unknown as Record<string, unknown>)[key] !== undefined,
  );
  if (definition.uriTemplate !== undefined && given.length === 0)
    throw wrongValue(owner, { option: 'contentProvider', expected: 'a function', value: undefined });
  if (given.length !== 1) {
    throw new DefinitionError(`${owner} needs exactly one of text, blob and contentProvider.`, {
      option: given[1] ?? 'contentProvider',
    });
  }
}

/** Rejects public cache hints with scopes: a proxy would serve the cached content to any caller. */
function assertKeptByFew({ scopes = [], cacheHint }: AnyResourceDefinition<never>, owner: string): void {
  if (cacheHint?.scope === 'public' && scopes.length > 0) {
    throw new DefinitionError(`${owner}: cacheHint cannot be public, because the resource requires scopes.`, {
      option: 'cacheHint',
    });
  }
}
