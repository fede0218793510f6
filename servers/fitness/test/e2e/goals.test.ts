import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { callJson, callTool } from '../support/clients.ts';
import type { OfficialClient } from '../support/clients.ts';
import { CONNECTIONS, findIssuePaths } from '../support/connections.ts';
import type { InvalidCall } from '../support/connections.ts';
import { startStack } from '../support/stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'fitness-goals-'));
const stack = await startStack();
/** The enterprise caller has an empty folder. */
const empty = await startStack({ environment: { FITNESS_FILES: folder, FITNESS_USER: 'enterprise' } });
afterAll(async () => {
  await stack.close();
  await empty.close();
  rmSync(folder, { recursive: true });
});

const DAY_MS = 86_400_000;
const RUN_200 = {
  title: 'Run 200 km',
  goal_type: 'distance',
  target_value: 200_000,
  target_date: '2026-12-31',
  sport_type: 'run',
};

interface Goal {
  readonly goal_id: string;
}

interface Suggestion {
  readonly category: string;
  readonly title: string;
  readonly goal_type: string;
  readonly target_value: number;
  readonly target_date: string;
  readonly sport_type: string | null;
}

async function setGoal(client: OfficialClient, goal: object = RUN_200): Promise<string> {
  return (await callJson<Goal>(client, 'set_goal', { ...goal })).goal_id;
}

const INVALID: readonly InvalidCall[] = [
  ['set_goal', {}, ['title', 'goal_type', 'target_value', 'target_date']],
  ['set_goal', { ...RUN_200, title: ' ', goal_type: 'fun' }, ['title', 'goal_type']],
  ['set_goal', { ...RUN_200, target_value: 0, target_date: '2026-13-01' }, ['target_value', 'target_date']],
  ['set_goal', { ...RUN_200, target_value: '200 km', sport_type: 'chess' }, ['target_value', 'sport_type']],
  ['set_goal', { ...RUN_200, goal_type: 'performance', sport_type: 'strength' }, ['sport_type']],
  ['set_goal', { ...RUN_200, owner: 'admin' }, ['owner']],
  ['suggest_goals', { goal_category: 'fun', provider: 'garmin' }, ['provider', 'goal_category']],
  ['track_progress', {}, ['goal_id']],
  ['analyze_goal_feasibility', { goal_id: 7 }, ['goal_id']],
];

describe.each(CONNECTIONS)('client $version over $transport', (connection) => {
  const connect = () => stack.connect({ ...connection, caller: 'enterprise' });

  test('sets a goal, tracks it and judges it', async () => {
    const client = await connect();
    const goal = await callJson<Goal>(client, 'set_goal', RUN_200);
    expect(goal).toEqual({
      goal_id: goal.goal_id,
      ...RUN_200,
      description: null,
      unit: 'm',
      measured_by: 'Sum of distance of runs since the goal was set.',
      created_at: '2026-11-18T12:00:00.000Z',
    });
    expect(goal.goal_id).toMatch(/^[\da-f-]{36}$/);
    expect(await callJson(client, 'track_progress', { goal_id: goal.goal_id })).toEqual({
      provider: 'synthetic',
      status: 'on_track',
      progress_percent: 0,
      time_percent: 0,
      start_value: 0,
      current_value: 0,
      projected_value: null,
      days_left: 43,
      // 7 · 200,000 / 43
      needed_per_week: 32_558,
      goal,
      notes: ['These are generated data of the demonstration athlete.'],
    });
    expect(await callJson(client, 'analyze_goal_feasibility', { goal_id: goal.goal_id })).toMatchObject({
      feasible: false,
      // (32,558 / 28,027)^(1 / 0.7063), where 28,027 is a quarter of 112,107 m and 0.7063 half of 43 / 30.44 months.
      required_percent_per_month: 23.6,
      reason:
        'The goal needs 32558 m a week, and you have 28027 m a week: +23.6 % a month, where 10 % are feasible.',
    });
  });

  test('suggests goals', async () => {
    const { goals } = await callJson<{ goals: Suggestion[] }>(await connect(), 'suggest_goals');
    expect(goals.map(({ title }) => title)).toEqual([
      '117 km of runs in four weeks',
      '518 km of rides in four weeks',
      '4:25 /km for 20 minutes or more in runs',
      '200 W normalized for 20 minutes or more in rides',
      '7 activities a week',
    ]);
    expect(goals[0]).toEqual({
      category: 'distance',
      title: '117 km of runs in four weeks',
      goal_type: 'distance',
      target_value: 117_000,
      unit: 'm',
      target_date: '2026-12-16',
      sport_type: 'run',
      current_value: 112_106.7,
      reason: 'The last 28 days had 112106.7 m; +4.4 % in 28 days is feasible (10 % a month).',
    });
  });

  test.each(INVALID)('%s with %j is -32602 at %j', async (tool, args, paths) => {
    expect(await findIssuePaths(callTool(await connect(), tool, { ...args }))).toEqual(paths);
  });

  test.each([
    ['2026-11-18', 'target_date: must be from 2026-11-19 to 2031-11-18'],
    ['2031-11-19', 'target_date: must be from 2026-11-19 to 2031-11-18'],
  ])('a goal until %s is -32602 with the allowed dates', async (target_date, text) => {
    const call = callTool(await connect(), 'set_goal', { ...RUN_200, target_date });
    await expect(call).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining(text) as string,
      data: { issues: [{ path: ['target_date'] }] },
    });
  });
});

