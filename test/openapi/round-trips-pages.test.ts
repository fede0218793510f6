import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConnectedApi } from './support/connected-api.ts';

let connected: ConnectedApi;
beforeAll(async () => {
  const query = (name: string, schema: object): object => ({ name, in: 'query', schema });
  const parameters = [
    query('id_after', { type: 'integer' }),
    query('exact', { type: ['boolean', 'null'] }),
    query('labels', { type: 'array', items: { type: 'string' } }),
    query('code', { type: 'string' }),
    query('any', {}),
  ];
  connected = await ConnectedApi.open((origin) => ({
    document: {
      openapi: '3.1.1',
      info: { title: 'Pages', version: '1' },
      servers: [{ url: origin }],
      paths: { '/items': { get: { operationId: 'items', parameters, responses: {} } } },
    },
  }));
  connected.api.answer = () => ({
    headers: {
      'content-type': 'application/json',
      link: '</items?id_after=43&exact=false&labels=a&code=7&any=x>; rel="next"',
    },
    body: '[1]',
  });
});
afterAll(() => connected.close());

test('the arguments of the next page have the types of their schemas, so that the call is valid', async () => {
  const { result } = await connected.call('items');
  const next = result._meta?.['toolwright/next'];
  expect(next).toEqual({ id_after: 43, exact: false, labels: ['a'], code: '7', any: 'x' });
  const { target } = await connected.send('items', next as object);
  expect(target).toBe('/items?id_after=43&exact=false&labels=a&code=7&any=x');
});
