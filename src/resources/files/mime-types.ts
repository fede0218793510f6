/** The types of files that people put in front of models, by the end of their name. */
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

/** Types of texts that do not begin with `text/`. */
const TEXTUAL = /^text\/|^application\/(?:json|sql|toml|xml|yaml)$|\+(?:json|xml)$/;

/** The type of a file by its name; undefined where the name does not tell. */
export function typeOfName(name: string, more: Readonly<Record<string, string>>): string | undefined {
  // The longest end first: `.schema.json` says more than `.json`.
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    const end = name.slice(dot + 1).toLowerCase();
    const type = Object.hasOwn(more, end) ? more[end] : TYPES.get(end);
    if (type !== undefined) return type;
  }
  return undefined;
}

/** Whether what has this type is read as text. */
export function isTextual(type: string): boolean {
  return TEXTUAL.test(type);
}

/** How files begin, in Latin-1; a dot is any byte. */
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

/** The type of a file by its first bytes; undefined where they do not tell. */
export function typeOfBytes(bytes: Buffer): string | undefined {
  const beginning = bytes.toString('latin1', 0, 16);
  return BEGINNINGS.find(([pattern]) => pattern.test(beginning))?.[1];
}
