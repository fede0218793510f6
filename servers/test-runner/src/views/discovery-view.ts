import * as z from 'zod';
import { RESOURCE_BYTES, toResourceBytes } from '../domain/runs/resource-size.ts';
import type { DiscoveryResult } from '../domain/test-run.ts';
import { PAGE_COUNTS, toPage } from './page.ts';
import type { PageRequest } from './page.ts';
import { COLLECTION_ERROR, RUNNER, showCollectionErrors, showRunner } from './run-view.ts';

/** Discovered tests as a tool returns them. */
export const DISCOVERY_VIEW = z.object({
  count: z.int().describe('All discovered tests.'),
  ...PAGE_COUNTS,
  tests: z.array(
    z.object({
      node_id: z.string(),
      module: z.string().nullable(),
      class: z.string().nullable().describe('Nested classes are joined with "::".'),
      function: z.string(),
      file: z.string(),
      line: z.int().nullable(),
    }),
  ),
  collection_errors: z.array(COLLECTION_ERROR),
  collection_error_count: z.int(),
  runner: RUNNER,
});

/** One page of the discovered tests. */
export function toDiscoveryView(
  { tests, count, collection_errors, runner }: DiscoveryResult,
  page: PageRequest,
): z.infer<typeof DISCOVERY_VIEW> {
  const { entries, counts } = toPage(tests, page, ({ class_path, ...test }) => ({
    node_id: test.node_id,
    module: test.module,
    class: class_path.length === 0 ? null : class_path.join('::'),
    function: test.function,
    file: test.file,
    line: test.line,
  }));
  return {
    count,
    ...counts,
    tests: entries,
    collection_errors: showCollectionErrors(collection_errors),
    collection_error_count: collection_errors.length,
    runner: showRunner(runner),
  };
}

/** All tests by file. Files beyond the size of a resource have only their number of tests. */
export function toTree({ tests, count, collection_errors, runner }: DiscoveryResult) {
  const files = new Map<string, { node_id: string; line: number | null }[]>();
  for (const { file, node_id, line } of tests) {
    const known = files.get(file) ?? [];
    known.push({ node_id, line });
    files.set(file, known);
  }
  const rest = {
    count,
    collection_errors: showCollectionErrors(collection_errors),
    collection_error_count: collection_errors.length,
    runner: showRunner(runner),
  };
  const counted = [...files].map(([file, tests]) => ({ entry: { file, count: tests.length }, tests }));
  let free = RESOURCE_BYTES - toResourceBytes([rest, counted.map(({ entry }) => entry)]);
  const shown = counted.map(({ entry, tests }) => {
    free -= toResourceBytes({ tests });
    return free < 0 ? entry : { ...entry, tests };
  });
  return { ...rest, files: shown };
}
