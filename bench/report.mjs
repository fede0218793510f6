import { median } from './statistics.mjs';
import { isOf } from './rounds.mjs';
import { SETS, SIZES } from './tools.mjs';

/** Maximum change of the ratio of a call to the baseline with the number of tools. */
const FLAT_WITHIN = 0.15;

/**
 * A Markdown table of one kind of work.
 *
 * @param {readonly import('./rounds.mjs').Track[]} tracks
 * @param {'call' | 'list'} kind
 */
export function formatTable(tracks, kind) {
  const names = [...new Set(tracks.filter(({ lane }) => lane.kind === kind).map(({ lane }) => lane.name))];
  const find = (name, set) =>
    tracks.find(({ lane }) => lane.kind === kind && lane.name === name && isOf(lane, set)).samples;
  const rows = names.map((name) => [
    name === 'floor' ? 'baseline' : name,
    ...SETS.map((set) => formatUs(median(find(name, set).map(({ cpuUs }) => cpuUs)))),
    ...SETS.map((set) => formatRatio(median(ratios(find(name, set), find('floor', set))))),
    ...SETS.map((set) => formatUs(median(find(name, set).map(({ wallUs }) => wallUs)))),
  ]);
  const columns = ['CPU µs', '× baseline', 'wall µs'].flatMap((what) =>
    SETS.map(({ size, catalogue }, index) => {
      const title = catalogue === 'real' ? `${size} real` : `${size}`;
      return index === 0 ? `${what}: ${title}` : title;
    }),
  );
  return toMarkdown([`tools/${kind}`, ...columns], rows);
}

/**
 * The same as data: the median CPU time of every kind of work, by contender and number of tools, and the ratios to the baseline that were
 * measured in pairs.
 *
 * @param {readonly import('./rounds.mjs').Track[]} tracks
 * @param {readonly import('./flatness.mjs').Pair[]} pairs
 */
export function toFigures(tracks, pairs) {
  return {
    cpuUs: tracks.map(({ lane: { name, size, catalogue, kind }, samples }) => ({
      name,
      size,
      catalogue,
      kind,
      us: median(samples.map(({ cpuUs }) => cpuUs)),
    })),
    ratios: pairs.map(({ name, size, catalogue, ratios }) => ({
      name,
      size,
      catalogue,
      ratio: median(ratios),
    })),
  };
}

/**
 * The ratio of a call to the baseline by number of tools, from samples in pairs. The first contender, with the work of the peers, is
 * checked; the others are printed.
 *
 * @param {readonly import('./flatness.mjs').Pair[]} pairs
 * @returns {{ lines: string[], isFlat: boolean }}
 */
export function formatFlatness(pairs) {
  const names = [...new Set(pairs.map(({ name }) => name))];
  const rows = names.map((name) => {
    const medians = SIZES.map((size) =>
      median(pairs.find((pair) => pair.name === name && isOf(pair, { size, catalogue: 'plain' })).ratios),
    );
    const deviation = Math.max(...medians) / Math.min(...medians) - 1;
    const shown = SIZES.map((size, index) => `${medians[index].toFixed(2)} at ${size}`).join(', ');
    return {
      isFlat: deviation <= FLAT_WITHIN,
      line: `${name} / baseline: ${shown}; ${percent(deviation)} apart`,
    };
  });
  const isFlat = rows[0].isFlat;
  return {
    lines: [
      ...rows.map((row) => row.line),
      `${names[0]} is flat within ${percent(FLAT_WITHIN)}: ${isFlat ? 'yes' : 'no'}`,
    ],
    isFlat,
  };
}

/** Round by round: a disturbance affects both. */
function ratios(samples, floorSamples) {
  return samples.map(({ cpuUs }, round) => cpuUs / floorSamples[round].cpuUs);
}

function formatUs(value) {
  return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en');
}

function formatRatio(value) {
  return value < 0.095 ? value.toFixed(3) : value < 10 ? value.toFixed(2) : value.toFixed(0);
}

function percent(value) {
  return `${(value * 100).toFixed(0)} %`;
}

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
export function toMarkdown(head, rows) {
  const widths = head.map((title, index) => Math.max(title.length, ...rows.map((row) => row[index].length)));
  const line = (cells) =>
    `| ${cells.map((cell, index) => (index === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[index]))).join(' | ')} |`;
  const rule = widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}
