import { mkdir, mkdtemp, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UnreadableFileError } from '../../../src/providers/files/formats/recording.ts';
import { readRecordings } from '../../../src/providers/files/read-recordings.ts';
import { FilesProvider } from '../../../src/providers/files/files-provider.ts';
import type { WatchEvents, WatchFolder } from '../../../src/providers/files/watch-folder.ts';
import { createRandom } from '../../../src/providers/synthetic/random.ts';
import { encodeFit } from '../support/encode-fit.ts';
import type { FitSample } from '../support/encode-fit.ts';
import { convertGpx } from '../support/gpsbabel.ts';

const START = Date.UTC(2026, 4, 1, 6) / 1000;
let outside = '';
let folder = '';
const opened: FilesProvider[] = [];

beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), 'fitness-files-'));
  folder = join(outside, 'files');
  await mkdir(folder);
});

afterEach(async () => {
  for (const provider of opened.splice(0)) provider[Symbol.dispose]();
  await rm(outside, { recursive: true, force: true });
});

/** A watcher that reports a change when the test says so. */
function manualWatch(): { readonly watch: WatchFolder; readonly events: WatchEvents[] } {
  const events: WatchEvents[] = [];
  return { events, watch: (_folder, each) => (events.push(each), { [Symbol.dispose]: () => {} }) };
}

async function open(watch: WatchFolder = manualWatch().watch): Promise<FilesProvider> {
  const provider = await FilesProvider.open({ folder, watch, isOwner: (user) => user === 'ann' });
  opened.push(provider);
  return provider;
}

