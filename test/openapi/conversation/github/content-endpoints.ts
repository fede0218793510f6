import { readJson } from '../support/fake-api.ts';
import type { ApiRequest, ApiResponse, Endpoints } from '../support/fake-api.ts';
import { exampleOf, fail, NOT_FOUND } from './github-responses.ts';

interface File {
  readonly sha: string;
  readonly content: string;
}

const SHA = 'aa218f56b14c9653891f9e74264a383fa43fefbd';

/** The repository acme/shop with its branches and files. Paths span several segments, as with `x-multi-segment`. */
export function contentEndpoints(origin: () => string): Endpoints {
  const refs = new Set(['heads/main', 'heads/feature/x']);
  const files = new Map<string, File>([
    ['main README.md', { sha: '0'.repeat(40), content: '# Shop\n' }],
    ['main src/lib/fold accents.ts', { sha: '1'.repeat(40), content: 'export {};\n' }],
  ]);
  // The example is a fork, without a required member.
  const { source: _, parent: __, ...example } = exampleOf<{ source: object; parent: object }>('repos/get');
  const repository = { ...example, language: 'TypeScript', fork: false };
  const toRef = (ref: string): object => ({ ...exampleOf<object>('git/get-ref'), ref: `refs/${ref}` });
  return {
    'GET /repos/acme/shop': () => ({ status: 200, body: { ...repository, full_name: 'acme/shop' } }),
    'GET /repos/acme/old-shop': () => moved(`${origin()}/repositories/1296269`),
    'GET /repositories/1296269': () => ({ status: 200, body: { ...repository, full_name: 'acme/shop' } }),
    'POST /repos/acme/shop/forks': (request) => {
      const { organization = 'octocat' } = readJson<{ organization: string }>(request) ?? {};
      const fork = { ...repository, full_name: `${organization}/shop`, fork: true };
      return { status: 202, body: fork };
    },
    'GET /repos/acme/shop/branches/{branch+}': ({ path }) => {
      const name = path['branch'] ?? '';
      if (!refs.has(`heads/${name}`)) return fail(404, 'Branch not found');
      return { status: 200, body: { ...exampleOf<object>('repos/get-branch'), name } };
    },
    'GET /repos/acme/shop/git/ref/{ref+}': ({ path }) => {
      const ref = path['ref'] ?? '';
      return refs.has(ref) ? { status: 200, body: toRef(ref) } : NOT_FOUND;
    },
    'POST /repos/acme/shop/git/refs': (request) => {
      const { ref = '', sha = '' } = readJson<{ ref: string; sha: string }>(request) ?? {};
      if (!/^refs\/.+\/.+/.test(ref)) return fail(422, 'Reference name is not valid');
      if (sha !== SHA) return fail(422, 'Object does not exist');
      if (refs.has(ref.slice(5))) return fail(422, 'Reference already exists');
      refs.add(ref.slice(5));
      const location = `${origin()}/repos/acme/shop/git/${encodeURI(ref)}`;
      return { status: 201, headers: { location }, body: toRef(ref.slice(5)) };
    },
    'DELETE /repos/acme/shop/git/refs/{ref+}': ({ path }) =>
      refs.delete(path['ref'] ?? '') ? { status: 204 } : fail(422, 'Reference does not exist'),
    'GET /repos/acme/shop/compare/{basehead+}': ({ path }) => compare(path['basehead'] ?? ''),
    'GET /repos/acme/shop/contents/{path+}': ({ path, query }) => {
      const name = path['path'] ?? '';
      const file = files.get(`${query.get('ref') ?? 'main'} ${name}`);
      if (file === undefined) return NOT_FOUND;
      const content = Buffer.from(file.content).toString('base64');
      const { length: size } = file.content;
      const example = exampleOf<object>('repos/get-content');
      return { status: 200, body: { ...example, path: name, sha: file.sha, size, content } };
    },
    'PUT /repos/acme/shop/contents/{path+}': (request) => putFile(files, request),
    'GET /repos/acme/shop/zipball/{ref+}': ({ path }) => ({
      status: 302,
      headers: {
        location: `https://codeload.example/acme/shop/legacy.zip/${path['ref']}?token=AB%2BC%3D&x=1`,
      },
    }),
  };
}

function moved(location: string): ApiResponse {
  const body = {
    message: 'Moved Permanently',
    url: location,
    documentation_url: 'https://docs.github.com/rest',
  };
  return { status: 301, headers: { location }, body };
}

function putFile(files: Map<string, File>, request: ApiRequest): ApiResponse {
  const given = readJson<{ message: string; content: string; branch: string; sha: string }>(request) ?? {};
  const { message, content, branch = 'main', sha } = given;
  const name = request.path['path'] ?? '';
  if (message === undefined || content === undefined) return fail(422, 'Invalid request.');
  if (Buffer.from(content, 'base64').toString('base64') !== content)
    return fail(422, 'content is not valid Base64');
  const known = files.get(`${branch} ${name}`);
  if (known !== undefined && sha === undefined)
    return fail(422, `Invalid request.\n\n"sha" wasn't supplied.`);
  if (known !== undefined && sha !== known.sha) return fail(409, `${name} does not match ${sha}`);
  const file = { sha: '2'.repeat(40), content: Buffer.from(content, 'base64').toString('utf8') };
  files.set(`${branch} ${name}`, file);
  const { content: example, ...rest } = exampleOf<{ content: object }>(
    'repos/create-or-update-file-contents',
  );
  const body = { ...rest, content: { ...example, path: name, sha: file.sha } };
  return { status: known === undefined ? 201 : 200, body };
}

/** One commit with 300 files: 400 KB of JSON. */
function compare(basehead: string): ApiResponse {
  if (basehead !== 'main...feature/x') return NOT_FOUND;
  const { files, ...example } = exampleOf<{ files: object[] }>('repos/compare-commits-with-basehead');
  const many = Array.from({ length: 300 }, (_, index) => ({
    ...files[0],
    filename: `locales/${index + 1}.json`,
    patch: `@@ -1 +1 @@\n${'-"a"\n+"ä"\n'.repeat(60)}`,
  }));
  return { status: 200, body: { ...example, files: many } };
}
