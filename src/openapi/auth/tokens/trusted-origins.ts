import { DefinitionError } from '../../../errors/errors.ts';
import { readOrigin } from '../../../outbound/read-origin.ts';

/** Where credentials may go: to the API itself, and to whom the author names. What a document says changes nothing about it. */
export class TrustedOrigins {
  /** The address of the API. What is relative in a document starts there. */
  readonly base: URL;
  readonly #origins: ReadonlySet<string>;

  constructor(baseUrl: string, origins: unknown = []) {
    if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
      throw new DefinitionError('The base URL must be an address such as https://api.example.com/v1.');
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
  if (!Array.isArray(origins))
    throw new DefinitionError('origins must be a list such as ["https://api.example.com"].', {
      option: 'origins',
    });
  return (origins as unknown[]).map((each) => {
    const origin = readOrigin(each);
    if (origin !== undefined) return origin;
    const expected = 'origins such as "https://api.example.com"';
    const received = JSON.stringify(each);
    throw new DefinitionError(`origins takes ${expected}; it has ${received}.`, {
      option: 'origins',
      expected,
      received,
    });
  });
}