describe('suggest_goals', () => {
  test('every suggestion is feasible, and its arguments are those of set_goal', async () => {
    const client = await stack.connect({ caller: 'enterprise' });
    const { goals } = await callJson<{ goals: Suggestion[] }>(client, 'suggest_goals');
    for (const { title, goal_type, target_value, target_date, sport_type } of goals) {
      const goal = {
        title,
        goal_type,
        target_value,
        target_date,
        ...(sport_type !== null && { sport_type }),
      };
      const goal_id = await setGoal(client, goal);
      expect([title, await callJson(client, 'analyze_goal_feasibility', { goal_id })]).toMatchObject([
        title,
        { feasible: true },
      ]);
    }
  });

  test('anonymous callers get suggestions for the demonstration athlete, and a category selects', async () => {
    const client = await stack.connect({ caller: 'anonymous' });
    const { goals } = await callJson<{ goals: Suggestion[] }>(client, 'suggest_goals', {
      goal_category: 'consistency',
    });
    expect(goals).toMatchObject([
      { category: 'consistency', goal_type: 'frequency', target_value: 7, sport_type: null },
    ]);
    const { text } = await callTool(client, 'suggest_goals', { format: 'toon' });
    expect(text).toContain(
      'goals[5]{category,title,goal_type,target_value,unit,target_date,sport_type,current_value,reason}:',
    );
  });

  test('without activities there is none, with a note', async () => {
    const client = await empty.connect({ caller: 'enterprise' });
    expect(await callJson(client, 'suggest_goals')).toEqual({
      provider: 'files',
      goals: [],
      notes: ['There are too few activities in the last 90 days to suggest goals.'],
    });
  });
});

describe('goals over time', () => {
  /** A server of its own, whose clock is moved. */
  async function track(goal: object, days: number): Promise<Readonly<Record<string, unknown>>> {
    const moving = await startStack();
    const client = await moving.connect();
    const goal_id = await setGoal(client, goal);
    moving.clock.advance(days * DAY_MS);
    const progress = await callJson<Readonly<Record<string, unknown>>>(client, 'track_progress', { goal_id });
    await moving.close();
    return progress;
  }

  test('a total is the sum since the goal was set', async () => {
    const progress = await track(RUN_200, 14);
    // The runs from 18 November noon to 2 December noon, and 14 of 43.5 days.
    expect(progress).toMatchObject({
      current_value: 44_888.5,
      progress_percent: 22.4,
      time_percent: 32.2,
      status: 'behind',
      days_left: 29,
    });
    expect(progress['projected_value']).toBe(139_474.98);
    // 7 · (200,000 − 44,888.5) / 29
    expect(progress['needed_per_week']).toBe(37_441);
  });

  test.each([
    [{ target_value: 20_000 }, 14, 'reached'],
    [{ target_value: 100_000 }, 14, 'ahead'],
    [{ target_value: 900_000 }, 14, 'behind'],
    [{ target_value: 900_000 }, 50, 'missed'],
  ])('%j after %i days is %s', async (change, days, status) => {
    expect(await track({ ...RUN_200, ...change }, days)).toMatchObject({ status });
  });

  test('time is the sum of moving time, of all sports without one', async () => {
    const { sport_type: _all, ...goal } = { ...RUN_200, goal_type: 'time', target_value: 360_000 };
    expect(await track(goal, 14)).toMatchObject({
      start_value: 0,
      current_value: 49_094,
      goal: { unit: 's', sport_type: null },
    });
  });

  test('a frequency that is kept is reached', async () => {
    const goal = {
      title: 'Three runs',
      goal_type: 'frequency',
      target_value: 3,
      target_date: '2027-03-01',
      sport_type: 'run',
    };
    expect(await track(goal, 1)).toMatchObject({
      status: 'reached',
      start_value: 3,
      current_value: 3,
      needed_per_week: null,
    });
    expect(await track({ ...goal, target_value: 2 }, 1)).toMatchObject({
      status: 'reached',
      progress_percent: 150,
    });
  });

  test('a performance is the best of 90 days', async () => {
    const goal = {
      title: 'Faster',
      goal_type: 'performance',
      target_value: 3.9,
      target_date: '2027-03-01',
      sport_type: 'run',
    };
    // 21,097.7 m in 5689 s.
    expect(await track(goal, 1)).toMatchObject({
      start_value: 3.71,
      current_value: 3.71,
      status: 'on_track',
      goal: { unit: 'm/s' },
    });
    const ride = { ...goal, target_value: 220, sport_type: 'ride' };
    expect(await track(ride, 1)).toMatchObject({ current_value: 196.5, goal: { unit: 'W' } });
  });
});

