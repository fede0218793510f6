import { createHash } from 'node:crypto';
import type { ApiRequest, ApiResponse } from '../support/fake-api.ts';
import { exampleOf, NOT_FOUND } from './github-responses.ts';

export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string | null;
  readonly state: 'closed' | 'open';
  readonly labels: readonly { readonly name: string }[];
  readonly locked: boolean;
  readonly url: string;
}

const TITLES = [
  'Checkout fails with an empty cart',
  'Prices are shown without currency',
  'Search ignores accents',
  'Login page is slow',
  'Typo on the imprint page',
];

/** The issues of acme/shop: five, and those that are created. Pull requests have the numbers 6 and 7. */
export class IssueStore {
  readonly #issues = new Map<number, Issue>();
  readonly #origin: () => string;

  constructor(origin: () => string) {
    this.#origin = origin;
    for (const [index, title] of TITLES.entries()) this.put(index + 1, { title });
  }

  /** A new issue, or a change of one. */
  put(number: number, change: Partial<Issue>): Issue {
    const known: Partial<Issue> = this.#issues.get(number) ?? {
      number,
      state: 'open',
      labels: [],
      locked: false,
    };
    const issue: Issue = { ...exampleOf<Issue>('issues/get'), ...known, ...change };
    this.#issues.set(number, issue);
    return issue;
  }

  get nextNumber(): number {
    return this.#issues.size + 3;
  }

  urlOf({ number }: Issue): string {
    return `${this.#origin()}/repos/acme/shop/issues/${number}`;
  }

  /** The newest first. */
  list(query: URLSearchParams): readonly object[] {
    const state = query.get('state') ?? 'open';
    const labels = query.get('labels')?.split(',') ?? [];
    const fits = (issue: Issue): boolean =>
      (state === 'all' || issue.state === state) &&
      labels.every((wanted) => issue.labels.some(({ name }) => name === wanted));
    return [...this.#issues.values()]
      .filter(fits)
      .toReversed()
      .map((issue) => this.show(issue));
  }

  show(issue: Issue): object {
    return { ...issue, url: this.urlOf(issue) };
  }

  with({ path }: ApiRequest, respond: (issue: Issue) => ApiResponse): ApiResponse {
    const issue = this.#issues.get(Number(path['number']));
    return issue === undefined ? NOT_FOUND : respond(issue);
  }
}

export function toLabels(names: readonly string[]): Issue['labels'] {
  const [label] = exampleOf<{ name: string }[]>('issues/add-labels');
  return names.map((name) => ({ ...label, name }));
}

export function etagOf({ number, title, state }: Issue): string {
  const hash = createHash('sha256').update(JSON.stringify([number, title, state]));
  return `W/"${hash.digest('hex').slice(0, 16)}"`;
}
