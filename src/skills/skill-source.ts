import type { McpResource } from '../model/mcp-types.ts';
import type { AnyResourceDefinition } from '../resources/resource-definition.ts';

/** The front matter of a SKILL.md, with every field that its author wrote. */
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

/** One skill as `skills/list` and `skills/get` return it. */
export interface SkillEntry {
  /** The URI of its SKILL.md. */
  readonly uri: string;
  readonly frontmatter: SkillFrontmatter;
  /** All of its files; `dynamic` where their content is generated. */
  readonly resources: readonly SkillFile[] | 'dynamic';
}

/** Skills as `createServer({ skills })` takes them. Made by `directorySkills` and `dynamicSkill`. */
export interface SkillSource {
  /** The files of the skills. They are added to the resources of the server, and read as such. */
  readonly resources: readonly AnyResourceDefinition[];
  /** The URIs of the SKILL.md of each skill, in the order of the list. */
  readonly uris: readonly string[];
  /** The entry of a skill as it is now. Rejects where the skill cannot be served any more; the log gets the reason. */
  getSkill(uri: string): Promise<SkillEntry>;
  /**
   * The direct children of a directory of a skill, subdirectories with the type `inode/directory`; undefined where there is no such
   * directory. `skill` is the URI of its SKILL.md.
   */
  listDirectory(skill: string, uri: string): Promise<readonly McpResource[] | undefined>;
}
