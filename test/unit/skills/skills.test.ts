import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { serveHttp } from '../../../src/http.ts';
import { createServer } from '../../../src/index.ts';
import type { ServerOptions } from '../../../src/server/server-options.ts';
import { directorySkills, dynamicSkill } from '../../../src/skills.ts';
import { recordLog } from '../../support/log-recorder.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'skills-'));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const skill = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: About ${name}.\n${more}---\n\n# ${name}\n`;

const ANYTHING = z.looseObject({});

/** Sends requests of the extension with the official client. */
async function withClient<TResult>(
  options: Partial<ServerOptions>,
  use: (send: (method: string, params?: object) => Promise<Record<string, unknown>>) => Promise<TResult>,
): Promise<TResult> {
  const server = createServer({ name: 's', version: '1', ...options });
  const running = await serveHttp(server, { port: 0 });
  const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(running.url)));
  try {
    return await use((method, params = {}) => client.request({ method, params } as never, ANYTHING as never));
  } finally {
    await client.close();
    await running.close();
    await server.close();
  }
}

describe('skills of a folder', () => {
  test('are listed with their front matter, and the digest and size of each file', async () => {
    write('refunds/SKILL.md', skill('refunds', 'license: MIT\nmetadata:\n  version: "2.1"\n'));
    write('refunds/templates/email.md', 'Dear {name}\n');
    write('refunds/.secret', 'hidden');
    await withClient({ skills: directorySkills(root, { prefix: 'acme/billing' }) }, async (send) => {
      const listed = await send('skills/list');
      expect(listed).toMatchObject({
        ttlMs: 0,
        cacheScope: 'private',
        skills: [
          {
            uri: 'skill://acme/billing/refunds/SKILL.md',
            frontmatter: {
              name: 'refunds',
              description: 'About refunds.',
              license: 'MIT',
              metadata: { version: '2.1' },
            },
            resources: [
              {
                uri: 'skill://acme/billing/refunds/SKILL.md',
                digest: 'sha256:3511aa193177018f12d4efdf2518abb1d6555de6840d9b56870cfa9a763169d6',
                size: 101,
              },
              {
                uri: 'skill://acme/billing/refunds/templates/email.md',
                digest: 'sha256:2cda5038e307086719f61e9a2687c58b752e764bac5f3e7a9a3db10bd91eacce',
                size: 12,
              },
            ],
          },
        ],
      });
      const got = await send('skills/get', { uri: 'skill://acme/billing/refunds/SKILL.md' });
      expect(got['skill']).toEqual((listed['skills'] as unknown[])[0]);
      const read = await send('resources/read', { uri: 'skill://acme/billing/refunds/templates/email.md' });
      expect(read['contents']).toEqual([
        {
          uri: 'skill://acme/billing/refunds/templates/email.md',
          mimeType: 'text/markdown',
          text: 'Dear {name}\n',
        },
      ]);
    });
  });

  test('an edited file has another digest, without a restart', async () => {
    write('a/SKILL.md', skill('a'));
    write('a/notes.txt', 'one');
    const source = directorySkills(root);
    const digest = async (): Promise<unknown> => {
      const { resources } = await source.getSkill('skill://a/SKILL.md');
      return resources[1];
    };
    expect(await digest()).toEqual({
      uri: 'skill://a/notes.txt',
      digest: 'sha256:7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed',
      size: 3,
    });
    write('a/notes.txt', 'two');
    expect(await digest()).toEqual({
      uri: 'skill://a/notes.txt',
      digest: 'sha256:3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3',
      size: 3,
    });
  });

  test('nested skills are skills of their own, and files of the outer one', async () => {
    write('outer/SKILL.md', skill('outer'));
    write('outer/inner/SKILL.md', skill('inner'));
    const source = directorySkills(root);
    expect(source.uris).toEqual(['skill://outer/SKILL.md', 'skill://outer/inner/SKILL.md']);
    const { resources } = await source.getSkill('skill://outer/SKILL.md');
    expect(resources === 'dynamic' ? [] : resources.map(({ uri }) => uri)).toEqual([
      'skill://outer/SKILL.md',
      'skill://outer/inner/SKILL.md',
    ]);
  });

  test('a folder that is a skill is served as that skill', () => {
    write('refunds/SKILL.md', skill('refunds'));
    expect(directorySkills(join(root, 'refunds')).uris).toEqual(['skill://refunds/SKILL.md']);
  });

  test('links lead nowhere', async () => {
    const secret = mkdtempSync(join(tmpdir(), 'secret-'));
    writeFileSync(join(secret, 'key.txt'), 'secret');
    write('a/SKILL.md', skill('a'));
    symlinkSync(secret, join(root, 'a', 'out'));
    try {
      await withClient({ skills: directorySkills(root) }, async (send) => {
        const { skills } = await send('skills/list');
        expect(JSON.stringify(skills)).not.toContain('a/out');
        for (const uri of ['skill://a/out/key.txt', 'skill://a/../a/SKILL.md', 'skill://a/%2e%2e/x'])
          await expect(send('resources/read', { uri })).rejects.toMatchObject({ code: -32602 });
        await expect(send('resources/directory/read', { uri: 'skill://a/out' })).rejects.toMatchObject({
          code: -32602,
        });
      });
    } finally {
      rmSync(secret, { recursive: true });
    }
  });

  test('directories are read; anything else is not a directory', async () => {
    write('a/SKILL.md', skill('a'));
    write('a/scripts/run.py', 'print(1)\n');
    await withClient({ skills: directorySkills(root) }, async (send) => {
      expect((await send('resources/directory/read', { uri: 'skill://a' }))['resources']).toEqual([
        { uri: 'skill://a/SKILL.md', name: 'SKILL.md', mimeType: 'text/markdown' },
        { uri: 'skill://a/scripts', name: 'scripts', mimeType: 'inode/directory' },
      ]);
      for (const uri of ['skill://a/SKILL.md', 'skill://a/scripts/', 'skill://b', 'docs://x'])
        await expect(send('resources/directory/read', { uri })).rejects.toMatchObject({ code: -32602 });
    });
  });

  test('lists come in pages', async () => {
    for (const name of ['a', 'b', 'c']) write(`${name}/SKILL.md`, skill(name));
    const options = { skills: directorySkills(root), limits: { maxPageItems: 2 } };
    await withClient(options, async (send) => {
      const first = await send('skills/list');
      const second = await send('skills/list', { cursor: first['nextCursor'] });
      const names = [first, second].map(({ skills }) => (skills as { uri: string }[]).map(({ uri }) => uri));
      expect(names).toEqual([['skill://a/SKILL.md', 'skill://b/SKILL.md'], ['skill://c/SKILL.md']]);
      expect(second).not.toHaveProperty('nextCursor');
      await expect(send('skills/list', { cursor: 'x' })).rejects.toMatchObject({ code: -32602 });
    });
  });

  test('a skill that may not be read does not exist', async () => {
    write('a/SKILL.md', skill('a'));
    write('b/SKILL.md', skill('b'));
    const policy: NonNullable<ServerOptions['policy']> = ({ name }) => !name.startsWith('skill://b');
    await withClient({ skills: directorySkills(root), policy }, async (send) => {
      const { skills } = await send('skills/list');
      expect((skills as { uri: string }[]).map(({ uri }) => uri)).toEqual(['skill://a/SKILL.md']);
      await expect(send('skills/get', { uri: 'skill://b/SKILL.md' })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('Unknown skill "skill://b/SKILL.md".') as string,
      });
      await expect(send('resources/directory/read', { uri: 'skill://b' })).rejects.toMatchObject({
        code: -32602,
      });
    });
  });

  test('a skill that is no longer valid is left out of the list', async () => {
    write('a/SKILL.md', skill('a'));
    write('b/SKILL.md', skill('b'));
    const skills = directorySkills(root);
    write('b/SKILL.md', skill('renamed'));
    const { logger, entries } = recordLog();
    await withClient({ skills, logger }, async (send) => {
      const listed = (await send('skills/list'))['skills'] as { uri: string }[];
      expect(listed.map(({ uri }) => uri)).toEqual(['skill://a/SKILL.md']);
    });
    expect(entries.filter(({ level }) => level === 'error')).toMatchObject([
      { message: 'a skill cannot be served', fields: { uri: 'skill://b/SKILL.md' } },
    ]);
  });
});

