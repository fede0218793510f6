import { expect } from 'vitest';
import { envelope } from '../support/raw-peer.ts';
import { countsOf } from './support/canary.ts';
import type { Weakness } from './support/weaken.ts';
import { promise } from './support/promise.ts';
import { everyTalker } from './support/talkers.ts';
import type { Talker } from './support/talkers.ts';

/** A member of a message: its key as written between the quotes, and its value as JSON. */
type Member = readonly [key: string, value: string];

/** A call of a tool, member by member. */
function callOf({ isModern }: Talker, name: string, id = '1'): readonly Member[] {
  const params = { name, arguments: {}, ...(isModern ? { _meta: envelope({}) } : {}) };
  return [
    ['jsonrpc', '"2.0"'],
    ['id', id],
    ['method', '"tools/call"'],
    ['params', JSON.stringify(params)],
  ];
}

function write(members: readonly Member[], colon = ':'): string {
  return `{${members.map(([key, value]) => `"${key}"${colon}${value}`).join(',')}}`;
}

async function say(talker: Talker, text: string): ReturnType<Talker['ask']> {
  return talker.ask(Buffer.from(text));
}

/** Number of calls of the canary. */
async function callsOf({ server }: Talker): Promise<number> {
  return (await countsOf(server))['canary'] ?? 0;
}

async function expectServed(talker: Talker, text: string): Promise<void> {
  const before = await callsOf(talker);
  const { message } = await say(talker, text);
  expect(message.result?.content?.[0]?.text, `${talker.title}: a call that is in order`).toBe('canary');
  expect(await callsOf(talker), `${talker.title}: it is executed`).toBe(before + 1);
}

/** Values that another parser could read instead. */
const OTHERS: Readonly<Record<string, string>> = {
  jsonrpc: '"1.0"',
  id: '2',
  method: '"tools/list"',
  params: '{"name":"echo"}',
};

