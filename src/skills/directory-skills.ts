import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertKnown } from '../errors/assert-known.ts';
import { about, DefinitionError } from '../errors/errors.ts';
import { readInside } from '../resources/files/read-inside.ts';
import { ReadTurns } from '../resources/files/read-turns.ts';
import { realFolder } from '../resources/files/real-folder.ts';
import type { AnyResourceDefinition, ResourceCacheHint } from '../resources/resource-definition.ts';
import { findSkills } from './find-skills.ts';
import { parseFrontmatter, SKILL_PATH } from './parse-frontmatter.ts';
import { MAX_BYTES, SKILL_FILE, SkillFolder } from './skill-folder.ts';
import type { SkillFrontmatter, SkillSource } from './skill-source.ts';

/** Options of {@link directorySkills}. */
export interface DirectorySkillsOptions {
  /**
   * Path segments before the path of each skill: `acme/billing` serves `refunds` as `skill://acme/billing/refunds/SKILL.md`. Default: none.
   */
  readonly prefix?: string;
  /** Tags of the resources, for policies. */
  readonly tags?: readonly string[];
  /** Scopes that a caller needs for the skills. */
  readonly scopes?: readonly string[];
  /** Time and audience for which clients may cache the files. Default: no caching. */
  readonly cacheHint?: ResourceCacheHint;
}

const OPTIONS = ['prefix', 'tags', 'scopes', 'cacheHint'] as const;

/**
 * The skills of a folder: every subfolder with a SKILL.md. A folder with its own SKILL.md is served as one skill. Skills are found when
 * this is called; their files are read, and their digests computed, on request.
 *
 * @example
 * const server = createServer({ name: 'billing', version: '1.0.0', skills: directorySkills('./skills') });
 */
export function directorySkills(root: string | URL, options: DirectorySkillsOptions = {}): SkillSource {
  assertKnown('directorySkills', options, OPTIONS);
  const { prefix, ...shared } = options;
  if (prefix !== undefined && (typeof prefix !== 'string' || !SKILL_PATH.test(prefix)))
    throw new DefinitionError(
      `directorySkills: invalid prefix ${JSON.stringify(prefix)}: use segments of letters, digits, "_", "-", "." and "~", such as acme/billing.`,
      { option: 'prefix', received: prefix },
    );
  const real = realFolder('directorySkills', root);
  const found = findSkills(real);
  if (found.length === 0)
    throw new DefinitionError(`directorySkills: no folder in ${real} has a ${SKILL_FILE}.`, {
      option: 'root',
      received: real,
    });
  const turns = new ReadTurns();
  const folders = found.map(({ folder, path }) => {
    const skill = new SkillFolder(folder, prefix === undefined ? path : `${prefix}/${path}`);
    const text = readFileSync(join(folder, SKILL_FILE), 'utf8');
    const file = join(folder, SKILL_FILE);
    const place = { file, folder: path.slice(path.lastIndexOf('/') + 1) };
    const frontmatter = about({ option: 'root', received: file }, () => parseFrontmatter(text, place));
    return { skill, resources: resourcesOf(skill, { frontmatter, shared, turns }) };
  });
  const byUri = new Map(folders.map(({ skill }) => [skill.uri, skill]));
  return {
    resources: folders.flatMap(({ resources }) => resources),
    uris: [...byUri.keys()],
    getSkill: async (uri) => get(byUri, uri).read(),
    listDirectory: async (skill, uri) => get(byUri, skill).listDirectory(uri),
  };
}

function get(byUri: ReadonlyMap<string, SkillFolder>, uri: string): SkillFolder {
  const found = byUri.get(uri);
  if (found === undefined) throw new DefinitionError(`Unknown skill "${uri}".`);
  return found;
}

interface SkillParts {
  readonly frontmatter: SkillFrontmatter;
  readonly shared: Omit<DirectorySkillsOptions, 'prefix'>;
  readonly turns: ReadTurns;
}

/** SKILL.md as a separate resource, so that it is listed with name and description; all other files by a template. */
function resourcesOf(
  { uri, rootUri, enclosure }: SkillFolder,
  { frontmatter: { name, description }, shared, turns }: SkillParts,
): AnyResourceDefinition[] {
  const read = (path: string, signal: AbortSignal): ReturnType<typeof readInside> =>
    turns.run(signal, () => readInside(enclosure, path, { maxBytes: MAX_BYTES, mimeTypes: {}, signal }));
  return [
    {
      ...shared,
      uri,
      name,
      description,
      mimeType: 'text/markdown',
      contentProvider: ({ context }) => read(SKILL_FILE, context.signal),
    },
    {
      ...shared,
      uriTemplate: `${rootUri}/{+file}`,
      name,
      description: `The files of the skill ${name}.`,
      contentProvider: ({ variables, context }: ReadSkillFile) => read(variables.file, context.signal),
    },
  ];
}

interface ReadSkillFile {
  readonly variables: { readonly file: string };
  readonly context: { readonly signal: AbortSignal };
}