describe('a folder that cannot be served is refused at start-up', () => {
  test.each([
    ['without front matter', '# a', /must begin with YAML front matter/],
    ['with a name of another folder', skill('b'), /the name "b" must equal the folder name "a"/],
    ['with a name that is not allowed', '---\nname: A b\ndescription: x\n---\n', /invalid skill name "A b"/],
    ['without a description', '---\nname: a\n---\n', /needs a description/],
    ['with a key twice', '---\nname: a\nname: a\ndescription: x\n---\n', /this key is there already/],
    ['with a bomb of aliases', bomb(), /more than 10000 values/],
  ])('%s', (_title, text, message) => {
    write('a/SKILL.md', text);
    expect(() => directorySkills(root)).toThrow(message);
  });

  test('without a skill, without a folder', () => {
    expect(() => directorySkills(root)).toThrow(/no folder in .* has a SKILL\.md/);
    expect(() => directorySkills(join(root, 'missing'))).toThrow(
      /directorySkills: root must be the path of an existing folder/,
    );
    expect(() => directorySkills(root, { prefix: '/x' })).toThrow(/invalid prefix "\/x"/);
  });

  test('more than 512 files are not served', async () => {
    write('a/SKILL.md', skill('a'));
    for (let index = 0; index < 512; index += 1) write(`a/${index}.txt`, '');
    await expect(directorySkills(root).getSkill('skill://a/SKILL.md')).rejects.toThrow('more than 512 files');
  });
});

