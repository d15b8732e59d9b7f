/** One item of a list, with the comma behind it: in quotes, or up to the next comma. Linear: the parts exclude each other. */
const ITEM = /[ \t]*(?:"((?:[^"\\]|\\.)*)"[ \t]*|((?![ \t"])[^,]*))(?:,|$)/y;

/**
 * The names in a header: `staff, "Press, Prague"` -> `['staff', 'Press, Prague']`. A comma in quotes separates nothing, or
 * people who may name a group would be in others by its name.
 *
 * @returns `null`: quotes do not close, or something stands behind them
 * @see RFC 9110, section 5.6.4
 */
export function groupList(text: string): readonly string[] | null {
  const names: string[] = [];
  for (let at = 0; at < text.length; at = ITEM.lastIndex) {
    ITEM.lastIndex = at;
    const item = ITEM.exec(text);
    if (!item) return null;
    const [, quoted, plain = ''] = item;
    names.push(quoted === undefined ? plain.trim() : quoted.replace(/\\(.)/g, '$1'));
  }
  return names;
}
