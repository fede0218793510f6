import { describe, expect, test } from 'vitest';
import { openapi } from '../../../src/cli/commands/openapi.ts';
import { serve } from '../../../src/cli/commands/serve.ts';
import { errorInFlags, inFlags } from '../../../src/cli/openapi/plan/in-flags.ts';
import { DefinitionError } from '../../../src/errors/errors.ts';
import type { FindingData } from '../../../src/errors/finding.ts';

/** The sentence of the command line for a finding, whatever the library's sentence is. */
function say(finding: FindingData, name?: string): string {
  return inFlags({ ...finding, message: 'The words of the library.' }, name);
}

const CREDENTIAL = { option: 'credentials', path: ['key'] } as const;

test.each<[FindingData, string]>([
  [{ reason: 'wrong-value', option: 'tls', path: ['ca'], expected: 'PEM' }, '--ca-cert must be PEM.'],
  [
    { reason: 'private-address', option: 'allowPrivate', expected: '10.0.0.1', received: '10.0.0.1' },
    '10.0.0.1 is not a public address. To allow it: --allow-private 10.0.0.1',
  ],
  [
    { reason: 'private-address', option: 'allowPrivate', expected: 'api.example', received: '10.0.0.1' },
    'api.example resolves to 10.0.0.1, which is not a public address. To allow it: --allow-private api.example',
  ],
  [
    { reason: 'hosts-not-named', option: 'allowedHosts', received: '0.0.0.0' },
    'The host "0.0.0.0" is reachable from other machines. Name the allowed Host headers: --allow-host api.example.com.',
  ],
  [
    { reason: 'unusable-certificate', option: 'tls', path: ['cert'], received: 'the passphrase is wrong' },
    'Invalid --client-cert and --client-key: the passphrase is wrong.',
  ],
  [
    { reason: 'unknown-security-scheme', ...CREDENTIAL, expected: ['kay', 'login'] },
    '--credential: unknown security scheme "key". Did you mean "kay"? Security schemes: kay, login.',
  ],
  [
    { reason: 'unknown-security-scheme', ...CREDENTIAL, expected: [] },
    '--credential: unknown security scheme "key". The document has no security schemes: use --headers.',
  ],
  [
    { reason: 'unfit-credential', ...CREDENTIAL, expected: 'a text or { apiKey }' },
    '--credential key does not match its security scheme: expected a text or { apiKey }.',
  ],
  [
    { reason: 'unsupported-security-scheme', ...CREDENTIAL, received: 'digest' },
    '--credential key: digest authentication is not supported. Set its header with --headers, or write a server in code.',
  ],
  [
    { reason: 'certificate-expected', ...CREDENTIAL },
    '--credential key: the security scheme needs a client certificate. Use --client-cert and --client-key.',
  ],
  [
    { reason: 'untrusted-token-server', ...CREDENTIAL, received: 'https://id.example.com' },
    '--credential key: the token URL of the document is at https://id.example.com, which is not the origin of the API. To allow it, add token-url= or --credential-origin https://id.example.com.',
  ],
  [
    { reason: 'missing-credential', ...CREDENTIAL, expected: 'header X-Key' },
    'key (header X-Key): add --credential key=env:NAME',
  ],
  [
    { reason: 'missing-certificate', option: 'tls', path: ['mtls'], expected: 'client certificate' },
    'mtls (client certificate): add --client-cert and --client-key',
  ],
  [
    { reason: 'undefined-security-scheme', option: 'headers', path: ['gone'] },
    'gone (not defined in the document): add --headers',
  ],
  [
    { reason: 'untrusted-origin', option: 'origins', received: 'https://a.example' },
    'https://a.example is not in --credential-origin: credentials are not sent there',
  ],
  [
    { reason: 'no-base-url', option: 'baseUrl', received: 'The document names no server' },
    'The document names no server. Set the base URL of the API with --base-url (API_BASE_URL).',
  ],
  [
    {
      reason: 'missing-server-variable',
      option: 'serverVariables',
      path: ['region'],
      received: 'https://{region}.example',
    },
    'Missing server variable "region" of "https://{region}.example": add --server-variable region=\u2026, or set the base URL of the API with --base-url (API_BASE_URL).',
  ],
  [
    {
      reason: 'unknown-server-variable',
      option: 'serverVariables',
      path: ['regoin'],
      expected: ['region'],
    },
    '--server-variable: unknown variable "regoin". Did you mean "region"?',
  ],
  [
    {
      reason: 'reference-origin',
      option: 'references.origins',
      expected: 'https://b.example',
      received: 'https://b.example/pet.yaml',
    },
    'https://b.example/pet.yaml was not read: references to https://b.example are not allowed. To allow them: --ref-origin https://b.example',
  ],
  [
    { reason: 'reference-root', option: 'references.roots', expected: ['/api'], received: '/pet.yaml' },
    '/pet.yaml was not read: it is not in /api. To allow it, add its folder: --ref-root.',
  ],
  [
    { reason: 'reference-root', option: 'references.roots', expected: [], received: '/pet.yaml' },
    '/pet.yaml was not read: references to files are not allowed. To allow it, add its folder: --ref-root.',
  ],
  [
    { reason: 'unmatched-entry', option: 'includeTags', expected: ['pets'], received: 'petz' },
    '--tag: "petz" matches no operation. Did you mean "pets"?',
  ],
  [
    {
      reason: 'ignored-options',
      option: 'includeTools',
      received: ['includeResources', 'includeOperations', 'includeMethods'],
    },
    '--tool alone selects the operations: --resource, --operation, --method are ignored.',
  ],
  [{ reason: 'not-included', option: 'includeTools' }, 'not in --tool'],
  [{ reason: 'not-included', option: 'includeMethods' }, 'matches nothing in --method'],
  [{ reason: 'excluded', option: 'excludePaths', received: '/admin' }, '"/admin" is in --exclude-path'],
  [{ reason: 'excluded', option: 'excludeTools', received: 'getPet' }, '"getPet" is in --exclude-tool'],
  [{ reason: 'unknown-operation', option: 'overrides', path: ['x'] }, 'The words of the library.'],
])('%j', (finding, sentence) => {
  expect(say(finding)).toBe(sentence);
});

