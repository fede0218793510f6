import { spawnSync } from 'node:child_process';
import {
  appendFile,
  chmod,
  chown,
  mkdir,
  mkdtemp,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listFiles, readFound } from '../../../src/providers/files/list-files.ts';
import type { FoundFile } from '../../../src/providers/files/list-files.ts';
import { readRecordings } from '../../../src/providers/files/read-recordings.ts';
import { encodeEmptyRecords, encodeFit } from '../support/encode-fit.ts';
import type { FitSession } from '../support/encode-fit.ts';

const START = Date.UTC(2026, 4, 1, 6) / 1000;
const POINTS = ['06:00:00', '06:00:10'].map((time) => `<trkpt><time>2026-05-01T${time}Z</time></trkpt>`);
const TRACK = `<trk><trkseg>${POINTS.join('')}</trkseg></trk>`;
const LAP = POINTS.join('').replaceAll('trkpt', 'Trackpoint').replaceAll('time', 'Time');
const ACTIVITY = `<Activity><Lap><Track>${LAP}</Track></Lap></Activity>`;

const gpx = (content: string): Buffer => Buffer.from(`<gpx>${content}</gpx>`);
const tcx = (content: string): Buffer =>
  Buffer.from(`<TrainingCenterDatabase><Activities>${content}</Activities></TrainingCenterDatabase>`);
const nested = (depth: number): string => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`;
const names = (count: number): string => Array.from({ length: count }, (_, index) => `<a${index}/>`).join('');
const sessions = (count: number): Buffer =>
  encodeFit(Array.from({ length: count }, (_, index) => session(index)));

function session(index: number): FitSession {
  const rest = { distance_m: 1, heart_rate: 120, power_w: 100, cadence_rpm: 80, latitude: 48, longitude: 7 };
  const samples = [0, 5].map((second) => ({ ...rest, time: START + index * 10 + second }));
  return { sport: 2, timer_s: 5, calories: 1, ascent_m: 0, samples };
}

describe('a file whose content would take much more memory or time than its size is refused', () => {
  test.each<[string, string, () => Buffer, string]>([
    [
      'tags',
      'a.gpx',
      () => gpx(TRACK + '<a/>'.repeat(2_000_000)),
      'it has more than 2000000 tags and attributes',
    ],
    [
      'attributes',
      'a.gpx',
      () => gpx(TRACK + `<a${' b=""'.repeat(3000)}/>`.repeat(667)),
      'it has more than 2000000 tags and attributes',
    ],
    ['names of elements', 'a.gpx', () => gpx(TRACK + names(500)), 'it has more than 500 different elements'],
    ['depth', 'a.gpx', () => gpx(TRACK + nested(40)), 'it has elements that are more than 40 deep'],
    [
      'the characters of a tag',
      'a.gpx',
      () => gpx(`${TRACK}<a b="${'>'.repeat(16_384)}"/>`),
      'it has more than 16384 characters in one tag',
    ],
    [
      'the characters of a text',
      'a.gpx',
      () => gpx(`<name>${'&amp;'.repeat(13_108)}</name>${TRACK}`),
      'it has more than 65536 characters in one place',
    ],
    [
      'the characters of a section',
      'a.gpx',
      () => gpx(`<name><![CDATA[${'x'.repeat(65_536)}]]></name>${TRACK}`),
      'it has more than 65536 characters in one place',
    ],
    ['tracks', 'a.gpx', () => gpx(TRACK.repeat(101)), 'it has 101 activities; the limit is 100'],
    ['activities', 'a.tcx', () => tcx(ACTIVITY.repeat(101)), 'it has 101 activities; the limit is 100'],
    ['sessions', 'a.fit', () => sessions(101), 'it has 101 activities; the limit is 100'],
    ['messages', 'a.fit', () => encodeEmptyRecords(600_000), 'it has more than 600000 messages'],
  ])('%s', async (_what, name, create, reason) => {
    await expect(readRecordings(name, create())).rejects.toThrow(
      expect.objectContaining({ name: 'UnreadableFileError', message: reason }),
    );
  });

  test('within the limits, unusual files are read', async () => {
    const unusual = [
      gpx(TRACK + nested(39)),
      gpx(TRACK + names(490)),
      gpx(`<a b=">" c='"'/>${TRACK}`),
      gpx(`<!-- ${'<a b=">'.repeat(20_000)} -->${TRACK}`),
      gpx(`<desc><![CDATA[<a> & "b]]></desc>${TRACK}`),
    ];
    for (const content of unusual) expect(await readRecordings('a.gpx', content)).toHaveLength(1);
    expect(await readRecordings('a.gpx', gpx(TRACK.repeat(100)))).toHaveLength(100);
    expect(await readRecordings('a.tcx', tcx(ACTIVITY.repeat(100)))).toHaveLength(100);
    expect(await readRecordings('a.fit', sessions(100))).toHaveLength(100);
    // Samples without a time; they are no more than the limit.
    await expect(readRecordings('a.fit', encodeEmptyRecords(500_000))).rejects.toThrow('it has no records');
  });

  test('names are shortened, and entities other than the five of XML stay as they are', async () => {
    const name = `&lt;b&gt;&amp;lt; &#65;&x;${'🚲'.repeat(300)}`;
    const [recording] = await readRecordings(
      'a.gpx',
      gpx(TRACK.replace('<trk>', `<trk><name>${name}</name>`)),
    );
    expect(recording?.name).toBe(`<b>&lt; &#65;&x;${'🚲'.repeat(184)}`);
    const notes = `<Activity><Notes>${'n'.repeat(300)}</Notes>`;
    const [activity] = await readRecordings('a.tcx', tcx(ACTIVITY.replace('<Activity>', notes)));
    expect(activity?.name).toBe('n'.repeat(200));
  });
});

