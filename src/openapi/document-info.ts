import { pathOf } from './document/document-uri.ts';
import type { LoadedDocument } from './document/load-document.ts';
import { memberOf, objectOf, textOf } from './document/parse/read-values.ts';
import { tidyText } from './naming/clean-text.ts';

/** Title, version and description of an API. */
export interface DocumentInfo {
  readonly title: string;
  readonly apiVersion: string;
}

export function readInfo({ root }: Pick<LoadedDocument, 'root'>): DocumentInfo {
  const info = objectOf(memberOf(root, 'info'));
  const version = memberOf(info, 'version');
  const apiVersion = typeof version === 'number' ? String(version) : (textOf(version) ?? '');
  return {
    title: tidyText(textOf(memberOf(info, 'title')) ?? '').slice(0, 200) || 'API',
    apiVersion: tidyText(apiVersion).slice(0, 100),
  };
}

/** Paths of the local files that a document consists of. */
export function filesOf({ files }: Pick<LoadedDocument, 'files'>): readonly string[] {
  const urls = [...files.keys()].filter((uri) => uri.startsWith('file:'));
  return urls.flatMap((uri) => pathOf(new URL(uri)) ?? []);
}
