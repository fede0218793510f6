import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { callThrough } from './openapi-runs.ts';
import type { Check, Place, Said } from './openapi-runs.ts';

/** The same with more arguments. */
export const and = ({ line, env }: Said, ...more: string[]): Said => ({ line: [...more, ...line], env });

/** A document with one operation, in a file. */
function withPath(
  { folder }: Place,
  path: string,
  item: object = { get: { operationId: 'getOne' } },
): string {
  const file = join(folder, 'one.json');
  const document = { openapi: '3.1.0', info: { title: 'One', version: '1' }, paths: { [path]: item } };
  writeFileSync(file, JSON.stringify(document));
  return file;
}

/** Flags about requests. */
export const REQUEST_CHECKS: Readonly<Record<string, Check>> = {
  'no-redirects': async (say, place) => {
    const document = withPath(place, '/moved.here');
    const at = [document, '--base-url', place.api.origin];
    expect((await callThrough(place, { line: at, env: {} }, ['getOne'])).code).toBe(0);
    expect(place.api.last().url).toBe('/orders');
    const { code, err } = await callThrough(place, and(say(), ...at), ['getOne']);
    expect([code, err]).toEqual([1, expect.stringContaining('answered 302 Found: it has moved to /orders.')]);
  },
  'no-slashes': async (say, place) => {
    const document = withPath(place, '/orders/{id}');
    const at = [document, '--base-url', place.api.origin];
    expect((await callThrough(place, { line: at, env: {} }, ['getOne', 'id=a/b'])).code).toBe(0);
    expect(place.api.last().url).toBe('/orders/a%2Fb');
    const { code, err } = await callThrough(place, and(say(), ...at), ['getOne', 'id=a/b']);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('id: cannot be part of the path: it has a slash'),
    ]);
  },
  validate: async (say, place) => {
    const closed = (name: string) => ({
      additionalProperties: false,
      properties: { [name]: { type: 'string' } },
    });
    const item = { allOf: [closed('a'), closed('b')] };
    const schema = { type: 'object', properties: { item } };
    const requestBody = { required: true, content: { 'application/json': { schema } } };
    const document = withPath(place, '/orders', { post: { operationId: 'getOne', requestBody } });
    const at = [document, '--base-url', place.api.origin];
    const call = ['getOne', 'item={"a":"1","b":"2"}'] as const;
    expect((await callThrough(place, { line: at, env: {} }, call)).code).toBe(1);
    expect((await callThrough(place, and(say('lenient'), ...at), call)).code).toBe(0);
    expect(JSON.parse(place.api.last().body)).toEqual({ item: { a: '1', b: '2' } });
  },
};
