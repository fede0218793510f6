import { defineResource, defineResourceTemplate } from 'toolwright';
import type { AnyResourceDefinition } from 'toolwright';
import { PIXEL_PNG } from './media.ts';

/** A resource of each kind. */
export const resources: readonly AnyResourceDefinition[] = [
  defineResource({
    uri: 'test://static-text',
    name: 'static-text',
    description: 'A text that stays as it is.',
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  }),
  defineResource({
    uri: 'test://static-binary',
    name: 'static-binary',
    description: 'An image that stays as it is.',
    mimeType: 'image/png',
    blob: PIXEL_PNG,
  }),
  defineResource({
    uri: 'test://watched-resource',
    name: 'watched-resource',
    description: 'A resource to subscribe to.',
    mimeType: 'text/plain',
    contentProvider: () => `Read at ${new Date().toISOString()}.`,
  }),
  defineResourceTemplate({
    uriTemplate: 'test://template/{id}/data',
    name: 'template-data',
    description: 'Whatever has an id.',
    mimeType: 'application/json',
    contentProvider: ({ variables: { id } }) =>
      JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  }),
];
