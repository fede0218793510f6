import { dump } from 'js-yaml';
import { DefinitionError } from '../errors/errors.ts';
import type { ToolContext } from '../middleware/context.ts';
import { assertDescription, assertSkillName, SKILL_PATH } from './parse-frontmatter.ts';
import type { SkillFrontmatter, SkillSource } from './skill-source.ts';

/** A skill whose content is generated. */
export interface DynamicSkill {
  /** The path of the skill; its last segment is the name: `reports/daily`. */
  readonly path: string;
  /** The front matter; `name` is derived from the path. */
  readonly frontmatter: Omit<SkillFrontmatter, 'name'> & { readonly description: string };
  /** Returns the Markdown after the front matter, at each read. */
  readonly content: (call: { readonly context: ToolContext }) => string | Promise<string>;
  /** Tags of the resource, for policies. */
  readonly tags?: readonly string[];
  /** Scopes that a caller needs for the skill. */
  readonly scopes?: readonly string[];
}

/**
 * A skill that consists of one SKILL.md, generated at each read. Its entry has no digests (`"resources": "dynamic"`), so some hosts do not
 * load it.
 *
 * @example
 * const daily = dynamicSkill({
 *   path: 'reports/daily',
 *   frontmatter: { description: 'Assemble the report of today' },
 *   content: () => `Today is ${new Date().toDateString()}.`,
 * });
 */
export function dynamicSkill(skill: DynamicSkill): SkillSource {
  const { path, content, tags, scopes } = skill;
  if (typeof path !== 'string' || !SKILL_PATH.test(path))
    throw new DefinitionError(
      `dynamicSkill: invalid path ${JSON.stringify(path)}: use segments of letters, digits and hyphens, such as reports/daily.`,
      { option: 'path', received: path },
    );
  const name = path.slice(path.lastIndexOf('/') + 1);
  const uri = `skill://${path}/SKILL.md`;
  const frontmatter: SkillFrontmatter = { name, ...skill.frontmatter };
  assertSkillName(frontmatter.name, { file: uri, folder: name });
  assertDescription(frontmatter.description, uri);
  if (typeof content !== 'function')
    throw new DefinitionError(`${uri}: content must be a function that returns Markdown.`, {
      option: 'content',
      expected: 'a function that returns Markdown',
    });
  const head = `---\n${dump(frontmatter, { lineWidth: -1 })}---\n\n`;
  return {
    resources: [
      {
        uri,
        name,
        description: frontmatter.description,
        mimeType: 'text/markdown',
        ...(tags === undefined ? {} : { tags }),
        ...(scopes === undefined ? {} : { scopes }),
        contentProvider: async ({ context }) => `${head}${await content({ context })}`,
      },
    ],
    uris: [uri],
    getSkill: async () => ({ uri, frontmatter, resources: 'dynamic' }),
    listDirectory: async (_skill, asked) =>
      asked === `skill://${path}` ? [{ uri, name: 'SKILL.md', mimeType: 'text/markdown' }] : undefined,
  };
}
