import type { CompiledTool } from './tool/compiled-tool.ts';

const HINTS = ['minify', '_minify', '__minify'] as const;

/** The arguments without minify hints, and the choice they express. */
export interface MinifyHint {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly minify: boolean | undefined;
}

/** Removes `minify`, `_minify` or `__minify` from the arguments, unless the tool has an argument of that name. */
export function takeMinifyHint(tool: CompiledTool, raw: Readonly<Record<string, unknown>>): MinifyHint {
  // Fast path for nearly every call.
  if (raw['minify'] === undefined && raw['_minify'] === undefined && raw['__minify'] === undefined) {
    return { arguments: raw, minify: undefined };
  }
  let minify: boolean | undefined;
  let rest: Record<string, unknown> | undefined;
  for (const hint of HINTS) {
    if (!Object.hasOwn(raw, hint) || typeof raw[hint] !== 'boolean' || tool.input.hasArgument(hint)) continue;
    minify ??= raw[hint];
    rest ??= { ...raw };
    delete rest[hint];
  }
  return { arguments: rest ?? raw, minify };
}
