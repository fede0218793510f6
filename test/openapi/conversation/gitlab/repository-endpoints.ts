import { headerOf } from '../../support/recording-server.ts';
import { readJson } from '../support/fake-api.ts';
import type { ApiRequest, ApiResponse, Endpoints } from '../support/fake-api.ts';
import { fail, toKeysetPage, toPage } from './gitlab-responses.ts';

const REPOSITORY = '/api/v4/projects/acme%2Fshop/repository';

/** The branches and files of acme/shop. A name with slashes is one segment: `feature%2Fx`. */
export function repositoryEndpoints(origin: () => string): Endpoints {
  const branches = new Set(['main', 'feature/x']);
  const files = new Map([['main src/main.ts', 'export const VAT = 19;\n']]);
  const toBranch = (name: string): object => ({ name, merged: false, protected: name === 'main' });
  return {
    [`GET ${REPOSITORY}/branches`]: (request) => toPage([...branches].map(toBranch), request),
    [`POST ${REPOSITORY}/branches`]: (request) => createBranch(branches, request, toBranch),
    [`GET ${REPOSITORY}/branches/{branch}`]: ({ path: { branch = '' } }) =>
      branches.has(branch) ? { status: 200, body: toBranch(branch) } : fail(404, '404 Branch Not Found'),
    [`DELETE ${REPOSITORY}/branches/{branch}`]: ({ path: { branch = '' } }) =>
      branches.delete(branch) ? { status: 204 } : fail(404, '404 Branch Not Found'),
    [`GET ${REPOSITORY}/files/{file}`]: ({ path: { file = '' }, query }) => {
      const ref = query.get('ref') ?? 'main';
      const text = files.get(`${ref} ${file}`);
      if (text === undefined) return fail(404, '404 File Not Found');
      const content = Buffer.from(text).toString('base64');
      const file_name = file.split('/').at(-1) ?? '';
      return {
        status: 200,
        body: { file_name, file_path: file, size: text.length, encoding: 'base64', content, ref },
      };
    },
    [`GET ${REPOSITORY}/files/{file}/raw`]: ({ path: { file = '' }, query }) => {
      const text = files.get(`${query.get('ref') ?? 'main'} ${file}`);
      if (text === undefined) return fail(404, '404 File Not Found');
      return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text };
    },
    [`POST ${REPOSITORY}/files/{file}`]: (request) => createFile(files, request),
    [`GET ${REPOSITORY}/tree`]: (request) => listTree(request, origin()),
  };
}

function createBranch(
  branches: Set<string>,
  request: ApiRequest,
  toBranch: (name: string) => object,
): ApiResponse {
  if (headerOf(request, 'content-type') !== 'application/x-www-form-urlencoded')
    return { status: 415, body: { error: 'The provided content-type is not supported.' } };
  const form = new URLSearchParams(request.body.toString('utf8'));
  const name = form.get('branch');
  if (name === null) return { status: 400, body: { error: 'branch is missing' } };
  if (branches.has(name)) return fail(400, 'Branch already exists');
  if (!branches.has(form.get('ref') ?? '')) return fail(400, `Invalid reference name: ${form.get('ref')}`);
  branches.add(name);
  return { status: 201, body: toBranch(name) };
}

function createFile(files: Map<string, string>, request: ApiRequest): ApiResponse {
  const {
    branch,
    content = '',
    commit_message: message,
  } = readJson<{ branch: string; content: string; commit_message: string }>(request) ?? {};
  const { file = '' } = request.path;
  if (branch === undefined || message === undefined)
    return { status: 400, body: { error: 'branch is missing' } };
  if (files.has(`${branch} ${file}`)) return fail(400, 'A file with this name already exists');
  files.set(`${branch} ${file}`, content);
  return { status: 201, body: { file_path: file, branch } };
}

const TREE = ['README.md', 'package.json', 'src/main.ts', 'src/vat/rates.ts', 'test/vat.test.ts'];

/** Keyset pagination: a page begins after the entry whose id is the token. */
function listTree(request: ApiRequest, origin: string): ApiResponse {
  const entries = TREE.map((path) => ({
    id: Buffer.from(path).toString('hex').padEnd(40, '0').slice(0, 40),
    name: path.split('/').at(-1) ?? '',
    type: 'blob',
    path,
    mode: '100644',
  }));
  if (request.query.get('pagination') !== 'keyset') return toPage(entries, request);
  const size = Number(request.query.get('per_page') ?? 20);
  const start = entries.findIndex(({ id }) => id === request.query.get('page_token')) + 1;
  const page = entries.slice(start, start + size);
  const last = page.at(-1);
  const next = last === undefined || start + size >= entries.length ? undefined : { page_token: last.id };
  return toKeysetPage(page, next, { request, origin });
}
