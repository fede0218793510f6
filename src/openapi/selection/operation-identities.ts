/**
 * The texts that `includeResources` can call a path by: with a slash in front, everything that it begins with (`/pets`, `/pets/{id}`);
 * without one, each of its fixed parts (`pets`), so that `/v1/pets/{id}/toys` belongs to `pets` and to `toys`.
 */
export function resourcesOf(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  const names: string[] = [];
  let start = '';
  for (const segment of segments.slice(0, MAX_SEGMENTS)) {
    start += `/${segment}`;
    // Both with and without a slash: people write them either way.
    names.push(start, start.slice(1));
    if (!segment.includes('{')) names.push(segment);
  }
  return names;
}

/** Every part of a path makes a text that is longer than the last, so there must not be any number of them. */
const MAX_SEGMENTS = 64;

/** An id as other generators write it: `GET::pets__---petId` for `GET /pets/{petId}`. */
export function toPathId(method: string, path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const marked = segments.map((segment) => segment.replaceAll('{', '---').replaceAll('}', '')).join('__');
  return `${method.toUpperCase()}::${marked.replace(/[^A-Za-z0-9_.:-]/g, '')}`;
}
