/** Common media types by file extension. */
const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'application/gzip': 'gz',
    'application/json': 'json map',
    'application/pdf': 'pdf',
    'application/schema+json': 'schema.json',
    'application/sql': 'sql',
    'application/toml': 'toml',
    'application/wasm': 'wasm',
    'application/xml': 'xml xsd xsl',
    'application/yaml': 'yaml yml',
    'application/zip': 'zip',
    'audio/flac': 'flac',
    'audio/mp4': 'm4a',
    'audio/mpeg': 'mp3',
    'audio/ogg': 'ogg',
    'audio/wav': 'wav',
    'image/avif': 'avif',
    'image/gif': 'gif',
    'image/jpeg': 'jpg jpeg',
    'image/png': 'png',
    'image/svg+xml': 'svg',
    'image/webp': 'webp',
    'text/css': 'css',
    'text/csv': 'csv',
    'text/html': 'html htm',
    'text/javascript': 'js mjs cjs',
    'text/markdown': 'md markdown',
    'text/plain': 'txt log text',
    'text/tab-separated-values': 'tsv',
    'text/x-python': 'py',
    'text/x-typescript': 'ts mts cts tsx',
    'video/mp4': 'mp4',
    'video/webm': 'webm',
  }).flatMap(([type, ends]) => ends.split(' ').map((end) => [end, type] as const)),
);

/** Text types that do not begin with `text/`. */
const TEXTUAL = /^text\/|^application\/(?:json|sql|toml|xml|yaml)$|\+(?:json|xml)$/;

/** The media type of a file name; undefined if unknown. */
export function typeOfName(name: string, more: Readonly<Record<string, string>>): string | undefined {
  // The longest extension first: `.schema.json` is more specific than `.json`.
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    const end = name.slice(dot + 1).toLowerCase();
    const type = Object.hasOwn(more, end) ? more[end] : TYPES.get(end);
    if (type !== undefined) return type;
  }
  return undefined;
}

/** Whether a media type is text. */
export function isTextual(type: string): boolean {
  return TEXTUAL.test(type);
}

/** First bytes of files, in Latin-1; a dot is any byte. */
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xFF\xD8\xFF/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF....WEBP/s, 'image/webp'],
  [/^....ftypavif/s, 'image/avif'],
  [/^RIFF....WAVE/s, 'audio/wav'],
  [/^....ftypM4A /s, 'audio/mp4'],
  [/^OggS/, 'audio/ogg'],
  [/^fLaC/, 'audio/flac'],
  [/^(?:ID3|\xFF[\xFB\xF3\xF2])/, 'audio/mpeg'],
  [/^%PDF-/, 'application/pdf'],
];

/** The media type of the first bytes; undefined if unknown. */
export function typeOfBytes(bytes: Buffer): string | undefined {
  const beginning = bytes.toString('latin1', 0, 16);
  return BEGINNINGS.find(([pattern]) => pattern.test(beginning))?.[1];
}
