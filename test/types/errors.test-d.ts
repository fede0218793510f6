import { expectTypeOf, test } from 'vitest';
import { DefinitionError } from '../../src/index.ts';
import type { Finding, FindingReason, ToolwrightError } from '../../src/index.ts';
import type { OpenApiReport } from '../../src/openapi.ts';

test('errors have data, where they are about an option', () => {
  expectTypeOf<ToolwrightError['option']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<ToolwrightError['reason']>().toEqualTypeOf<FindingReason | undefined>();
  expectTypeOf<ToolwrightError['path']>().toEqualTypeOf<readonly (string | number)[] | undefined>();
  expectTypeOf<ToolwrightError['expected']>().toEqualTypeOf<string | readonly string[] | undefined>();
  expectTypeOf<ToolwrightError['received']>().toEqualTypeOf<string | readonly string[] | undefined>();
  expectTypeOf<ToolwrightError['findings']>().toEqualTypeOf<readonly Finding[]>();
  expectTypeOf<OpenApiReport['findings']>().toEqualTypeOf<readonly Finding[]>();
  expectTypeOf(DefinitionError).toBeConstructibleWith('a is wrong.', { option: 'a', path: [0] });
});
