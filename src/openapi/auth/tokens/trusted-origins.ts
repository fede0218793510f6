import { wrongValue } from '../../../errors/options/wrong-value.ts';
import { readOrigin } from '../../../outbound/read-origin.ts';

/**
 * Origins that credentials may be sent to: that of the API, and those that the author names. The document cannot
 * add any.
 */
export class TrustedOrigins {
  /** Base URL of the API. Relative URLs of a document start there. */
  readonly base: URL;
  readonly #origins: ReadonlySet<string>;

  constructor(baseUrl: string, origins: unknown = []) {
    if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
      throw wrongValue('fromOpenAPI', {
        option: 'baseUrl',
        expected: 'a URL such as https://api.example.com/v1',
      });
    this.base = new URL(baseUrl);
    this.#origins = new Set([this.base.origin, ...readOrigins(origins)]);
  }

  has(origin: string): boolean {
    return this.#origins.has(origin);
  }

  /** Resolves a URL of the document; undefined if it is invalid. */
  resolve(written: string): URL | undefined {
    if (!URL.canParse(written, this.base.href)) return undefined;
    const url = new URL(written, this.base);
    return isWeb(url) ? url : undefined;
  }
}

/** Whether a URL can be requested and contains no credentials. */
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
