import { describe, expect, test } from 'vitest';
import { YamlPositions } from '../../../src/config/file/yaml-positions.ts';
import { DOCUMENT_DEFAULTS } from '../../../src/openapi/document/parse/document-limits.ts';
import { loadYaml } from '../../../src/openapi/document/parse/load-yaml.ts';

type Path = readonly (number | string)[];

/** `line:column` of a path. */
function find(text: string, path: Path): string {
  const positions = new YamlPositions(text);
  loadYaml({ name: 'c.yaml', text }, { limits: DOCUMENT_DEFAULTS, onNode: positions.record });
  const { line, column } = positions.find(path);
  return `${line}:${column}`;
}

const BLOCKS = `# Comments come first.

name: x # and behind
tools:
  # between
  - name: a
    "quoted key": |
      text
      like: keys
    after: 1
  -   {a: 1, b: [1, 2, {c: d}], "e": f,g: }
  - - x
    - y
last: "in two
  lines"
`;

describe('the position of a value is that of its key, or of the beginning of an entry', () => {
  test.each<[string, Path]>([
    ['3:1', []],
    ['3:1', ['name']],
    ['4:1', ['tools']],
    ['6:5', ['tools', 0]],
    ['6:5', ['tools', 0, 'name']],
    ['7:5', ['tools', 0, 'quoted key']],
    ['10:5', ['tools', 0, 'after']],
    ['11:7', ['tools', 1]],
    ['11:8', ['tools', 1, 'a']],
    ['11:21', ['tools', 1, 'b', 1]],
    ['11:25', ['tools', 1, 'b', 2, 'c']],
    ['11:33', ['tools', 1, 'e']],
    ['11:40', ['tools', 1, 'g']],
    ['13:7', ['tools', 2, 1]],
    ['14:1', ['last']],
  ])('%s %j', (place, path) => {
    expect(find(BLOCKS, path)).toBe(place);
  });

  test('in JSON, with tabs', () => {
    const text = '  {\n\t"a": {"b": [1,\n2, {"c":\n null}]},\n "d" : "x:y"}\n';
    expect(find(text, [])).toBe('1:3');
    expect(find(text, ['a'])).toBe('2:2');
    expect(find(text, ['a', 'b', 1])).toBe('3:1');
    expect(find(text, ['a', 'b', 2, 'c'])).toBe('3:5');
    expect(find(text, ['d'])).toBe('5:2');
  });

  test('with lines that end as on Windows', () => {
    expect(find('a: 1\r\nb:\r\n  - c\r\n  - d: 2\r\n', ['b', 1, 'd'])).toBe('4:5');
  });

  test('behind a directive, with keys in two lines', () => {
    expect(find('%YAML 1.2\n---\n? a\n: b\n? c # d\n: [e]\nf: 1\n', ['c', 0])).toBe('6:4');
    expect(find('%YAML 1.2\n---\n? a\n: b\n? c # d\n: [e]\nf: 1\n', ['f'])).toBe('7:1');
  });

  test('with anchors', () => {
    expect(find('a: &a\n  x: 1\nb: &b y\nc:\n  - &d z: 1\n    w: 2\n', ['c', 0, 'w'])).toBe('6:5');
  });
});

describe('a value without a position of its own has that of what holds it', () => {
  test.each<[string, string, Path]>([
    ['a member that is missing', '1:1', ['a', 'b', 'c']],
    ['a member that an alias repeats', '3:1', ['c', 'x']],
    ['a member that is merged', '4:1', ['d', 'x']],
    ['an entry with nothing in it', '5:1', ['e', 0]],
  ])('%s', (_what, place, path) => {
    const text = 'a: &a {x: 1}\nb: 1\nc: *a\nd: { <<: *a }\ne:\n  -\n  - f\n';
    expect(find(text, path)).toBe(place);
    expect(find(text, ['e', 1])).toBe('7:5');
  });

  test('nothing is at the beginning', () => {
    expect(find('', ['a'])).toBe('1:1');
  });
});
