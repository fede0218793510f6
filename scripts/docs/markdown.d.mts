export interface PageLink {
  readonly link: string;
  readonly line: number;
}

export function toSlug(heading: string): string;
export function withoutCode(text: string): string;
export function anchorsOf(text: string): Set<string>;
export function linksOf(text: string): PageLink[];
export function replaceLinks(
  text: string,
  replace: (label: string, target: string, isImage: boolean) => string,
): string;
export function titleOf(text: string): string;
export function firstSentenceOf(text: string): string;
