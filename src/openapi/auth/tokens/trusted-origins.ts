import { wrongValue } from '../../../errors/options/wrong-value.ts';
import { readOrigin } from '../../../outbound/read-origin.ts';

/** Where credentials may go: to the API itself, and to whom the author names. What a document says changes nothing about it. */
export class TrustedOrigins {
  /** The address of the API. What is relative in a document starts there. */
  readonly base: URL;
  readonly #origins: ReadonlySet<string>;

  constructor(baseUrl: string, origins: unknown = []) {
    if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
      throw wrongValue('fromOpenAPI', {
        option: 'baseUrl',
        expected: 'an address such as https://api.example.com/v1',
      });
    this.base = new URL(baseUrl);
    this.#origins = new Set([this.base.origin, ...readOrigins(origins)]);
  }

  has(origin: string): boolean {
    return this.#origins.has(origin);
  }

  /** An address of the document; undefined for what is none. */
  resolve(written: string): URL | undefined {
    if (!URL.canParse(written, this.base.href)) return undefined;
    const url = new URL(written, this.base);
    return isWeb(url) ? url : undefined;
  }
}

/** Whether somebody can be asked there, and no secret stands in the address itself. */
export function isWeb({ protocol, username, password }: URL): boolean {
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

function readOrigins(origins: unknown): string[] {
  const expected = 'origins such as "https://api.example.com"';
  if (!Array.isArray(origins))
    throw wrongValue('fromOpenAPI', { option: 'origins', expected, value: origins });
  return (origins as unknown[]).map((each) => {
    const origin = readOrigin(each);
    if (origin !== undefined) return origin;
    throw wrongValue('fromOpenAPI', { option: 'origins', expected, value: each });
  });
}
