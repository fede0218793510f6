import { expect, test } from 'vitest';
import { DefinitionError } from '../../../../src/errors/errors.ts';
import type { ToolwrightError } from '../../../../src/errors/errors.ts';
import type { DocumentSource } from '../../../../src/openapi/document/load-document.ts';
import { fromOpenAPI } from '../../../../src/openapi/from-openapi.ts';
import type { OpenApiOptions } from '../../../../src/openapi/import-options.ts';

const API = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://{region}.example.com', variables: { region: { default: 'eu' } } }],
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      digest: { type: 'http', scheme: 'digest' },
      tls: { type: 'mutualTLS' },
      login: {
        type: 'oauth2',
        flows: { clientCredentials: { tokenUrl: 'https://id.example.org/token', scopes: {} } },
      },
    },
  },
  paths: {
    '/pets': {
      get: { operationId: 'listPets', tags: ['pets'], responses: {} },
      post: {
        operationId: 'addPet',
        tags: ['pets'],
        security: [{ key: [] }, { tls: [], gone: [] }],
        responses: {},
      },
    },
    '/far': {
      get: { operationId: 'far', parameters: [{ $ref: 'https://b.example/p.yaml' }], responses: {} },
    },
  },
};

async function refused(options: OpenApiOptions, api: DocumentSource = API): Promise<ToolwrightError> {
  const error: unknown = await fromOpenAPI(api, options).catch((thrown: unknown) => thrown);
  if (!(error instanceof DefinitionError)) throw new Error('It was not refused.');
  return error;
}

const CLIENT = { clientId: 'a', clientSecret: 'secret-1' };

test.each<[OpenApiOptions, object]>([
  [
    { credentials: { kee: 'secret-1' } },
    { reason: 'unknown-security-scheme', path: ['kee'], expected: ['key', 'digest', 'tls', 'login'] },
  ],
  [
    { credentials: { key: CLIENT } },
    { reason: 'unfit-credential', path: ['key'], expected: 'a string or { apiKey }' },
  ],
  [{ credentials: { key: '' } }, { reason: 'wrong-value', path: ['key'], expected: 'a non-empty string' }],
  [
    { credentials: { digest: 'secret-1' } },
    { reason: 'unsupported-security-scheme', path: ['digest'], received: 'digest' },
  ],
  [{ credentials: { tls: 'secret-1' } }, { reason: 'certificate-expected', path: ['tls'] }],
  [
    { credentials: { login: CLIENT } },
    { reason: 'untrusted-token-server', path: ['login'], received: 'https://id.example.org' },
  ],
])('a credential that is refused says which, and why: %j', async (options, data) => {
  const error = await refused(options);
  expect(error).toMatchObject({ code: 'INVALID_DEFINITION', option: 'credentials', ...data });
  expect(JSON.stringify(error.findings)).not.toContain('secret-1');
});

test.each<[object, object]>([
  [
    { baseUr: 'x' },
    { reason: 'unknown-option', option: 'baseUr', expected: expect.arrayContaining(['baseUrl']) },
  ],
  [{ baseUrl: 1 }, { reason: 'wrong-value', option: 'baseUrl', expected: 'a string', received: '1' }],
  [
    { includeTags: 'pets' },
    { reason: 'wrong-value', option: 'includeTags', expected: 'an array of strings' },
  ],
  [{ origins: ['a'] }, { reason: 'wrong-value', option: 'origins', received: '"a"' }],
  [
    { references: { origins: ['a'] } },
    { reason: 'wrong-value', option: 'references.origins', received: '"a"' },
  ],
  [
    { references: { roots: ['/not-there'] } },
    { reason: 'wrong-value', option: 'references.roots', received: '"/not-there"' },
  ],
  [{ namespace: 'a b' }, { reason: 'wrong-value', option: 'namespace' }],
  [
    { outbound: { allowPrivate: ['a b'] } },
    { reason: 'wrong-value', option: 'allowPrivate', received: '"a b"' },
  ],
  [
    { outbound: { tls: { origins: ['https://a.example'], ca: 'x' } } },
    { reason: 'wrong-value', option: 'tls', path: ['ca'] },
  ],
])('an option that is refused is named: %j', async (options, data) => {
  expect(await refused(options as OpenApiOptions)).toMatchObject(data);
});

