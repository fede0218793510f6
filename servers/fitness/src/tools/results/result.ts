import type { McpContentBlock } from 'toolwright';
import type { FitnessContext } from '../../context.ts';

export const FORMATS = ['json', 'toon'] as const;
export type Format = (typeof FORMATS)[number];

/** An image beside the data, for the user. */
export interface Chart {
  readonly mimeType: 'image/png' | 'image/svg+xml';
  readonly bytes: Uint8Array;
}

/** The complete data of a shortened result, as a resource. */
export interface ExportLink {
  readonly uri: string;
  readonly name: string;
}

/** The result of a tool. */
export interface Shown {
  readonly data: object;
  /** Sentences about the data, such as what a provider lacks. Added to the data as `notes`. */
  readonly notes?: readonly string[] | undefined;
  readonly charts?: readonly Chart[] | undefined;
  readonly complete?: ExportLink | undefined;
}

/** The blocks of a result: the data as text, then the charts and the link to the complete data. */
export function toBlocks(
  { data, notes = [], charts = [], complete }: Shown,
  format: Format,
  { formatter }: Pick<FitnessContext, 'formatter'>,
): McpContentBlock[] {
  const whole = notes.length === 0 ? data : { ...data, notes };
  return [
    { type: 'text', text: formatter.format(whole, { as: format }) },
    ...charts.map(({ mimeType, bytes }): McpContentBlock => {
      const encoded = Buffer.from(bytes).toString('base64');
      return { type: 'image', data: encoded, mimeType, annotations: { audience: ['user'] } };
    }),
    ...(complete === undefined
      ? []
      : [{ type: 'resource_link' as const, ...complete, mimeType: 'application/json' }]),
  ];
}