describe('a file that changes after it was found is not read', () => {
  let outside = '';
  let folder = '';
  let path = '';
  beforeEach(async () => {
    outside = await realpath(await mkdtemp(join(tmpdir(), 'fitness-hostile-')));
    folder = join(outside, 'files');
    path = join(folder, 'run.gpx');
    await mkdir(folder);
    await writeFile(path, gpx(TRACK));
  });
  afterEach(() => rm(outside, { recursive: true }));

  async function find(): Promise<FoundFile> {
    const [found] = await listFiles(folder, []);
    if (found === undefined) throw new Error('no file was found');
    return found;
  }

  const CHANGED = 'it has changed while it was read';

  test('not after a change of its content or its time', async () => {
    const before = await find();
    expect(await readFound(before)).toEqual(gpx(TRACK));
    await appendFile(path, ' ');
    await expect(readFound(before)).rejects.toThrow(CHANGED);
    const longer = await find();
    await utimes(path, 1, 1);
    await expect(readFound(longer)).rejects.toThrow(CHANGED);
    expect(await readFound(await find())).toHaveLength(gpx(TRACK).length + 1);
  });

  test('not a link to a file outside the folder in its place', async () => {
    const found = await find();
    await writeFile(join(outside, 'secret.gpx'), gpx(TRACK));
    await rm(path);
    await symlink(join(outside, 'secret.gpx'), path);
    await expect(readFound(found)).rejects.toMatchObject({ code: 'ELOOP' });
  });

  test('not a file of a folder outside in the place of its folder', async () => {
    const found = await find();
    await mkdir(join(outside, 'other'));
    await writeFile(join(outside, 'other', 'run.gpx'), gpx(TRACK));
    await rm(folder, { recursive: true });
    await symlink(join(outside, 'other'), folder);
    await expect(readFound(found)).rejects.toThrow(CHANGED);
  });

  test('not a pipe in its place, which would block the process', async () => {
    const found = await find();
    await rm(path);
    expect(spawnSync('mkfifo', [path]).status).toBe(0);
    await expect(readFound(found)).rejects.toThrow();
  });

  test('a subfolder that cannot be read does not hide other files', async () => {
    const closed = join(folder, 'closed');
    await mkdir(closed);
    await chmod(closed, 0);
    const problems: object[] = [];
    const list = (): Promise<readonly unknown[]> => listFiles(folder, problems as []);
    expect(await (process.getuid?.() === 0 ? asNobody(outside, list) : list())).toHaveLength(1);
    expect(problems).toEqual([{ file: 'closed', reason: 'it cannot be read (EACCES)' }]);
  });
});

/** Root may read everything: acts for another user, who owns this folder. */
async function asNobody<T>(owned: string, act: () => Promise<T>): Promise<T> {
  const nobody = 65_534;
  await chown(owned, nobody, nobody);
  process.seteuid?.(nobody);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}
