// oxlint-disable no-control-regex -- those are what is looked for
/** Characters that move a terminal's cursor, change its colours, or reverse the reading order. Excludes tab and line break. */
export const HARMFUL_CHARACTERS: RegExp =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;