function escapeAll(key: string): string {
  return Array.from(key, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}

/** Other spellings of the same key. */
const SPELLINGS: Readonly<Record<string, (key: string) => string>> = {
  'as it is': (key) => key,
  'with its first letter escaped': (key) => `${escapeAll(key.slice(0, 1))}${key.slice(1)}`,
  'with its last letter escaped in large letters': (key) =>
    `${key.slice(0, -1)}${escapeAll(key.slice(-1)).toUpperCase().replace('\\U', '\\u')}`,
  'with every letter escaped': escapeAll,
};

async function checkDuplicates(without: readonly Weakness[]): Promise<void> {
  for await (const talker of everyTalker({ without })) {
    const call = callOf(talker, 'canary');
    await expectServed(talker, write(call));
    const before = await callsOf(talker);
    for (const [key, value] of call) {
      for (const [spelling, spell] of Object.entries(SPELLINGS)) {
        const double: Member = [spell(key), OTHERS[key] ?? ''];
        const same: Member = [spell(key), value];
        const respelt = call.map(([each, written]): Member => [each === key ? spell(each) : each, written]);
        const texts = {
          'the other one first': write([double, ...call]),
          'the other one last': write([...call, double]),
          'the same again': write([...call, same]),
          'both in this spelling': write([...respelt, double]),
          'spaces before the colon': write([...call, double], ' \t : '),
          'in a batch': `[${write([...call, double])}]`,
          'second in a batch': `[${write(callOf(talker, 'canary', '3'))},${write([...call, double])}]`,
        };
        for (const [where, text] of Object.entries(texts)) {
          const title = `${talker.title}: ${key} twice, ${spelling}, ${where}`;
          const { status = 400, message } = await say(talker, text);
          expect([status, message.error?.code], `${title}: the answer`).toEqual([400, -32600]);
          // With two ids, or several messages, the id of the response is not determined.
          const isSure = key !== 'id' && !where.endsWith('batch');
          expect(message.id, `${title}: the id of the answer`).toBe(isSure ? 1 : undefined);
        }
      }
    }
    expect(await callsOf(talker), `${talker.title}: executed with doubled keys`).toBe(before);
    // Every spelling is accepted if the key occurs once.
    for (const spell of Object.values(SPELLINGS))
      await expectServed(talker, write(call.map(([key, value]): Member => [spell(key), value])));
    // Duplicate keys in the arguments are not the concern of the message.
    const params = (call.at(-1)?.[1] ?? '').replace('"arguments":{}', '"id":1,"id":2,"arguments":{}');
    await expectServed(talker, write([...call.slice(0, -1), ['params', params]]));
  }
}

/** Keys similar to the right ones: in other case, with characters that fold to theirs, with invisible characters. */
function variantsOf(key: string): readonly string[] {
  return [
    key.toUpperCase(),
    `${key.slice(0, 1).toUpperCase()}${key.slice(1)}`,
    `${key.slice(0, -1)}${key.slice(-1).toUpperCase()}`,
    escapeAll(key.toUpperCase()),
    key.replaceAll('s', '\u017F').replaceAll('i', '\u0131'),
    `${key} `,
    ` ${key}`,
    `${key}\\u0000`,
    `${key}\u200B`,
    `\uFEFF${key}`,
    `${String.fromCodePoint((key.codePointAt(0) ?? 0) + 0xfee0)}${key.slice(1)}`,
  ].filter((variant) => variant !== key);
}

async function checkVariants(without: readonly Weakness[]): Promise<void> {
  for await (const talker of everyTalker({ without })) {
    const call = callOf(talker, 'canary');
    const unknown = write([...call.slice(0, 2), ['method', '"no/such/method"']]);
    const before = await callsOf(talker);
    let called = 0;
    for (const [key] of call) {
      for (const variant of variantsOf(key)) {
        const title = `${talker.title}: ${JSON.stringify(variant)}`;
        const other: Member = [variant, OTHERS[key] ?? ''];
        for (const text of [write([...call, other]), write([other, ...call])]) {
          const { message } = await say(talker, text);
          called += 1;
          const said = [message.id, message.result?.content?.[0]?.text];
          expect(said, `${title} beside ${key}: the answer`).toEqual([1, 'canary']);
        }
        const instead = write(call.map(([each, value]) => [each === key ? variant : each, value]));
        // Without an id it is a notification without a response: the next response belongs to the next request.
        if (key === 'id') await talker.tell(Buffer.from(instead));
        const { message } = await say(talker, key === 'id' ? unknown : instead);
        expect(message.error, `${title} instead of ${key}: the answer`).toBeDefined();
      }
    }
    expect((await callsOf(talker)) - before, `${talker.title}: executed`).toBe(called);
  }
}

/** Bytes that are not UTF-8. */
const BROKEN: Readonly<Record<string, readonly number[]>> = {
  'a byte that continues nothing': [0x80],
  'two bytes for one of one': [0xc0, 0xae],
  'a quote in two bytes': [0xc0, 0xa2],
  'three bytes for one of one': [0xe0, 0x80, 0xaf],
  'four bytes for one of one': [0xf0, 0x80, 0x80, 0xaf],
  'half of a pair': [0xed, 0xa0, 0x80],
  'a pair in two halves': [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
  'a character that is cut off': [0xe2, 0x82],
  'beyond the last character': [0xf4, 0x90, 0x80, 0x80],
  'a byte that never stands': [0xff],
  latin1: [0xfc],
};

/** Almost valid JSON of a message, with the interpretation of lenient parsers. */
function unreadable(call: readonly Member[]): Readonly<Record<string, Buffer>> {
  const text = write(call);
  const withId = (id: string): string => write(call.map(([key, value]) => [key, key === 'id' ? id : value]));
  const bytes = Buffer.from(text);
  const utf16 = Buffer.from(text, 'utf16le');
  const at = text.indexOf('canary') + 3;
  const broken = Object.entries(BROKEN).map(([title, wrong]): [string, Buffer] => [
    title,
    Buffer.concat([bytes.subarray(0, at), Buffer.from(wrong), bytes.subarray(at)]),
  ]);
  const texts: Readonly<Record<string, string>> = {
    'a byte order mark': `\uFEFF${text}`,
    'a byte order mark behind it': `${text}\uFEFF`,
    'a space of another kind': `\u00A0${text}`,
    'a space of another kind behind it': `${text}\u00A0`,
    'a line separator': `\u2028${text}`,
    'a vertical tab': `\v${text}`,
    'a form feed behind it': `${text}\f`,
    'a NUL': `\0${text}`,
    'a NUL behind it': `${text}\0`,
    'a word behind it': `${text} x`,
    'a second message behind it': `${text}${text}`,
    'a second message behind a space': `${text} ${text}`,
    'a comma behind it': `${text},`,
    'a bracket behind it': `${text}]`,
    'a brace too few': text.slice(0, -1),
    'NaN as its id': withId('NaN'),
    'Infinity as its id': withId('Infinity'),
    '-Infinity as its id': withId('-Infinity'),
    'undefined as its id': withId('undefined'),
    'a number with a sign': withId('+1'),
    'a number with a zero': withId('01'),
    'a number that ends with its point': withId('1.'),
    'a number in hexadecimal': withId('0x1'),
    'a number with a suffix': withId('1n'),
    'a text in single quotes': withId("'1'"),
    'a tab in a text': withId('"1\t"'),
    'an escape that is none': withId(String.raw`"\x31"`),
    'an escape that is cut off': withId(String.raw`"\u003"`),
    'a comma too many': `${text.slice(0, -1)},}`,
    'a comment': `${text.slice(0, -1)}/* */}`,
    'a comment to the end': `${text}//`,
    'a key without quotes': text.replace('"method"', 'method'),
    'single quotes': text.replaceAll('"', "'"),
  };
  return {
    ...Object.fromEntries(broken),
    'a broken key': Buffer.concat([
      Buffer.from('{"x'),
      Buffer.from([0xff]),
      Buffer.from('":1,'),
      bytes.subarray(1),
    ]),
    'broken behind it': Buffer.concat([bytes, Buffer.from([0xff])]),
    'UTF-16': utf16,
    'UTF-16 with its mark': Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
    'UTF-16 the other way round': Buffer.from(utf16).swap16(),
    ...Object.fromEntries(Object.entries(texts).map(([title, each]) => [title, Buffer.from(each)])),
  };
}

async function checkUnreadable(without: readonly Weakness[]): Promise<void> {
  for await (const talker of everyTalker({ without })) {
    const call = callOf(talker, 'canary');
    await expectServed(talker, ` \t${write(call)} \t`);
    const before = await callsOf(talker);
    for (const [title, bytes] of Object.entries(unreadable(call))) {
      const { status = 400, message } = await talker.ask(bytes);
      expect([status, message.error?.code], `${talker.title}: ${title}: the answer`).toEqual([400, -32700]);
      expect(message, `${talker.title}: ${title}: nobody can know its id`).not.toHaveProperty('id');
    }
    expect(await callsOf(talker), `${talker.title}: executed though it is no JSON`).toBe(before);
  }
}

const DUPLICATES = 'a key of the message that stands there twice is refused';
const VARIANTS = 'a key in other letters is another key';
const UNREADABLE = 'what is no JSON in UTF-8, to the letter, is refused';
const SCAN = 'wire/messages/scan-json.js';

promise('there is one reading of a message', {
  checks: { [DUPLICATES]: checkDuplicates, [VARIANTS]: checkVariants, [UNREADABLE]: checkUnreadable },
  switches: [
    {
      defence: 'the check for duplicate keys',
      off: [{ module: SCAN, defence: 'doubled-keys' }],
      red: /twice, as it is, .*: the answer/,
    },
    {
      defence: 'the decoding of escapes in keys',
      off: [{ module: SCAN, defence: 'keys-with-escapes' }],
      red: /twice, with its first letter escaped, .*: the answer/,
    },
    {
      defence: 'exact keys',
      off: [
        {
          module: 'wire/messages/decode.js',
          defence: 'exact-keys',
          by: 'Object.fromEntries(Object.entries($&).map(([key, member]) => [key.toLowerCase(), member]))',
        },
      ],
      red: /"JSONRPC" (?:beside|instead of) jsonrpc/,
      check: VARIANTS,
    },
    {
      defence: 'the check for UTF-8 on stdio',
      off: [{ module: 'transport/stdio/line-splitter.js', defence: 'utf8-of-a-line' }],
      red: /stdio: a byte that continues nothing: the answer/,
      check: UNREADABLE,
    },
    {
      defence: 'unmodified lines',
      off: [{ module: 'transport/stdio/line-splitter.js', defence: 'lines-as-they-are', by: '($&).trim()' }],
      red: /stdio: a byte order mark: the answer/,
      check: UNREADABLE,
    },
    {
      defence: 'the check for UTF-8 over HTTP',
      off: [{ module: 'transport/http/faces/node-face.js', defence: 'utf8-of-a-body' }],
      red: /HTTP: a byte that continues nothing: the answer/,
      check: UNREADABLE,
    },
  ],
});
