import { once } from 'node:events';
import { mkdirSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { connectInMemory } from 'toolwright';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { ProjectWatcher } from '../src/watch/project-watcher.ts';
import { createFakeServer } from './support/connect.ts';
import { createProject } from './support/project.ts';

async function watchProject(files: Readonly<Record<string, string>>) {
  const folder = createProject(files);
  const clock = new FakeClock();
  const onChange = vi.fn<() => void>();
  const schedule = (callback: () => void, delayMs: number) => clock.schedule(callback, delayMs);
  const watcher = new ProjectWatcher({ folder, onChange, schedule });
  onTestFinished(() => watcher.close());
  await watcher.start();
  const write = (name: string): void => writeFileSync(join(folder, name), '');
  /** Waits until the system has reported a change. */
  const seen = () => expect.poll(() => clock.pending).toBe(1);
  return { folder, clock, onChange, watcher, write, seen };
}

test('changes of files in the project are one notification, also in new folders', async () => {
  const { folder, clock, onChange, write, seen } = await watchProject({ 'tests/test_a.py': '', 'a.py': '' });
  write('a.py');
  write('tests/test_a.py');
  write('tests/test_b.py');
  await seen();
  expect(onChange).not.toHaveBeenCalled();
  clock.advance(100);
  expect(onChange).toHaveBeenCalledTimes(1);
  mkdirSync(join(folder, 'new'));
  await seen();
  clock.advance(100);
  const change = (): number => {
    write('new/test_c.py');
    return clock.pending;
  };
  await expect.poll(change, { interval: 200 }).toBe(1);
  clock.advance(100);
  expect(onChange).toHaveBeenCalledTimes(3);
});

test('files that runs write are no changes', async () => {
  const { folder, clock, write, seen, onChange } = await watchProject({
    'a.py': '',
    '__pycache__/a.pyc': '',
    '.pytest_cache/x': '',
    'node_modules/p/index.js': '',
    '.git/HEAD': '',
  });
  for (const name of [
    '__pycache__/a.pyc',
    '.pytest_cache/x',
    'node_modules/p/index.js',
    '.git/HEAD',
    '.hidden',
  ]) {
    const own = watch(dirname(join(folder, name)));
    const reported = once(own, 'change');
    write(name);
    await reported;
    // The system reports the change to all watchers in one turn.
    await nextTurn();
    own.close();
    expect(clock.pending).toBe(0);
  }
  write('a.py');
  await seen();
  clock.advance(100);
  expect(onChange).toHaveBeenCalledTimes(1);
});

test('a closed watcher reports nothing', async () => {
  const { clock, write, watcher, seen, onChange } = await watchProject({ 'a.py': '' });
  write('a.py');
  await seen();
  watcher.close();
  clock.advance(100);
  expect(onChange).not.toHaveBeenCalled();
});

test.each(['auto', 'legacy'] as const)(
  'clients of %s are notified of the tree and of the last run',
  async (mode) => {
    const tests = createFakeServer();
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
    onTestFinished(() => client.close());
    const updated: string[] = [];
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void updated.push(params.uri),
    );
    await client.connect(connectInMemory(tests.server));
    const { structuredContent } = await client.callTool({ name: 'execute_tests' });
    const { run_id } = structuredContent as { run_id: string };
    const uris = ['tests://tree', 'tests://runs/last', `tests://runs/${run_id}`];
    if (mode === 'auto') await client.listen({ resourceSubscriptions: uris });
    else for (const uri of uris) await client.subscribeResource({ uri });
    tests.notifyFilesChanged();
    await expect.poll(() => updated.toSorted()).toEqual(uris.toSorted());
    const run = await client.callTool({ name: 'get_run' });
    expect(run.structuredContent).toMatchObject({ files_changed: true });
    await client.callTool({ name: 'execute_tests' });
    await expect.poll(() => updated.filter((uri) => uri === 'tests://runs/last')).toHaveLength(2);
    const next = await client.callTool({ name: 'get_run' });
    expect(next.structuredContent).toMatchObject({ files_changed: false });
  },
);
