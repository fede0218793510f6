import type { McpResource } from '../model/mcp-types.ts';
import type { AnyResourceDefinition } from '../resources/resource-definition.ts';

/** The front matter of a SKILL.md, with all fields. */
export interface SkillFrontmatter {
  readonly name: string;
  readonly description: string;
  readonly [field: string]: unknown;
}

/** A file of a skill, with the digest and the length of its content. */
export interface SkillFile {
  readonly uri: string;
  /** `sha256:` and 64 lowercase hexadecimal digits. */
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
}

/** A skill as returned by `skills/list` and `skills/get`. */
export interface SkillEntry {
  /** The URI of its SKILL.md. */
  readonly uri: string;
  /** The front matter of its SKILL.md. */
  readonly frontmatter: SkillFrontmatter;
  /** All files of the skill; `'dynamic'` if their content is generated. */
  readonly resources: readonly SkillFile[] | 'dynamic';
}

/** Skills for `createServer({ skills })`. Created by `directorySkills` and `dynamicSkill`. */
export interface SkillSource {
  /** The files of the skills. They are added to the resources of the server. */
  readonly resources: readonly AnyResourceDefinition[];
  /** The URIs of the SKILL.md files, in list order. */
  readonly uris: readonly string[];
  /** The current entry of a skill. Rejects if the skill can no longer be served; the reason is logged. */
  getSkill(uri: string): Promise<SkillEntry>;
  /**
   * The direct children of a directory of a skill, subdirectories with the type `inode/directory`; undefined if the directory does not
   * exist. `skill`: the URI of its SKILL.md.
   */
  listDirectory(skill: string, uri: string): Promise<readonly McpResource[] | undefined>;
}
