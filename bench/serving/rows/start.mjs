import { shuffle } from '../../statistics.mjs';
import { Child } from '../child.mjs';
import { STDIO_CONTENDERS } from '../contenders.mjs';
import { Samples } from '../group.mjs';
import { atMost, ERAS, figuresOf, inTools } from '../lines.mjs';
import { HANDSHAKE, listMessage, VERSIONS } from '../messages.mjs';
import { profileStart } from '../profile.mjs';
import { quick } from '../settings.mjs';

const SIZE = 500;
const CATALOGUES = ['plain', 'real'];
const MAX_SDK = 0.6;
const STARTS = quick ? 1 : 7;
const BARE = [
  { name: 'bare Node', file: 'bare-node', eras: ERAS },
  { name: 'schemas', file: 'bare-schemas', eras: ERAS },
];

/** From the start of a process to its first list, over stdio. */
export const start = {
  name: 'start',
  measure: async (report) => {
    const lines = [];
    const details = [];
    for (const { era, catalogue } of ERAS.flatMap((era) =>
      CATALOGUES.map((catalogue) => ({ era, catalogue })),
    )) {
      const title = `${VERSIONS[era]}, ${inTools(SIZE, catalogue)}`;
      report(title);
      const samples = await measureStarts({ era, catalogue });
      const base = samples.median('schemas', 'ms');
      const own = samples.median('ours', 'ms') - base;
      const sdk = samples.median('SDK v2', 'ms') - base;
      lines.push({
        measure: `start to first list on stdio, ${title}: ms`,
        target: `without Node and schemas ≤ ${MAX_SDK}× SDK v2`,
        figures: figuresOf(samples, 'ms'),
        verdicts: [atMost(own / sdk, MAX_SDK, `SDK v2 (${own.toFixed(0)} / ${sdk.toFixed(0)} ms)`)],
      });
      details.push(
        `start, ${title}: bare Node ${samples.median('bare Node', 'ms').toFixed(0)} ms, with ${SIZE} schemas ${base.toFixed(0)} ms, ` +
          `with ${SIZE} schemas converted and listed (the baseline) ${samples.median('floor', 'ms').toFixed(0)} ms`,
      );
    }
    return { lines, details };
  },
  profile: () =>
    profileStart(async (flags) => {
      const { child } = await openFirstList({
        file: 'toolwright-stdio',
        era: 'modern',
        catalogue: 'real',
        flags,
      });
      await child.end();
    }),
};

async function measureStarts({ era, catalogue }) {
  const contenders = [...BARE, ...STDIO_CONTENDERS].filter(({ eras }) => eras.includes(era));
  const samples = new Samples(contenders.map(({ name }) => name));
  // The first start of each contender is not counted: it reads files that are cached later.
  for (let round = -1; round < STARTS; round += 1) {
    for (const { name, file } of shuffle(contenders)) {
      const ms = await timeStart({ name, file, era, catalogue });
      if (round >= 0) samples.add(name, { ms });
    }
  }
  return samples;
}

async function timeStart({ name, file, era, catalogue }) {
  const { child, answer, ms } = await openFirstList({ file, era, catalogue });
  await child.stop();
  const { result } = JSON.parse(answer);
  if (!isBare(file) && result?.tools?.length !== SIZE)
    throw new Error(`${name} returned a wrong list: ${answer.slice(0, 300)}`);
  return ms;
}

async function openFirstList({ file, era, catalogue, flags = [] }) {
  const startedAt = performance.now();
  const child = new Child(file, { size: SIZE, catalogue, era }, { over: 'stdio', hasChannel: false, flags });
  const { stdin, stdout } = child.process;
  const opening = era === 'legacy' && !isBare(file) ? [HANDSHAKE.initialize, HANDSHAKE.initialized] : [];
  stdin.write([...opening, listMessage(era).text, ''].join('\n'));
  const answers = await readLines(stdout, opening.length === 0 ? 1 : 2);
  return { child, answer: answers.at(-1), ms: performance.now() - startedAt };
}

function isBare(file) {
  return BARE.some((bare) => bare.file === file);
}

async function readLines(stream, count) {
  let text = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) {
    text += chunk;
    if (chunk.includes('\n') && text.split('\n').length > count) return text.split('\n').slice(0, count);
  }
  throw new Error(`the server ended after ${text.length} characters`);
}
