/**
 * Names of a path for `includeResources`: with a leading slash, each of its beginnings (`/pets`, `/pets/{id}`);
 * without one, each of its fixed segments (`pets`), so that `/v1/pets/{id}/toys` belongs to `pets` and to `toys`.
 */
export function resourcesOf(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  const names: string[] = [];
  let start = '';
  for (const segment of segments.slice(0, MAX_SEGMENTS)) {
    start += `/${segment}`;
    // With and without a slash: people write both.
    names.push(start, start.slice(1));
    if (!segment.includes('{')) names.push(segment);
  }
  return names;
}

/** Maximum number of segments: each adds a longer name, so the total is quadratic. */
const MAX_SEGMENTS = 64;

/** The id of an operation in other generators: `GET::pets__---petId` for `GET /pets/{petId}`. */
export function toPathId(method: string, path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const marked = segments.map((segment) => segment.replaceAll('{', '---').replaceAll('}', '')).join('__');
  return `${method.toUpperCase()}::${marked.replace(/[^A-Za-z0-9_.:-]/g, '')}`;
}
