/** Compares the results of a memory attack with the promises. */
import { MAX_GROWTH } from './judge.mjs';

const MB = 1_048_576;
/** Maximum block of the event loop; twice as long on a busy machine, where garbage collection also waits for the CPU. */
const MAX_BLOCK_MS = 200;
const MAX_P99_MS = 500;
/** Maximum of heap and external memory together, including garbage: the heap limit plus the memory budget. */
const MAX_USED = 320 * MB;
/** Minimum share of small calls and sessions of honest clients that must be served: shedding all of them is no defence. */
const MIN_SERVED = 0.5;

function megabytes(bytes) {
  return `${(bytes / MB).toFixed(1)} MB`;
}

/**
 * The figures of a memory attack: name, value, promise, whether it holds. Wall-clock times count only if `isTimed`, because they are
 * meaningless on a busy machine.
 */
export function memoryFigures({ seconds, start, end, seen, death, report, honest }, { isTimed = true } = {}) {
  const growth = end?.growth;
  return [
    ['attacks at the same time', `${Object.keys(report).length} for ${seconds} s`, '', true],
    ['the server', death ?? 'survived', 'survived', death === undefined],
    [
      'heap and external memory at their highest',
      megabytes(seen.used),
      `≤ ${megabytes(MAX_USED)}`,
      seen.used <= MAX_USED,
    ],
    ['heap and external memory before the attack', megabytes(start.heapUsed + start.external), '', true],
    [
      'their growth after the attack and a collection',
      growth === undefined ? 'unknown' : megabytes(growth),
      `≤ ${megabytes(MAX_GROWTH)}`,
      growth <= MAX_GROWTH,
    ],
    [
      'RSS at its highest, and after the attack',
      `${megabytes(seen.rss)}, ${megabytes(end?.rss ?? 0)}`,
      '',
      true,
    ],
    [
      'longest block of the event loop',
      `${Math.round(seen.blockedMs)} ms (${Math.round(seen.delayMs)} ms by the clock)`,
      `≤ ${MAX_BLOCK_MS * (isTimed ? 1 : 2)} ms`,
      seen.blockedMs <= MAX_BLOCK_MS * (isTimed ? 1 : 2),
    ],
    ['time for which it had no processor', `${(seen.waitedMs / 1000).toFixed(1)} s`, '', true],
    ...faredFigures('small calls from other clients', honest.calls, { isTimed, minServed: MIN_SERVED }),
    ...faredFigures('sessions of other clients', honest.sessions, { isTimed, minServed: MIN_SERVED }),
    ...faredFigures('requests with 1 MB bodies from other clients', honest.bodies, { isTimed, minServed: 0 }),
    [
      'requests from other clients after the attack',
      end === undefined ? 'unknown' : (end.problem ?? 'served'),
      'served',
      end !== undefined && end.problem === undefined,
    ],
  ];
}

function faredFigures(what, { answered, shed, wrong, p99, reasons }, { isTimed, minServed }) {
  const total = answered + shed + wrong;
  return [
    [
      `${what}: served, 503 with Retry-After, neither`,
      `${answered}, ${shed}, ${wrong}${wrong > 0 ? ` (${reasons.join('; ')})` : ''}`,
      `${minServed > 0 ? `at least ${minServed * 100} %` : 'any'}, the rest, 0`,
      wrong === 0 && answered >= total * minServed,
    ],
    [`${what}: p99 latency`, `${Math.round(p99)} ms`, `≤ ${MAX_P99_MS} ms`, !isTimed || p99 <= MAX_P99_MS],
  ];
}

/** Formats the figures and the counts of each attack as Markdown tables. */
export function formatMemory(found, options) {
  const rows = memoryFigures(found, options).map(
    ([what, value, promised, holds]) => `| ${what} | ${value} | ${promised} | ${holds ? '' : '**no**'} |`,
  );
  const attacks = Object.entries(found.report).map(([name, { sent, received, replies }]) => {
    const seen = Object.entries(replies).map(([reply, times]) => `${times} × ${reply}`);
    return `| ${name} | ${megabytes(sent)} | ${megabytes(received)} | ${seen.join(', ')} |`;
  });
  return [
    '| figure | found | promised | |',
    '|---|---|---|---|',
    ...rows,
    '',
    '| attack | sent | received | responses |',
    '|---|---|---|---|',
    ...attacks,
  ].join('\n');
}
