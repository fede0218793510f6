import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { CONFIG_SCHEMA } from '../../../src/config.ts';

const validate = new Ajv2020({ allErrors: true }).compile(CONFIG_SCHEMA);
const isRight = (config: object): boolean => validate({ name: 'demo', ...config });

const tool = (more: object = {}, http: object = {}): object => ({
  tools: [{ name: 't', description: 'T', http: { url: 'https://a.example', ...http }, ...more }],
});

describe('the schema for editors', () => {
  test.each([
    { transport: { type: 'http', port: '${env:PORT}' } },
    { transport: { type: 'http', port: 80, path: '${env:PATH_OF_IT}' } },
    { transport: { type: 'http', path: '/${env:A}' } },
    { outbound: { allowPrivate: '${env:ALLOW}', maxRetries: '${env:RETRIES}' } },
    { outbound: { allowPrivate: ['${env:HOST}'] } },
    { exposure: '${env:EXPOSURE}' },
    { limits: { timeoutMs: '${env:MS}' }, rateLimit: { limit: '${env:A}', perMs: '1${env:B}' } },
    tool({ name: '${env:NAME}', annotations: { readOnlyHint: '${env:FLAG}' } }),
    tool({ arguments: { a: { type: '${env:TYPE}', required: '${env:FLAG}', minimum: '${env:N}' } } }),
    tool({}, { method: '${env:METHOD}', response: { select: '${env:POINTER}' } }),
  ])('takes variables of the environment: %o', (config) => {
    expect([isRight(config), validate.errors]).toEqual([true, null]);
  });

  test.each([
    { transport: { type: 'http', port: '80' } },
    { transport: { type: 'http', port: '$${env:PORT}' } },
    { transport: { type: 'http', port: '${env:}' } },
    { transport: { type: 'http', port: 99_999 } },
    { transport: { type: 'http', path: 'mcp' } },
    { outbound: { allowPrivate: 'true' } },
    { outbound: { timeoutMs: 3_000_000_000 } },
    { limits: { timeoutMs: 600_001 } },
    { exposure: 'flaty' },
    { tools: '${env:TOOLS}' },
    tool({ name: 'my tool' }),
    tool({ unknown: 1 }),
    tool({}, { method: 'GETT' }),
  ])('is as strict as ever otherwise: %o', (config) => {
    expect(isRight(config)).toBe(false);
  });
});
