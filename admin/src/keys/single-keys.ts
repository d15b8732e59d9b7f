/** Milliseconds between two keys that belong together, such as `g` and `c`. */
const PAUSE = 1_200;
const KEY = 'content-console single keys';
const TYPED_INTO =
  'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable="true"]';

/** Actions by their key, or by two of them: `?`, `g c`. */
export type KeyMap = Readonly<Record<string, () => void>>;

/** True if keys without Ctrl do something, as this device remembers it: who speaks to a computer may not want them. */
class SingleKeys {
  private readonly readers = new Set<() => void>();
  private isOn = remembered();

  readonly read = (): boolean => this.isOn;

  readonly subscribe = (reader: () => void): (() => void) => {
    this.readers.add(reader);
    return () => this.readers.delete(reader);
  };

  turn(isOn: boolean): void {
    this.isOn = isOn;
    try {
      if (isOn) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, 'off');
    } catch {
      // A window that keeps nothing has them on again next time.
    }
    for (const reader of this.readers) reader();
  }
}

export const singleKeys = new SingleKeys();

/** Finds what is to be done at a key, with the one before it. */
export class KeyReader {
  private before = { key: '', at: 0 };

  /** @param at milliseconds of any clock */
  find(keys: KeyMap, key: string, at: number): (() => void) | undefined {
    const isNear = at - this.before.at < PAUSE;
    const found = (isNear ? keys[`${this.before.key} ${key}`] : undefined) ?? keys[key];
    this.before = { key, at };
    return found;
  }
}

/** Tells whether a key is meant for what has the focus, or for a dialog or a menu above the page, which may still be on its way. */
export function isForOthers({ target, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || isComposing) return true;
  if (isBelowDialog()) return true;
  return target instanceof Element && target.closest(TYPED_INTO) !== null;
}

/** Tells whether a dialog or a menu is above the page, or on its way. */
export function isBelowDialog(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"], [data-opening]') !== null;
}

function remembered(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}
