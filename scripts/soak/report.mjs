/** Formats the results of a soak as tables. */
import { cpus, platform, release, totalmem } from 'node:os';
import { MAX_SLOPE } from './soak.mjs';

const MB = 1_048_576;

/** Minimum duration for judging the growth of the heap: shorter runs only show the warm-up. */
const MIN_MINUTES = 5;

function megabytes(bytes) {
  return `${(bytes / MB).toFixed(2)} MB`;
}

/** The figures of a soak: name, value, promise, whether it holds. */
export function figuresOf(found) {
  const { tally, samples, start, end } = found;
  const warm = samples.at(Math.floor(samples.length / 4));
  const mostAtRest = Math.max(...samples.map(({ running }) => running));
  return [
    ['clients', `${found.clients} for ${found.minutes} min`, '', true],
    ['actions', tally.total.toLocaleString('en'), '', true],
    ['lost', tally.lost, '0', tally.lost === 0],
    ['duplicated', tally.duplicated, '0', tally.duplicated === 0],
    ['difference between runs of `echo` and responses to it', found.difference, '0', found.difference === 0],
    [
      'heap after garbage collection, first and last',
      `${megabytes(warm.heapUsed)}, ${megabytes(samples.at(-1).heapUsed)}`,
      '',
      true,
    ],
    [
      'growth of the heap in ten minutes',
      found.minutes < MIN_MINUTES ? 'too short to say' : megabytes(found.slope),
      `≤ ${megabytes(MAX_SLOPE)}`,
      found.slope <= MAX_SLOPE || found.minutes < MIN_MINUTES,
    ],
    ['most handlers still running while all clients pause', mostAtRest, '0', mostAtRest === 0],
    ['requests open at the end', end.open, '0', end.open === 0],
    [
      'handles and timers left behind',
      found.leftBehind.join(', ') || 'none',
      'none',
      found.leftBehind.length === 0,
    ],
    [
      'listeners of the process, before and after',
      `${start.listeners}, ${end.listeners}`,
      'the same',
      start.listeners === end.listeners,
    ],
    [
      'output on standard error',
      found.complaints.trim().split('\n')[0] || 'nothing',
      'nothing',
      found.complaints === '',
    ],
    ['exit', found.exit, '0', found.exit === '0'],
  ];
}

/** Formats the figures and the actions of the clients as Markdown tables. */
export function formatSoak(found) {
  const rows = figuresOf(found).map(
    ([what, value, promised, holds]) => `| ${what} | ${value} | ${promised} | ${holds ? '' : '**no**'} |`,
  );
  const done = Object.entries(found.tally.done).sort(([, one], [, other]) => other - one);
  return [
    whenAndWhere(),
    '',
    '| figure | found | promised | |',
    '|---|---|---|---|',
    ...rows,
    '',
    '| action | count |',
    '|---|---|',
    ...done.map(([what, times]) => `| ${what} | ${times.toLocaleString('en')} |`),
  ].join('\n');
}

/** Formats the files of a vitest run as a Markdown table, with the rows of an earlier table for other files. */
export function formatPromises(files, earlier = '') {
  const rows = files.map(
    ({ name, passed, failed, seconds }) =>
      `| ${name} | ${passed} | ${failed} | ${Math.round(seconds)} s | ${whenAndWhere().slice(0, -1)} |`,
  );
  const isKept = (row) => /^\| \d/.test(row) && !files.some(({ name }) => row.startsWith(`| ${name} |`));
  return [
    '| promise | passed | failed | took | measured |',
    '|---|---|---|---|---|',
    ...[...rows, ...earlier.split('\n').filter(isKept)].toSorted((one, other) => one.localeCompare(other)),
  ].join('\n');
}

function whenAndWhere() {
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GB`;
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, Node ${process.versions.node}, ${platform()} ${release().split('-')[0]}, ${cpus().length} × ${cpu?.model.trim()}, ${memory}.`;
}

/** Replaces the part of a page between two markers with what `write` makes of it. */
export function replaceBetween(page, name, write) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`Missing markers in the page: expected ${begin} … ${end}`);
  const start = from + begin.length;
  return `${page.slice(0, start)}\n${write(page.slice(start, to))}\n${page.slice(to)}`;
}
