import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../support/dist.ts';

const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
const listed = page.slice(page.indexOf('<!-- messages: '));

describe('the catalogue of messages in docs/errors.md', () => {
  test('has every message of the source, and an example for each that has a value of run time', async () => {
    const printed = await promisify(execFile)(process.execPath, ['scripts/messages.mjs'], { cwd: ROOT }).then(
      () => '',
      (error: { stderr: string }) => error.stderr,
    );
    expect(printed).toBe('');
  });

  test('has messages that are composed, in calls of other functions and in constructors', () => {
    const rows = listed.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows.length).toBeGreaterThan(600);
    expect(listed).toContain('must be {expected}‹; received {received}›.');
    expect(listed).toContain('| `Unknown tool: {name}` |');
    expect(listed).toContain('### `DUPLICATE_NAME`');
  });

  test.each([
    ['is unknown', /^\| `(?:The|This|A) [^`]* is no /m],
    ['is missing', /^\| `There is no /m],
    ['is invalid', / is no (?:valid|name|URL|file|string|number|object)\b/],
    ['was received', /; it (?:is|got|was given) "?\{/],
  ])('has one wording for a value that %s', (_name, old) => {
    expect(old.exec(listed)?.[0]).toBeUndefined();
  });
});
