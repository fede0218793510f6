/** Computes the next version and the changelog of a release. Pure functions; they throw a `ReleaseError` for mistakes of the maintainer. */

/** A mistake of the maintainer. Its message is printed. */
export class ReleaseError extends Error {}

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;
const UNRELEASED = '## [Unreleased]';

/** The version after `current`: the next patch, minor or major version, or the given one. */
export function nextVersion(current, wanted) {
  const [, major, minor, patch] = VERSION.exec(current).map(Number);
  if (wanted === 'patch') return `${major}.${minor}.${patch + 1}`;
  if (wanted === 'minor') return `${major}.${minor + 1}.0`;
  if (wanted === 'major') return `${major + 1}.0.0`;
  const given = VERSION.exec(wanted)?.slice(1).map(Number);
  if (given === undefined)
    throw new ReleaseError(
      `Unknown version "${wanted}": use patch, minor, major or a version such as ${major}.${minor + 1}.0.`,
    );
  const at = [major, minor, patch].findIndex((part, index) => part !== given[index]);
  if (at !== -1 && given[at] < [major, minor, patch][at])
    throw new ReleaseError(`Version ${wanted} is lower than the current version ${current}.`);
  return wanted;
}

/** The changelog with the entries of "Unreleased" under the new version. */
export function releaseChangelog(text, version, date) {
  const start = text.indexOf(`${UNRELEASED}\n`);
  if (start === -1)
    throw new ReleaseError(`CHANGELOG.md has no line "${UNRELEASED}". Add it above the latest version.`);
  if (text.includes(`\n## [${version}]`))
    throw new ReleaseError(`CHANGELOG.md already has a section for ${version}. Choose another version.`);
  const body = start + UNRELEASED.length + 1;
  const end = text.indexOf('\n## [', body);
  const entries = text.slice(body, end === -1 ? undefined : end).split('\n');
  if (entries.every((line) => line.trim() === '' || line.startsWith('#')))
    throw new ReleaseError('The section "Unreleased" of CHANGELOG.md is empty: nothing to release.');
  return `${text.slice(0, body)}\n## [${version}] - ${date}\n${text.slice(body)}`;
}