test('a dynamic skill is generated each time, and has no digests', async () => {
  let reads = 0;
  const daily = dynamicSkill({
    path: 'reports/daily',
    frontmatter: { description: 'Today: the "report"' },
    content: () => `Read ${(reads += 1)} times.`,
  });
  await withClient({ skills: [daily] }, async (send) => {
    expect((await send('skills/list'))['skills']).toEqual([
      {
        uri: 'skill://reports/daily/SKILL.md',
        frontmatter: { name: 'daily', description: 'Today: the "report"' },
        resources: 'dynamic',
      },
    ]);
    await send('resources/read', { uri: 'skill://reports/daily/SKILL.md' });
    const { contents } = await send('resources/read', { uri: 'skill://reports/daily/SKILL.md' });
    expect(contents).toEqual([
      {
        uri: 'skill://reports/daily/SKILL.md',
        mimeType: 'text/markdown',
        text: '---\nname: daily\ndescription: \'Today: the "report"\'\n---\n\nRead 2 times.',
      },
    ]);
  });
  expect(() => dynamicSkill({ path: 'A', frontmatter: { description: 'x' }, content: () => '' })).toThrow(
    /invalid skill name "A"/,
  );
});

test('a server without skills does not know the methods', async () => {
  const resources = [{ uri: 'docs://a', name: 'a', text: 'a' }];
  await withClient({ resources }, async (send) => {
    for (const method of ['skills/list', 'skills/get', 'resources/directory/read'])
      await expect(send(method, { uri: 'skill://a' })).rejects.toThrow('-32601');
  });
});

function bomb(): string {
  const levels = Array.from({ length: 8 }, (_, level) => {
    const of = level === 0 ? 'x' : `*l${level - 1}`;
    return `l${level}: &l${level} [${Array.from({ length: 9 }, () => of).join(',')}]`;
  });
  return `---\nname: a\ndescription: x\n${levels.join('\n')}\n---\n`;
}
