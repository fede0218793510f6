import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sourceFiles } from '../../scripts/house/graph.mjs';
import { weaken } from '../promises/support/weaken.ts';

describe('the marks of defences in src/', () => {
  test('each is in its file once, and has a switch that turns it off', () => {
    const switches = readdirSync('test/promises')
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(join('test/promises', name), 'utf8'))
      .join('\n');
    const marks = sourceFiles('src').flatMap((file) =>
      Array.from(
        readFileSync(file, 'utf8').matchAll(/^\s*\/\/ defence: (?<name>.*)$/gm),
        (match) => `${file}: ${match.groups?.['name'] ?? ''}`,
      ),
    );
    expect(marks.filter((mark, index) => marks.indexOf(mark) !== index)).toEqual([]);
    expect(marks.filter((mark) => !switches.includes(`defence: '${mark.split(': ')[1]}'`))).toEqual([]);
    expect(marks.length).toBeGreaterThan(150);
  });
});

describe('the code behind a mark', () => {
  test.each([
    [
      'a statement is removed',
      'f(); // defence: x\nif (a) return;\ng();',
      undefined,
      'f(); // defence: x\n;\ng();',
    ],
    ['a statement is replaced', '// defence: x\nf(a);', 'g(); $&', '// defence: x\ng(); f(a);'],
    [
      'a function keeps its name and its parameters',
      '/** Doc. */\n// defence: x\nexport function f(a, b) { return a + b; }',
      'return arguments[0];',
      '/** Doc. */\n// defence: x\nexport function f(a, b) { return arguments[0]; }',
    ],
    [
      'a method keeps its name',
      'class A {\n// defence: x\n  #f(a) { return a; }\n}',
      undefined,
      'class A {\n// defence: x\n  #f(a) {  }\n}',
    ],
    [
      'a constant keeps its name',
      '// defence: x\nconst MAX = 10;',
      'Infinity',
      '// defence: x\nconst MAX = Infinity;',
    ],
    [
      'a field keeps its name',
      'class A {\n// defence: x\n  #all = new Map();\n}',
      '(shared ??= $&)',
      'class A {\n// defence: x\n  #all = (shared ??= new Map());\n}',
    ],
    ['a property keeps its name', 'f({\n// defence: x\na: 1, b });', '2', 'f({\n// defence: x\na: 2, b });'],
    [
      'a short property keeps its name',
      'f({\n// defence: x\nb });',
      undefined,
      'f({\n// defence: x\nb: undefined });',
    ],
    [
      'an element is replaced',
      'f([\n// defence: x\na.b, c]);',
      undefined,
      'f([\n// defence: x\nundefined, c]);',
    ],
    [
      'comments in between do not matter',
      '// defence: x\n// Why.\n/* And */ f();\ng();',
      undefined,
      '// defence: x\n// Why.\n/* And */ ;\ng();',
    ],
  ])('%s', (_, source, by, expected) => {
    expect(without(source, by)).toBe(expected);
  });

  test('a mark that is missing fails', () => {
    expect(() => without('// defence: y\nf();')).toThrow(
      'm.js has 0 marks "// defence: x", and must have one.',
    );
  });

  test('a mark that is there twice fails', () => {
    expect(() => without('// defence: x\nf();\n// defence: x\ng();')).toThrow(
      'm.js has 2 marks "// defence: x", and must have one.',
    );
  });

  test('a mark with no code behind it fails', () => {
    expect(() => without('f();\n// defence: x\n')).toThrow('m.js: no code is behind "// defence: x".');
  });

  test('is found whatever the locals around it are called', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/).map((text) => `${text}_`);
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 3, maxLength: 3 }), ([list, most, size]) => {
        const source = `function take(${list}, ${most}) {
          const ${size} = ${list}.length;
          // defence: x
          if (${size} > ${most}) return 'refused';
          return 'taken';
        }
        take([1, 2, 3], 2);`;
        expect(run(source)).toBe('refused');
        expect(run(without(source))).toBe('taken');
        expect(run(without(source, 'return arguments[1];'))).toBe(2);
      }),
    );
  });
});

function without(source: string, by?: string): string {
  return weaken(source, { module: 'm.js', defence: 'x', ...(by === undefined ? {} : { by }) });
}

function run(source: string): unknown {
  // oxlint-disable-next-line no-eval -- the code is the one above
  return (0, eval)(`'use strict'; ${source}`);
}
