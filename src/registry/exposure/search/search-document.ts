import type { CatalogEntry } from '../../../tools/compile/catalog-entry.ts';
import type { SearchDocument } from './search-index.ts';

/** A first sentence has at least two words, so that `Deprecated.` does not count. Longer ones are cut. */
const SENTENCE = /^\s*\S+\s+[\s\S]*?(?:[.!?](?=\s|$)|\n\s*\n|\u3002|$)/;
const MAX_SENTENCE = 300;
const MAX_DETAIL = 100;
const ELEMENT = /<\/?[a-z][^<>]*>/gi;

/** The indexed fields of an entry. */
export function toDocument({ definition, grouped, listed, tool }: CatalogEntry): SearchDocument {
  const { properties = {} } = listed.inputSchema as {
    properties?: Record<string, { description?: unknown }>;
  };
  const { title = '', description, endpoint = '', synonyms = [] } = definition;
  const { category, tags } = tool.subject;
  const [sentence, rest] = splitDescription(description);
  const around = [...tags, category, grouped?.plan.description, grouped?.action.groupDescription];
  return {
    name: tool.name,
    sentence: `${title} ${sentence}`,
    synonyms: synonyms.join(' '),
    endpoint: endpoint.replaceAll(/\{[^{}]*\}/g, ' '),
    tags: [...new Set(around)].join(' '),
    description: rest,
    arguments: Object.keys(properties).join(' '),
    details: Object.values(properties)
      .map(({ description: text }) => (typeof text === 'string' ? text.slice(0, MAX_DETAIL) : ''))
      .join(' '),
  };
}

/** The first sentence of a description, and the rest. */
export function splitDescription(description: string): [sentence: string, rest: string] {
  const text = description.replaceAll(ELEMENT, ' ');
  const [sentence = ''] = SENTENCE.exec(text.slice(0, MAX_SENTENCE)) ?? [text];
  return [sentence, text.slice(sentence.length)];
}