describe('analyze_goal_feasibility', () => {
  test('the target and the date that it returns are feasible', async () => {
    const client = await stack.connect({ caller: 'professional' });
    interface Judged {
      readonly feasible: boolean;
      readonly feasible_target_value: number;
      readonly feasible_target_date: string;
    }
    const judge = async (change: object): Promise<Judged> =>
      callJson(client, 'analyze_goal_feasibility', {
        goal_id: await setGoal(client, { ...RUN_200, ...change }),
      });
    const { feasible, feasible_target_value, feasible_target_date } = await judge({});
    // 28,027 · 1.1^0.7063 · 43 / 7
    expect([feasible, feasible_target_value, feasible_target_date]).toEqual([false, 184_153, '2027-01-06']);
    expect(await judge({ target_value: feasible_target_value - 1 })).toMatchObject({ feasible: true });
    expect(await judge({ target_value: feasible_target_value + 1000 })).toMatchObject({ feasible: false });
    expect(await judge({ target_date: feasible_target_date })).toMatchObject({ feasible: true });
  });

  test('a reached goal is feasible', async () => {
    const client = await stack.connect({ caller: 'professional' });
    const goal_id = await setGoal(client, { ...RUN_200, goal_type: 'frequency', target_value: 2 });
    expect(await callJson(client, 'analyze_goal_feasibility', { goal_id })).toMatchObject({
      feasible: true,
      reason: 'The goal is reached.',
    });
  });

  test.each([
    [
      'without activities',
      RUN_200,
      'There is no activity that the goal "Run 200 km" is measured by, so there is no level to start from.\nSuggestion: Record some activities first.',
    ],
    [
      'of a custom goal',
      { ...RUN_200, goal_type: 'custom' },
      'The server cannot measure the custom goal "Run 200 km".\nSuggestion: Set a goal of the type distance, time, frequency or performance.',
    ],
  ])('%s it is an error', async (_, goal, text) => {
    const client = await empty.connect({ caller: 'enterprise' });
    const goal_id = await setGoal(client, goal);
    expect(await callTool(client, 'analyze_goal_feasibility', { goal_id })).toMatchObject({
      isError: true,
      text,
    });
  });

  test('after the target date it is an error', async () => {
    const moving = await startStack();
    const client = await moving.connect();
    const goal_id = await setGoal(client, { ...RUN_200, target_date: '2026-11-20' });
    moving.clock.advance(3 * DAY_MS);
    expect(await callTool(client, 'analyze_goal_feasibility', { goal_id })).toMatchObject({
      isError: true,
      text: 'The goal "Run 200 km" was due on 2026-11-20.\nSuggestion: Call track_progress for the value that was reached.',
    });
    await moving.close();
  });
});

describe('goals belong to their owner', () => {
  test('the goal of another user is unknown, and the error lists only goals of the caller', async () => {
    const [one, other] = [
      await stack.connect({ caller: 'starter' }),
      await stack.connect({ caller: 'owner' }),
    ];
    const secret = await setGoal(one, { ...RUN_200, title: 'Secret' });
    const mine = await setGoal(other, { ...RUN_200, title: 'Mine' });
    for (const tool of ['track_progress', 'analyze_goal_feasibility'])
      expect(await callTool(other, tool, { goal_id: secret })).toMatchObject({
        isError: true,
        text: `Unknown goal "${secret}".\nSuggestion: Your newest goals: ${mine} (Mine).`,
      });
  });

  test('anonymous callers have no goals', async () => {
    const client = await stack.connect({ caller: 'anonymous' });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('suggest_goals');
    for (const tool of ['set_goal', 'track_progress', 'analyze_goal_feasibility']) {
      expect(names).not.toContain(tool);
      await expect(callTool(client, tool, {})).rejects.toThrow(`Unknown tool: ${tool}`);
    }
  });

  test('the feasibility of goals is not in the plan starter', async () => {
    const client = await stack.connect({ caller: 'starter' });
    await expect(callTool(client, 'analyze_goal_feasibility', { goal_id: 'x' })).rejects.toThrow(
      /Unknown tool/,
    );
  });

  test('a user has at most 200 goals', async () => {
    const client = await stack.connect({ caller: 'admin' });
    for (let count = 0; count < 200; count += 1) await setGoal(client);
    expect(await callTool(client, 'set_goal', RUN_200)).toMatchObject({
      isError: true,
      text: expect.stringContaining('You have 200 goals, which is the limit.') as string,
    });
  });

  test('with several connected providers, progress is measured by the first', async () => {
    const several = await startStack({
      environment: {
        FITNESS_FILES: folder,
        FITNESS_USER: 'user',
        FITNESS_KEY: Buffer.alloc(32, 7).toString('base64'),
        FITNESS_STRAVA_CLIENT_ID: '7',
        FITNESS_STRAVA_CLIENT_SECRET: 'secret',
      },
    });
    several.database.insert('provider_tokens', { user_id: 'user', provider: 'strava', sealed: 'x' });
    const client = await several.connect();
    expect(await callTool(client, 'get_stats')).toMatchObject({ isError: true });
    const goal_id = await setGoal(client);
    expect(await callJson(client, 'track_progress', { goal_id })).toMatchObject({
      provider: 'files',
      current_value: 0,
    });
    await several.close();
  });
});
