import { useEffect, useEffectEvent, useState } from 'react';
import { isForOthers, KeyReader, singleKeys, type KeyMap } from './single-keys.js';

/** Does things at keys without Ctrl: outside of what is typed into, and as long as they are not switched off. */
export function useSingleKeys(keys: KeyMap): void {
  const [reader] = useState(() => new KeyReader());
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!singleKeys.read() || isForOthers(event)) return;
    const work = reader.find(keys, event.key, event.timeStamp);
    if (!work) return;
    event.preventDefault();
    work();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
