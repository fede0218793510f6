import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Notebook } from '../../servers/notes/src/notebook.ts';

const folder = mkdtempSync(join(tmpdir(), 'notebook-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a change that cannot be written did not happen', async () => {
  const file = join(folder, 'a.json');
  const notebook = await Notebook.open(file, () => new Date(0));
  await notebook.add({ title: 'first' });
  // A folder has the name of the temporary file of the notebook.
  mkdirSync(`${file}.new`);
  await expect(notebook.add({ title: 'second' })).rejects.toThrow('EISDIR');
  await expect(notebook.delete(1)).rejects.toThrow('EISDIR');
  expect(notebook.search({ limit: 10 }).notes.map((note) => note.title)).toEqual(['first']);
});

test('changes made at once are all kept, each with a number of its own', async () => {
  const file = join(folder, 'b.json');
  const notebook = await Notebook.open(file, () => new Date(0));
  await Promise.all(['a', 'b', 'c'].map((title) => notebook.add({ title })));
  const { notes } = JSON.parse(readFileSync(file, 'utf8')) as { notes: { id: number; title: string }[] };
  expect(notes.map(({ id, title }) => [id, title])).toEqual([
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
  ]);
});