/** Ten minutes northwards at 2.5 m/s from 48° N, one sample in ten seconds, up and down a hill of 30 m. */
function gpx({ name = 'Morning run', minutes = 10, sensors = true } = {}): string {
  const points = Array.from({ length: minutes * 6 + 1 }, (_, index) => {
    const time = new Date((START + index * 10) * 1000).toISOString();
    const half = minutes * 3;
    const height = 200 + (30 * (index <= half ? index : 2 * half - index)) / half;
    const extension = sensors
      ? `<extensions><power>${200 + (index % 2) * 20}</power><gpxtpx:TrackPointExtension><gpxtpx:hr>${130 + (index % 21)}</gpxtpx:hr><gpxtpx:cad>84</gpxtpx:cad></gpxtpx:TrackPointExtension></extensions>`
      : '';
    return `<trkpt lat="${(48 + index * 0.000224831).toFixed(9)}" lon="7.8"><ele>${height.toFixed(1)}</ele><time>${time}</time>${extension}</trkpt>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"><trk><name>${name}</name><type>running</type><trkseg>${points.join('')}</trkseg></trk></gpx>`;
}

const samples = (from: number, count: number): readonly FitSample[] =>
  Array.from({ length: count }, (_, index) => ({
    time: from + index,
    distance_m: index * 8,
    heart_rate: 120 + (index % 41),
    power_w: 180 + (index % 61),
    cadence_rpm: 88,
    latitude: 48 + index * 0.00007,
    longitude: 7.8,
  }));

describe('formats', () => {
  test('GPX with heart rate, cadence and power', async () => {
    await writeFile(join(folder, 'run.gpx'), gpx({ name: 'Rock &amp; roll' }));
    const [activity] = await (await open()).listActivities('ann');
    expect(activity).toEqual({
      id: expect.stringMatching(/^file-[\da-f]{16}-1$/) as string,
      name: 'Rock & roll',
      sport_type: 'run',
      start_time: START,
      utc_offset_s: null,
      moving_time_s: 600,
      elapsed_time_s: 600,
      distance_m: 1500,
      elevation_gain_m: 30,
      average_heart_rate: 139.7,
      max_heart_rate: 150,
      average_power_w: 209.8,
      max_power_w: 220,
      normalized_power_w: 210,
      average_cadence_rpm: 84,
      energy_kcal: null,
      place: { latitude: 48, longitude: 7.8, name: null },
      weather: null,
    });
  });

  test('TCX and GPX of gpsbabel', async () => {
    const source = join(outside, 'source.gpx');
    await writeFile(source, gpx());
    await convertGpx(source, 'tcx', join(folder, 'run.tcx'));
    await convertGpx(source, 'gpx', join(folder, 'run.gpx'));
    const provider = await open();
    expect(await provider.listProblems()).toEqual([]);
    const activities = await provider.listActivities('ann');
    expect(activities).toHaveLength(2);
    for (const activity of activities) {
      expect(activity).toMatchObject({
        start_time: START,
        elapsed_time_s: 600,
        moving_time_s: 600,
        elevation_gain_m: 30,
        average_heart_rate: 139.7,
        max_heart_rate: 150,
        average_cadence_rpm: 84,
      });
      expect(Math.abs((activity.distance_m ?? 0) - 1500)).toBeLessThan(3);
    }
    expect(activities.map(({ sport_type }) => sport_type)).toContain('run');
  });

  test('FIT of gpsbabel', async () => {
    const source = join(outside, 'source.gpx');
    await writeFile(source, gpx());
    await convertGpx(source, 'fit', join(folder, 'run.FIT'));
    const [activity] = await (await open()).listActivities('ann');
    expect(activity).toMatchObject({ start_time: START, elapsed_time_s: 600, elevation_gain_m: 30 });
    expect(Math.abs((activity?.distance_m ?? 0) - 1500)).toBeLessThan(3);
  });

  test('FIT with two sessions, heart rate and power; figures of the device hold', async () => {
    const file = encodeFit([
      { sport: 2, timer_s: 550, calories: 150, ascent_m: 42, samples: samples(START, 601) },
      { sport: 1, timer_s: 290, calories: 80, ascent_m: 5, samples: samples(START + 700, 301) },
    ]);
    await writeFile(join(folder, 'brick.fit'), file);
    const provider = await open();
    const [run, ride] = await provider.listActivities('ann');
    expect(ride).toMatchObject({
      id: expect.stringMatching(/-1$/) as string,
      sport_type: 'ride',
      start_time: START,
      moving_time_s: 550,
      elapsed_time_s: 600,
      distance_m: 4800,
      elevation_gain_m: 42,
      average_heart_rate: 139.7,
      max_heart_rate: 160,
      average_power_w: 209.6,
      max_power_w: 240,
      normalized_power_w: 210.4,
      average_cadence_rpm: 88,
      energy_kcal: 150,
    });
    expect(run).toMatchObject({
      sport_type: 'run',
      start_time: START + 700,
      distance_m: 2400,
      energy_kcal: 80,
    });
    const streams = await provider.findStreams('ann', ride?.id ?? '');
    expect(streams?.time_s).toHaveLength(601);
    expect([streams?.power_w?.[60], streams?.heart_rate?.[40], streams?.distance_m?.[600]]).toEqual([
      240, 160, 4800,
    ]);
  });

  test('samples that are further apart count for longer', async () => {
    // Every second sample of the first half is left out: 130, 132, 134 … count twice.
    const [head = '', ...points] = gpx({ minutes: 1 }).split('<trkpt');
    const kept = points.filter((_, index) => index > 3 || index % 2 === 0);
    await writeFile(join(folder, 'run.gpx'), [head, ...kept].join('<trkpt'));
    const [activity] = await (await open()).listActivities('ann');
    // 130 and 132 for 20 s each, 134, 135 and 136 for 10 s each.
    expect(activity?.average_heart_rate).toBe(132.7);
  });

  test('a track without times does not hide the other tracks of its file', async () => {
    const empty = '<trk><name>Empty</name><trkseg/></trk>';
    await writeFile(join(folder, 'run.gpx'), gpx().replace('<trk>', `${empty}<trk>`));
    const provider = await open();
    expect((await provider.listActivities('ann')).map(({ name }) => name)).toEqual(['Morning run']);
    expect(await provider.listProblems()).toEqual([]);
  });

  test('samples of GPX get distance and speed from positions; what no sample has is absent', async () => {
    await writeFile(join(folder, 'run.gpx'), gpx({ sensors: false }));
    const provider = await open();
    const [activity] = await provider.listActivities('ann');
    expect([activity?.average_heart_rate, activity?.average_power_w]).toEqual([null, null]);
    const streams = (await provider.findStreams('ann', activity?.id ?? '')) ?? { time_s: [] };
    expect(Object.keys(streams).sort()).toEqual([
      'altitude_m',
      'distance_m',
      'latitude',
      'longitude',
      'speed_mps',
      'time_s',
    ]);
    expect([streams.distance_m?.[6], streams.speed_mps?.[0], streams.speed_mps?.[6]]).toEqual([
      150,
      null,
      2.5,
    ]);
  });
});

describe('a broken file is named with its reason, and the others are read', () => {
  test.each([
    ['empty.gpx', '', 'it is empty'],
    ['cut.gpx', gpx().slice(0, 2000), 'it is not valid XML, line 1: '],
    [
      'route.gpx',
      '<gpx><rte></rte></gpx>',
      'it has no track (<trk>): routes and waypoints are not activities',
    ],
    ['other.gpx', '<html></html>', 'it has no element <gpx>'],
    ['times.gpx', gpx().replaceAll(/<time>[^<]*<\/time>/g, ''), 'it has fewer than two samples with a time'],
    [
      'bomb.gpx',
      '<!DOCTYPE gpx [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><gpx><trk><name>&b;</name></trk></gpx>',
      'it has a document type (DOCTYPE), which is not allowed',
    ],
    ['deep.gpx', `${'<a>'.repeat(500)}${'</a>'.repeat(500)}`, 'it has elements that are more than 40 deep'],
    [
      'workout.tcx',
      '<TrainingCenterDatabase/>',
      'it has no <Activity>: courses and workouts are not activities',
    ],
    ['latin.gpx', Buffer.from([0x3c, 0xff, 0x3e]), 'it is not UTF-8'],
    ['noise.fit', Buffer.alloc(64, 1), 'it is not a valid FIT file'],
    [
      'cut.fit',
      encodeFit([{ sport: 1, timer_s: 1, calories: 0, ascent_m: 0, samples: samples(START, 50) }]).subarray(
        0,
        300,
      ),
      'it is not a valid FIT file',
    ],
  ])('%s', async (name, content, reason) => {
    await writeFile(join(folder, name), content);
    await writeFile(join(folder, 'good.gpx'), gpx());
    const provider = await open();
    expect(await provider.listActivities('ann')).toHaveLength(1);
    const problems = await provider.listProblems();
    expect(problems.map(({ file }) => file)).toEqual([name]);
    expect(problems[0]?.reason.startsWith(reason) ? reason : problems[0]?.reason).toBe(reason);
  });

  test('every damaged file is either read or refused with a reason', async () => {
    const fit = encodeFit([{ sport: 1, timer_s: 60, calories: 5, ascent_m: 3, samples: samples(START, 60) }]);
    const originals = [
      ['run.fit', fit],
      ['run.gpx', Buffer.from(gpx({ minutes: 2 }))],
    ] as const;
    const random = createRandom('damage');
    let refused = 0;
    for (const [name, original] of originals) {
      for (let round = 0; round < 250; round += 1) {
        const damaged = Buffer.from(original);
        for (let change = random.whole(1, 6); change > 0; change -= 1) {
          damaged[random.whole(0, damaged.length - 1)] = random.whole(0, 255);
        }
        const error: unknown = await readRecordings(name, damaged).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (error === undefined) continue;
        expect(error).toBeInstanceOf(UnreadableFileError);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(250);
  });

  test('readings of a failed sensor are absent', async () => {
    await writeFile(join(folder, 'run.gpx'), gpx().replaceAll(/<gpxtpx:hr>\d+/g, '<gpxtpx:hr>0'));
    const [activity] = await (await open()).listActivities('ann');
    expect([activity?.average_heart_rate, activity?.max_heart_rate]).toEqual([null, null]);
  });
});

describe('contained', () => {
  test('links that lead out are refused, links inside are followed, other files are ignored', async () => {
    await writeFile(join(outside, 'secret.gpx'), gpx({ name: 'Secret' }));
    await mkdir(join(folder, '2026'));
    await writeFile(join(folder, '2026', 'real.gpx'), gpx({ name: 'Real' }));
    await writeFile(join(folder, 'notes.txt'), 'no activity');
    await writeFile(join(folder, '.hidden.gpx'), gpx({ name: 'Hidden' }));
    await symlink(join(outside, 'secret.gpx'), join(folder, 'a.gpx'));
    await symlink('2026/real.gpx', join(folder, 'b.gpx'));
    await symlink('missing.gpx', join(folder, 'c.gpx'));
    await symlink(outside, join(folder, 'up'));
    const provider = await open();
    // The link and its target have the same content: one activity.
    expect((await provider.listActivities('ann')).map(({ name }) => name)).toEqual(['Real']);
    expect(await provider.listProblems()).toEqual([
      { file: 'a.gpx', reason: 'it is a link that leads out of the folder' },
      { file: 'c.gpx', reason: 'it cannot be read (ENOENT)' },
    ]);
  });

  test('a file that is too large is not read', async () => {
    await writeFile(join(folder, 'large.gpx'), '');
    await truncate(join(folder, 'large.gpx'), 16_777_217);
    expect(await (await open()).listProblems()).toEqual([
      { file: 'large.gpx', reason: 'it has 16777217 bytes; the limit is 16777216' },
    ]);
  });

  test('more than 2,000 files are refused, by name', async () => {
    for (let index = 0; index < 2001; index += 1) {
      await writeFile(join(folder, `${String(index).padStart(4, '0')}.gpx`), 'x');
    }
    const problems = await (await open()).listProblems();
    expect(problems.find(({ file }) => file === '2000.gpx')).toEqual({
      file: '2000.gpx',
      reason: 'the folder has more than 2000 files',
    });
  });

  test('a folder that does not exist is an error that names the setting', async () => {
    folder = join(folder, 'none');
    await expect(open()).rejects.toThrow(`FITNESS_FILES is not a folder: "${folder}".`);
  });

  test('others than the owner see nothing', async () => {
    await writeFile(join(folder, 'run.gpx'), gpx());
    const provider = await open();
    const [activity] = await provider.listActivities('ann');
    expect(await provider.listActivities('bob')).toEqual([]);
    expect(await provider.findActivity('bob', activity?.id ?? '')).toBeUndefined();
    expect(await provider.findStreams('bob', activity?.id ?? '')).toBeUndefined();
  });
});

test('opening does not wait for the files, and disposing ends the reading', async () => {
  await writeFile(join(folder, 'run.gpx'), gpx());
  expect(await (await open()).listActivities('ann')).toHaveLength(1);
  const provider = await open();
  provider[Symbol.dispose]();
  expect(await provider.listActivities('ann')).toEqual([]);
});

describe('changes', () => {
  test('are read after a notification; ids stay when a file is renamed', async () => {
    const { watch, events } = manualWatch();
    await writeFile(join(folder, 'run.gpx'), gpx());
    const provider = await open(watch);
    const [first] = await provider.listActivities('ann');
    await rename(join(folder, 'run.gpx'), join(folder, 'renamed.gpx'));
    await writeFile(join(folder, 'second.gpx'), gpx({ name: 'Second', minutes: 20 }));
    expect(await provider.listActivities('ann')).toHaveLength(1);
    events[0]?.onChange();
    const names = (await provider.listActivities('ann')).map(({ id, name }) => [id === first?.id, name]);
    expect(names.map((pair) => pair.join(' ')).sort()).toEqual(['false Second', 'true Morning run']);
    await rm(join(folder, 'second.gpx'));
    events[0]?.onChange();
    expect(await provider.listActivities('ann')).toHaveLength(1);
  });

  test('are found at each request once notifications are lost', async () => {
    const { watch, events } = manualWatch();
    const provider = await open(watch);
    events[0]?.onLost();
    await writeFile(join(folder, 'run.gpx'), gpx());
    expect(await provider.listActivities('ann')).toHaveLength(1);
  });

  test('the samples of a file that was replaced are not given for the old activity', async () => {
    await writeFile(join(folder, 'run.gpx'), gpx());
    const provider = await open();
    const [activity] = await provider.listActivities('ann');
    await writeFile(join(folder, 'run.gpx'), gpx({ minutes: 30 }));
    expect(await provider.findStreams('ann', activity?.id ?? '')).toBeUndefined();
  });

  test('the file system notifies', async () => {
    const provider = await FilesProvider.open({ folder, isOwner: () => true });
    opened.push(provider);
    expect(await provider.listActivities('ann')).toEqual([]);
    await writeFile(join(folder, 'run.gpx'), gpx());
    await expect.poll(async () => (await provider.listActivities('ann')).length).toBe(1);
  });
});

test('filters: "after" is inclusive, "before" exclusive, the newest first', async () => {
  await writeFile(join(folder, 'a.gpx'), gpx({ name: 'First' }));
  await writeFile(
    join(folder, 'b.fit'),
    encodeFit([{ sport: 2, timer_s: 60, calories: 1, ascent_m: 0, samples: samples(START + 3600, 61) }]),
  );
  const provider = await open();
  const starts = async (filter: Parameters<FilesProvider['listActivities']>[1]): Promise<readonly number[]> =>
    (await provider.listActivities('ann', filter)).map(({ start_time }) => start_time - START);
  expect(await starts({})).toEqual([3600, 0]);
  expect(await starts({ after: START + 3600 })).toEqual([3600]);
  expect(await starts({ before: START + 3600 })).toEqual([0]);
  expect(await starts({ sport_type: 'ride' })).toEqual([3600]);
  expect([...provider.features]).toEqual(['activities', 'streams', 'place']);
  expect([await provider.findAthlete(), await provider.listSleep()]).toEqual([undefined, []]);
});
