import { createHash } from 'node:crypto';
import { headerOf } from '../../support/recording-server.ts';
import { readRawParts } from '../../support/read-request.ts';
import { readJson } from '../support/fake-api.ts';
import type { ApiRequest, ApiResponse, Endpoints } from '../support/fake-api.ts';
import { fail, toKeysetPage, toPage } from './gitlab-responses.ts';

const SHOP = '/api/v4/projects/acme%2Fshop';

const PATHS = ['acme/shop', 'acme/tools/cli', 'acme/docs', 'acme/ops', 'ada/dotfiles'];
const PROJECTS = PATHS.map((path_with_namespace, index) => ({
  id: 42 + index,
  name: path_with_namespace.split('/').at(-1) ?? '',
  path_with_namespace,
  default_branch: 'main',
  web_url: `https://gitlab.example/${path_with_namespace}`,
}));

/** The projects, and parts of acme/shop other than its repository and its issues. */
export function projectEndpoints(
  origin: () => string,
  /** The origin of the object storage. */
  storage: () => string,
): Endpoints {
  return {
    'GET /api/v4/version': () => ({
      status: 429,
      headers: { 'content-type': 'text/plain', 'retry-after': '30', 'ratelimit-remaining': '0' },
      body: 'Retry later\n',
    }),
    'GET /api/v4/projects': (request) => listProjects(request, origin()),
    // A moved project redirects by its id; GitLab does not do so for writes.
    'GET /api/v4/projects/acme%2Fold-shop': () => ({
      status: 301,
      headers: { location: `${origin()}/api/v4/projects/42?statistics=false` },
    }),
    'GET /api/v4/projects/{id}': ({ path }) => {
      const project = PROJECTS.find(
        ({ id, path_with_namespace: name }) => String(id) === path['id'] || name === path['id'],
      );
      return project === undefined ? fail(404, '404 Project Not Found') : { status: 200, body: project };
    },
    [`POST ${SHOP}/uploads`]: upload,
    [`GET ${SHOP}/pipelines`]: (request) => toPage([{ id: 61, status: 'failed', ref: 'feature/x' }], request),
    [`POST ${SHOP}/pipeline`]: (request) => {
      const { ref, variables = [] } = readJson<{ ref: string; variables: { key: string }[] }>(request) ?? {};
      if (ref !== 'feature/x') return fail(400, { base: ['Reference not found'] });
      return { status: 201, body: { id: 62, status: variables.length > 0 ? 'pending' : 'created', ref } };
    },
    [`POST ${SHOP}/jobs/7/retry`]: () => ({ status: 201, body: { id: 8, status: 'pending', name: 'test' } }),
    [`GET ${SHOP}/jobs/7/trace`]: () => ({
      status: 200,
      headers: { 'content-type': 'text/plain' },
      body: 'Running with gitlab-runner\n\u001B[31;1mERROR: Job failed: exit code 1\u001B[0;m\n',
    }),
    [`GET ${SHOP}/jobs/7/artifacts`]: () => ({
      status: 200,
      headers: {
        'content-type': 'application/zip',
        'content-disposition': 'attachment; filename="artifacts.zip"',
      },
      body: artifacts(),
    }),
    // An instance that does not proxy downloads redirects to its object storage.
    [`GET ${SHOP}/jobs/8/artifacts`]: () => ({
      status: 302,
      headers: { location: `${storage()}/artifacts/8.zip?X-Amz-Expires=600&X-Amz-Signature=c0ffee` },
    }),
    [`PUT ${SHOP}/packages/generic/{name}/{version}/{file}`]: (request) => {
      if (headerOf(request, 'content-type') !== 'application/octet-stream')
        return fail(400, '400 Bad request');
      return { status: 201, body: { message: '201 Created' } };
    },
  };
}

/** 5 MiB that begin like an archive and do not repeat. */
export function artifacts(): Buffer {
  const bytes = Buffer.alloc(5 * 1024 * 1024);
  for (let at = 0; at < bytes.length; at += 32)
    createHash('sha256').update(String(at)).digest().copy(bytes, at);
  bytes.write('PK\u0003\u0004', 'latin1');
  return bytes;
}

function listProjects(request: ApiRequest, origin: string): ApiResponse {
  const { query } = request;
  if (query.get('pagination') !== 'keyset') return toPage(PROJECTS, request);
  if (query.get('order_by') !== 'id')
    return {
      status: 405,
      body: { error: 'Keyset pagination is not yet available for this type of request' },
    };
  const size = Number(query.get('per_page') ?? 20);
  const rest = PROJECTS.filter(({ id }) => id > Number(query.get('id_after') ?? 0));
  const page = rest.slice(0, size);
  const last = page.at(-1);
  const next = last === undefined || rest.length <= size ? undefined : { id_after: String(last.id) };
  return toKeysetPage(page, next, { request, origin });
}

/** Reads the part `file` of the form. */
function upload(request: ApiRequest): ApiResponse {
  if (headerOf(request, 'content-type')?.startsWith('multipart/form-data; boundary=') !== true)
    return { status: 415, body: { error: 'The provided content-type is not supported.' } };
  const [part, another] = readRawParts(request);
  const [, field, name] =
    /^form-data; name="([^"]*)"; filename="([^"]*)"$/.exec(part?.headers['content-disposition'] ?? '') ?? [];
  if (field !== 'file' || name === undefined || another !== undefined)
    return { status: 400, body: { error: 'file is invalid' } };
  const secret = createHash('md5')
    .update(part?.body ?? '')
    .digest('hex');
  const alt = name.replace(/\.\w+$/, '');
  const url = `/uploads/${secret}/${name}`;
  const full_path = `/-/project/42${url}`;
  return { status: 201, body: { id: 5, alt, url, full_path, markdown: `![${alt}](${url})` } };
}