test('names that belong to one of several documents have its name before them', () => {
  expect(say({ reason: 'missing-credential', ...CREDENTIAL, expected: 'header X-Key' }, 'shop')).toBe(
    'key (header X-Key): add --credential shop.key=env:NAME',
  );
});

describe('the message of an error', () => {
  test('is written from its data, whatever the library says', () => {
    const place = { option: 'credentials', path: ['key'], expected: 'a string' };
    const error = new DefinitionError('It is empty.', { ...place, reason: 'wrong-value' });
    expect(errorInFlags(error, openapi.flags)).toBe('--credential key must be a string.');
    const other = new DefinitionError('credentials.key is empty.', place);
    expect(errorInFlags(other, openapi.flags)).toBe('credentials.key is empty.');
  });

  test('is never searched for what others say', () => {
    const finding = { reason: 'not-included', option: 'includeTags', message: 'no tag' } as const;
    const error = new DefinitionError('GET /a: no tag', { findings: [finding] });
    expect(errorInFlags(error, openapi.flags)).toBe('GET /a: no tag');
  });

  test('keeps the name of an option that the command has no flag for', () => {
    const data = { reason: 'wrong-value', option: 'baseUrl', expected: 'a URL' } as const;
    const error = new DefinitionError('baseUrl is no URL.', data);
    expect(errorInFlags(error, openapi.flags)).toBe('--base-url must be a URL.');
    expect(errorInFlags(error, serve.flags)).toBe('baseUrl is no URL.');
  });

  test('stays as it is where it says nothing of options', () => {
    expect(errorInFlags(new DefinitionError('includeTools is a word.'), openapi.flags)).toBe(
      'includeTools is a word.',
    );
  });
});
