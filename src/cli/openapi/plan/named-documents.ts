import { resolve } from 'node:path';
import type { DocumentSource } from '../../../openapi/document/load-document.ts';
import { looksLikeUri } from '../../../openapi/document/document-uri.ts';
import { UsageError } from '../../terminal/command.ts';
import { assertFile } from '../../target/target.ts';
import type { Settings } from './settings.ts';

/** A document of the command line. */
export interface NamedDocument {
  /** Tells it apart from others, and stands in front of the names of its tools. */
  readonly name: string | undefined;
  readonly source: DocumentSource;
  /** As it was typed: a path or a URL. */
  readonly address: string | undefined;
}

/** Whether standard input is free for a document. */
export interface InputUse {
  readonly isTransport: boolean;
}

/** The documents that a command line names, in one way out of several. */
export async function readDocuments(settings: Settings, input: InputUse): Promise<readonly NamedDocument[]> {
  const words = findWords(settings);
  if ('inline' in words)
    return [{ ...named(settings, undefined), source: { text: words.inline }, address: undefined }];
  const split = words.map(splitName);
  assertNames(split, settings);
  if (split.filter(({ address }) => address === '-').length > 1)
    throw new UsageError('Standard input is one document; "-" stands there twice.');
  const documents: NamedDocument[] = [];
  for (const { name, address } of split) {
    const own = named(settings, name);
    documents.push(
      address === '-'
        ? { ...own, source: { text: await readInput(settings, input) }, address: undefined }
        : { ...own, source: sourceAt(address, settings), address },
    );
  }
  return documents;
}

type Words = readonly string[] | { readonly inline: string };

/** One way to say what the document is; flags and words are one, variables count only without them. */
function findWords(settings: Settings): Words {
  const { flags, positionals } = settings.call;
  const wrong = positionals.find((word) => word === 'true' || word === 'false');
  if (wrong !== undefined)
    throw new UsageError(
      `"${wrong}" is not a document. Flags such as --verbose take no value: leave it out.`,
    );
  const said = [
    ...(positionals.length > 0 ? [['a word', positionals] as const] : []),
    ...(flags['openapi-spec'] === undefined
      ? []
      : [['--openapi-spec', [settings.text('openapi-spec') ?? '']] as const]),
    ...(flags['spec-from-stdin'] === true ? [['--spec-from-stdin', ['-']] as const] : []),
    ...(flags['spec-inline'] === undefined
      ? []
      : [['--spec-inline', { inline: settings.text('spec-inline') ?? '' }] as const]),
  ];
  return onlyOne(said) ?? onlyOne(findVariables(settings)) ?? noDocument();
}

function findVariables(settings: Settings): (readonly [by: string, words: Words])[] {
  const path = settings.find('openapi-spec');
  const inline = settings.find('spec-inline');
  return [
    ...(path === undefined ? [] : [[path.by, [path.value]] as const]),
    ...(settings.isOn('spec-from-stdin') ? [['OPENAPI_SPEC_FROM_STDIN', ['-']] as const] : []),
    ...(inline === undefined ? [] : [[inline.by, { inline: inline.value }] as const]),
  ];
}

function onlyOne(ways: readonly (readonly [by: string, words: Words])[]): Words | undefined {
  const [first, second] = ways;
  if (first !== undefined && second !== undefined)
    throw new UsageError(
      `The document is given in more than one way: ${ways.map(([by]) => by).join(' and ')}. Leave all but one out.`,
    );
  return first?.[1];
}

function noDocument(): never {
  throw new UsageError(
    'Which document? Name a file or a URL, or "-" for standard input: toolwright openapi petstore.yaml',
  );
}

interface SplitWord {
  readonly name: string | undefined;
  readonly address: string;
}

/** `shop=./shop.yaml`. What has a slash, a dot or a colon in front of the sign is an address as a whole. */
function splitName(word: string): SplitWord {
  const [, name, address] = /^([A-Za-z][\w-]{0,31})=(.+)$/s.exec(word) ?? [];
  return address === undefined ? { name: undefined, address: word } : { name, address };
}

function assertNames(words: readonly SplitWord[], settings: Settings): void {
  const names = words.map(({ name }) => name);
  const namespace = settings.text('namespace');
  if (namespace !== undefined && (words.length > 1 || names[0] !== undefined))
    throw new UsageError('--namespace is for a document without a name. Leave it out.');
  if (words.length < 2) return;
  if (names.includes(undefined))
    throw new UsageError(
      'Several documents need a name each, for their tools: shop=./shop.yaml users=./users.yaml',
    );
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined)
    throw new UsageError(`Two documents are called "${double}". Give each its own name.`);
}

function named(settings: Settings, name: string | undefined): Pick<NamedDocument, 'name'> {
  const namespace = settings.text('namespace');
  if (namespace !== undefined && !/^[A-Za-z][\w-]{0,31}$/.test(namespace))
    throw new UsageError(
      '--namespace takes up to 32 letters, digits, "_" and "-", of which the first is a letter.',
    );
  return { name: name ?? namespace };
}

async function readInput({ call }: Settings, { isTransport }: InputUse): Promise<string> {
  if (isTransport)
    throw new UsageError(
      'The document cannot come from standard input: that is where the messages of the client come from. Serve it over HTTP (--transport http), or name a file.',
    );
  return call.terminal.readInput();
}

/** What an address leads to: a path or a URL. A file that is not there is a mistake of the command line. */
export function sourceAt(address: string, { call }: Settings): DocumentSource {
  if (looksLikeUri(address)) return new URL(address);
  const file = resolve(call.terminal.cwd, address);
  assertFile(file);
  return file;
}
