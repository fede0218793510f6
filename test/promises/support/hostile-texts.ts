function yaml(...lines: readonly string[]): { readonly text: string } {
  return { text: ['openapi: 3.1.0', 'info: { title: Hostile, version: "1" }', ...lines].join('\n') };
}

/** `x0` is repeated ten times in `x1`, and so on. */
function laughs(steps: number, write: (alias: string) => string): string[] {
  const lines = Array.from(
    { length: steps },
    (_, step) => `x-${step + 1}: &x${step + 1} ${write(`*x${step}`)}`,
  );
  return ['x-0: &x0 { type: string }', ...lines];
}

/** YAML and JSON documents that expand to more than their size. */
export const BOMBS: Readonly<Record<string, () => object>> = {
  'a billion laughs': () =>
    yaml(
      ...laughs(9, (alias) => `[${Array(10).fill(alias).join(', ')}]`),
      'paths: { /a: { get: { tags: *x9 } } }',
    ),
  'a billion laughs in a schema': () =>
    yaml(
      ...laughs(60, (alias) => `{ properties: { a: ${alias}, b: ${alias} } }`),
      'paths: { /a: { post: { requestBody: { content: { application/json: { schema: *x60 } } } } } }',
    ),
  'laughs as keys': () =>
    yaml(...laughs(9, (alias) => `[${Array(10).fill(alias).join(', ')}]`), '? *x9', ': 1', 'paths: {}'),
  'what contains itself': () => yaml('paths: &p', '  /a:', '    get:', '      x-a: *p'),
  'merges of merges': () =>
    yaml(
      ...laughs(30, (alias) => `{ <<: [${alias}, ${alias}], k: 1 }`),
      `base: &b { ${Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join(', ')} }`,
      'all:',
      ...Array.from({ length: 2000 }, (_, index) => `  - { <<: *b, n${index}: 1 }`),
      'paths: {}',
    ),
  'a list of merges': () =>
    yaml(
      `base: &b { ${Array.from({ length: 2000 }, (_, index) => `k${index}: 1`).join(', ')} }`,
      `all: { <<: [${Array(20_000).fill('*b').join(', ')}] }`,
      'paths: {}',
    ),
  'brackets in YAML': () => yaml(`paths: ${'['.repeat(200_000)}${']'.repeat(200_000)}`),
  'braces in YAML': () => yaml(`paths: ${'{a: '.repeat(100_000)}`),
  'dashes in YAML': () => yaml('paths:', `  ${'- '.repeat(100_000)}a`),
  'questions in YAML': () => yaml('paths:', `  ${'? '.repeat(100_000)}a`),
  'steps in YAML': () =>
    yaml('paths:', ...Array.from({ length: 2000 }, (_, index) => `${' '.repeat(index + 1)}a:`)),
  'brackets in JSON': () => ({
    text: `{"openapi":"3.0.0","paths":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`,
  }),
  'anchors in YAML': () =>
    yaml('paths: {}', `x-a: [${Array.from({ length: 200_000 }, (_, index) => `&a${index} b`).join(', ')}]`),
  'documents in YAML': () => ({ text: '---\na: 1\n'.repeat(300_000) }),
  'nothing but colons': () => yaml('paths: {}', `x-a: ${': '.repeat(1_000_000)}`),
  'too many bytes': () => yaml('paths: {}', `x-a: ${'a'.repeat(34_000_000)}`),
  'texts that do not end': () => yaml(`paths: ${'{'.repeat(400)}${'a: "'.repeat(100_000)}`),
};
