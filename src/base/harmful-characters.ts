// oxlint-disable no-control-regex -- those are what is looked for
/** What moves the cursor of a terminal, changes its colours, or turns around the order of what is read. Not the tab and the line break. */
export const HARMFUL_CHARACTERS: RegExp =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;
