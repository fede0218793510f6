/** `toolwright/skills`: Agent Skills, served with the skills extension. */
export { directorySkills } from './skills/directory-skills.ts';
export type { DirectorySkillsOptions } from './skills/directory-skills.ts';
export { dynamicSkill } from './skills/dynamic-skill.ts';
export type { DynamicSkill } from './skills/dynamic-skill.ts';
export type { SkillEntry, SkillFile, SkillFrontmatter, SkillSource } from './skills/skill-source.ts';