test('a report has what its notes, reasons and missing credentials say', async () => {
  const { report } = await fromOpenAPI(API, {
    includeTags: ['pets', 'petz'],
    serverVariables: { regoin: 'us' },
    override: ({ operationId }) =>
      operationId === 'listPets' ? { arguments: { limit: { hidden: true, fixed: 1 } } } : undefined,
    excludeTools: ['listPet'],
  });
  const texts = [
    report.notes,
    report.operations.map(({ reason, notes, missingCredentials }) => [reason, notes, missingCredentials]),
  ]
    .flat(4)
    .join('\n');
  for (const { message } of report.findings) expect(texts).toContain(message);
  expect(report.findings.map(({ message: _message, ...data }) => data)).toEqual([
    {
      reason: 'reference-origin',
      option: 'references.origins',
      expected: 'https://b.example',
      received: 'https://b.example/p.yaml',
    },
    { reason: 'unknown-server-variable', option: 'serverVariables', path: ['regoin'], expected: ['region'] },
    { reason: 'unmatched-entry', option: 'includeTags', expected: ['pets'], received: 'petz' },
    { reason: 'unmatched-entry', option: 'excludeTools', expected: ['listPets'], received: 'listPet' },
    { reason: 'unknown-argument', option: 'overrides', path: ['GET /pets', 'arguments', 'limit'] },
    { reason: 'missing-credential', option: 'credentials', path: ['key'], expected: 'header X-Key' },
    { reason: 'missing-certificate', option: 'tls', path: ['tls'], expected: 'client certificate' },
    { reason: 'undefined-security-scheme', option: 'headers', path: ['gone'] },
    { reason: 'unusable-operation', option: 'document', path: ['GET /far'] },
  ]);
});

test('describeFinding writes every sentence of a report that is about an option', async () => {
  const given = {
    includeTags: ['pets', 'petz'],
    serverVariables: { regoin: 'us' },
    override: ({ operationId }: { readonly operationId?: string | undefined }) =>
      operationId === 'listPets' ? { arguments: { limit: { hidden: true, fixed: 1 } } } : undefined,
    excludeTools: ['listPet'],
  };
  const describeFinding: OpenApiOptions['describeFinding'] = ({ reason, option }) => `<${reason} ${option}>`;
  const { report } = await fromOpenAPI(API, { ...given, describeFinding });
  expect(report.notes).toEqual([
    '<unknown-server-variable serverVariables>',
    '<unmatched-entry includeTags>',
    '<unmatched-entry excludeTools>',
  ]);
  expect(
    report.operations.map(({ key, reason, notes, missingCredentials }) => [
      key,
      reason,
      notes,
      missingCredentials,
    ]),
  ).toEqual([
    ['GET /pets', undefined, ['<unknown-argument overrides>'], []],
    [
      'POST /pets',
      undefined,
      [],
      [
        'needs <missing-credential credentials>',
        'or <missing-certificate tls> and <undefined-security-scheme headers>',
      ],
    ],
    ['GET /far', '<unusable-operation document>', [], []],
  ]);
  const { report: named } = await fromOpenAPI(API, {
    excludeTags: ['pets'],
    describeFinding: (finding) =>
      finding.option === 'document' ? finding.message : describeFinding(finding),
  });
  expect(named.operations.map(({ reason }) => reason)).toEqual([
    '<excluded excludeTags>',
    '<excluded excludeTags>',
    'a parameter cannot be read: <reference-origin references.origins>',
  ]);
});

test('a file that cannot be read says which, in the data of the report', async () => {
  const far = { get: { parameters: [{ $ref: 'http://127.0.0.1:9/p.yaml' }], tags: ['pets'] } };
  const near = { get: { parameters: [{ $ref: 'file:///nowhere/p.yaml' }], tags: ['pets'] } };
  const { report } = await fromOpenAPI(
    { ...API, paths: { ...API.paths, '/far': far, '/near': near } },
    { references: { origins: ['http://127.0.0.1:9'], roots: ['/'] } },
  );
  expect(report.findings.filter(({ path }) => path === undefined)).toEqual([
    {
      reason: 'private-address',
      option: 'allowPrivate',
      expected: '127.0.0.1',
      received: '127.0.0.1',
      message: expect.stringContaining('http://127.0.0.1:9/p.yaml'),
    },
    {
      reason: 'unreadable-document',
      option: 'references',
      received: '/nowhere/p.yaml',
      message: expect.stringContaining('/nowhere/p.yaml'),
    },
  ]);
});

test('an import without operations reports the reason', async () => {
  const { '/far': far } = API.paths;
  expect(
    (await refused({ references: { origins: [] } }, { ...API, paths: { '/far': far } })).findings,
  ).toEqual([
    {
      reason: 'reference-origin',
      option: 'references.origins',
      expected: 'https://b.example',
      received: 'https://b.example/p.yaml',
      message:
        'https://b.example/p.yaml was not read: https://b.example is not among the allowed origins. Add it to references.origins to allow it.',
    },
    {
      reason: 'unusable-operation',
      option: 'document',
      path: ['GET /far'],
      message: expect.stringMatching(/^a parameter cannot be read: https:/),
    },
  ]);
  const servers = [{ url: 'https://{region}.example.com' }];
  expect(
    (await refused({}, { ...API, servers, paths: { '/pets': API.paths['/pets'] } })).findings,
  ).toMatchObject([
    {
      reason: 'missing-server-variable',
      option: 'serverVariables',
      path: ['region'],
      received: 'https://{region}.example.com',
    },
  ]);
  expect(
    (await refused({}, { ...API, servers: [], paths: { '/pets': API.paths['/pets'] } })).findings,
  ).toMatchObject([{ reason: 'no-base-url', option: 'baseUrl' }]);
});
