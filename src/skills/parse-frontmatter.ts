import { isObject } from '../base/is-object.ts';
import { DefinitionError } from '../errors/errors.ts';
import { parseDocument } from '../openapi/document/parse/parse-document.ts';
import type { SkillFrontmatter } from './skill-source.ts';

/** Limits for front matter. */
const LIMITS = { maxDocumentDepth: 32, maxDocumentNodes: 10_000 };

const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n(?<yaml>[\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** Names of the Agent Skills specification: lowercase letters, digits and single hyphens. */
const NAME = /^(?!.*--)[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** URI path segments that need no escapes. */
export const SKILL_PATH: RegExp = /^[\w.~-]+(?:\/[\w.~-]+)*$/;

const MAX_DESCRIPTION = 1024;

/** Parses the front matter of a SKILL.md. `file` names it in messages; `folder` is the required name of the skill. */
export function parseFrontmatter(text: string, { file, folder }: SkillPlace): SkillFrontmatter {
  const yaml = FRONTMATTER.exec(text)?.groups?.['yaml'];
  if (yaml === undefined)
    throw new DefinitionError(
      `${file} must begin with YAML front matter: "---", "name: ${folder}", "description: …", "---".`,
    );
  const { value, notes } = parseDocument({ name: file, text: yaml }, LIMITS);
  // Duplicate keys are rejected, because other parsers use the first one.
  if (notes[0] !== undefined) throw new DefinitionError(notes[0]);
  if (!isObject(value)) throw new DefinitionError(`${file}: the front matter must be a mapping.`);
  assertSkillName(value['name'], { file, folder });
  assertDescription(value['description'], file);
  return value as unknown as SkillFrontmatter;
}

/** The location of a skill: its file for messages, and the last segment of its path. */
export interface SkillPlace {
  readonly file: string;
  readonly folder: string;
}

/** Rejects names that the specification does not allow, or that differ from the last segment of the path. */
export function assertSkillName(name: unknown, { file, folder }: SkillPlace): void {
  if (typeof name !== 'string' || !NAME.test(name))
    throw new DefinitionError(
      `${file}: invalid skill name ${JSON.stringify(name)}: use lowercase letters, digits and single hyphens (1–64 characters).`,
      { option: 'name', received: String(name) },
    );
  if (name !== folder)
    throw new DefinitionError(
      `${file}: the name "${name}" must equal the folder name "${folder}". Rename one of them.`,
      { option: 'name', expected: folder, received: name },
    );
}

/** Rejects a missing or overlong description. */
export function assertDescription(description: unknown, file: string): void {
  if (typeof description !== 'string' || description.trim() === '' || description.length > MAX_DESCRIPTION)
    throw new DefinitionError(
      `${file}: a skill needs a description of 1 to ${MAX_DESCRIPTION} characters: what it does, and when to use it.`,
      { option: 'description' },
    );
}
