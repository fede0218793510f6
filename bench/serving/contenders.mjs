/** The contenders by column of the table, with their servers and protocol eras. */
export const HTTP_CONTENDERS = [
  { name: 'floor', file: 'floor-http', eras: ['modern', 'legacy'] },
  { name: 'ours', file: 'toolwright-http', eras: ['modern', 'legacy'] },
  { name: 'SDK v2', file: 'sdk-v2-http', eras: ['modern', 'legacy'] },
  { name: 'SDK v1', file: 'sdk-v1-http', eras: ['legacy'] },
  { name: 'tmcp', file: 'tmcp-http', eras: ['modern', 'legacy'] },
];

export const STDIO_CONTENDERS = [
  { name: 'floor', file: 'floor-stdio', eras: ['modern', 'legacy'] },
  { name: 'ours', file: 'toolwright-stdio', eras: ['modern', 'legacy'] },
  { name: 'SDK v2', file: 'sdk-v2-stdio', eras: ['modern', 'legacy'] },
  { name: 'SDK v1', file: 'sdk-v1-stdio', eras: ['legacy'] },
  { name: 'tmcp', file: 'tmcp-stdio', eras: ['modern', 'legacy'] },
];
