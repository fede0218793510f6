import { expectTypeOf, test } from 'vitest';
import type { ToolContext } from '../../src/index.ts';
import type { OpenApiImport } from '../../src/openapi.ts';

declare const api: OpenApiImport;
declare const context: ToolContext;

test('the body of a call is unknown until its reader says what it is', async () => {
  const { body, status, headers } = await api.call('getPet', { id: 7 });
  expectTypeOf(body).toBeUnknown();
  expectTypeOf(status).toBeNumber();
  expectTypeOf(headers).toEqualTypeOf<Headers>();
  const pet = await api.call<{ name: string }>('getPet', {}, { signal: context.signal, caller: context });
  expectTypeOf(pet.body.name).toBeString();
});

test('a caller is a principal and a token, and options are known', () => {
  void api.call('getPet', {}, { caller: { principal: { id: 'ada' } } });
  // @ts-expect-error -- there is no such option
  void api.call('getPet', {}, { timeout: 5 });
});
