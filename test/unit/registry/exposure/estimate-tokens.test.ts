import { expect, test } from 'vitest';
import { estimateTokens } from '../../../../src/registry/exposure/estimate-tokens.ts';

interface Sample {
  readonly style: string;
  readonly text: string;
  /** The count of gpt-tokenizer 4.0.0. */
  readonly o200k: number;
  readonly cl100k: number;
}

/** None of these was used to fit the estimate. */
const ENGLISH: readonly Sample[] = [
  {
    style: 'a long description',
    text: '{"tools":[{"name":"archive_document","description":"Moves a document to the archive, where nobody can edit it any more. It stays searchable for members of the workspace and may be restored within ninety days; afterwards it is deleted for good, together with its comments, attachments and older versions. Use this when somebody says that a page is finished, obsolete or in the way, and prefer it to deleting, which cannot be undone.","inputSchema":{"type":"object","properties":{"documentId":{"type":"string","description":"Identifier of the document, as search_documents returns it"}},"required":["documentId"],"additionalProperties":false}}]}',
    o200k: 129,
    cl100k: 127,
  },
  {
    style: 'small schemas',
    text: '{"tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}},{"name":"sqrt","inputSchema":{"type":"object","properties":{"x":{"type":"number","minimum":0}},"required":["x"]}},{"name":"roundTo","inputSchema":{"type":"object","properties":{"value":{"type":"number"},"digits":{"type":"integer","minimum":0,"maximum":15,"default":2}},"required":["value"],"additionalProperties":false}}]}',
    o200k: 120,
    cl100k: 114,
  },
  {
    style: 'enums',
    text: '{"name":"set_state","inputSchema":{"type":"object","properties":{"state":{"enum":["draft","in_review","changes_requested","approved","published","archived"]},"currency":{"enum":["EUR","GBP","NOK","SEK","USD","CHF","JPY"]},"region":{"enum":["eu-west-1","eu-central-1","us-east-1","ap-southeast-2"]},"notify":{"type":"boolean","default":false}},"required":["state"]}}',
    o200k: 99,
    cl100k: 101,
  },
  {
    style: 'nested definitions',
    text: '{"inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"root":{"$ref":"#/$defs/Node"},"filter":{"anyOf":[{"$ref":"#/$defs/Condition"},{"type":"null"}]}},"$defs":{"Node":{"type":"object","properties":{"value":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/Node"}}}},"Condition":{"type":"object","properties":{"field":{"type":"string","pattern":"^[a-z][a-zA-Z0-9_]*$"},"createdAfter":{"type":"string","format":"date-time"}}}}}}',
    o200k: 144,
    cl100k: 139,
  },
  {
    style: 'indented',
    text: '{\n  "tools": [\n    {\n      "name": "ping_host",\n      "description": "Sends 4 packets (64 bytes each) and waits 1000 ms for every answer.",\n      "annotations": { "readOnlyHint": true, "openWorldHint": true }\n    }\n  ]\n}',
    o200k: 65,
    cl100k: 64,
  },
];

const OTHER_LANGUAGES: readonly Sample[] = [
  {
    style: 'Chinese',
    text: '{"tools":[{"name":"book_room","description":"在指定的日期和时间预订一间会议室，并向所有参加者发送邀请。如果会议室已被占用，会建议附近的其他房间。","inputSchema":{"type":"object","properties":{"room":{"type":"string","description":"会议室的名称或编号"}},"required":["room"]}}]}',
    o200k: 77,
    cl100k: 95,
  },
  {
    style: 'Arabic',
    text: '{"tools":[{"name":"book_room","description":"يحجز قاعة اجتماعات في التاريخ والوقت المحددين ويرسل دعوة إلى جميع المشاركين. إذا كانت القاعة مشغولة يقترح قاعات أخرى قريبة.","inputSchema":{"type":"object","properties":{"room":{"type":"string","description":"اسم القاعة أو رقمها"}},"required":["room"],"additionalProperties":false}}]}',
    o200k: 84,
    cl100k: 139,
  },
  {
    style: 'Russian',
    text: '{"tools":[{"name":"book_room","description":"Бронирует переговорную на указанные дату и время и рассылает приглашения всем участникам. Если комната занята, предлагает другие поблизости.","inputSchema":{"type":"object","properties":{"room":{"type":"string","description":"Название или номер переговорной"}},"required":["room"]}}]}',
    o200k: 76,
    cl100k: 104,
  },
];

test.each(ENGLISH)('a tool list with $style is estimated within 15 %', ({ text, o200k, cl100k }) => {
  expect(deviation(text, o200k)).toBeLessThan(0.15);
  expect(deviation(text, cl100k)).toBeLessThan(0.15);
});

test.each(OTHER_LANGUAGES)('descriptions in $style are estimated within 30 %', ({ text, o200k, cl100k }) => {
  expect(deviation(text, o200k)).toBeLessThan(0.3);
  expect(deviation(text, cl100k)).toBeLessThan(0.3);
});

test('nothing costs nothing, and anything costs at least one token', () => {
  expect(estimateTokens('')).toBe(0);
  for (const text of ['a', ' ', '"', '7', '語', '🙂', '\u{0}', '\uD800']) {
    expect(estimateTokens(text), JSON.stringify(text)).toBeGreaterThanOrEqual(1);
  }
});

test('a list costs what its tools cost together', () => {
  const tool = `${ENGLISH[0]?.text},`;
  const one = estimateTokens(tool);
  expect(estimateTokens(tool.repeat(1000)) / (one * 1000)).toBeCloseTo(1, 1);
});

function deviation(text: string, actual: number): number {
  return Math.abs(estimateTokens(text) / actual - 1);
}
