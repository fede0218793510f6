import { describe, expect, test } from 'vitest';
import { parseLinks } from '../../../../src/openapi/response/pagination/link-header.ts';
import { cpuMsOf } from '../../../support/cpu-time.ts';

describe('a Link header', () => {
  test.each([
    ['<https://a.example/?page=2>; rel="next"', [['https://a.example/?page=2', 'next']]],
    [
      '<a>; rel=next, <b>;rel=prev',
      [
        ['a', 'next'],
        ['b', 'prev'],
      ],
    ],
    ['<a,b;c>; title="x, y; <z> \\"q\\""; rel="next"', [['a,b;c', 'next']]],
    ['<a>; rel="prev  NEXT"', [['a', 'prev', 'next']]],
    ['<a> ; REL = "next" ; rel="prev"', [['a', 'next']]],
    ['< a >;;rel=next;', [['a', 'next']]],
    [',, <a>; rel=next ,, <b>', [['a', 'next'], ['b']]],
    ['<a>; rel="next', [['a', 'next']]],
    ["<a>; title*=UTF-8''x; crossorigin; rel=next", [['a', 'next']]],
    ['<a>; anchor="#part"; rel=next, <b>; rel=next', [['b', 'next']]],
    ['', []],
    ['nonsense', []],
    ['<a', []],
    ['<a>; rel=next nonsense <b>; rel=next', [['a', 'next']]],
  ])('%s', (header, expected) => {
    expect(parseLinks(header).map(({ target, relations }) => [target, ...relations])).toEqual(expected);
  });

  test.each([';'.repeat(60_000), '<a>;'.repeat(15_000), '<a>; x="'.repeat(8000), ' '.repeat(65_000)])(
    'that is long takes no time worth mentioning',
    (header) => {
      expect(cpuMsOf(() => parseLinks(header))).toBeLessThan(500);
    },
  );
});
