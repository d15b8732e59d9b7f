import { useEffect, useState } from 'react';
import { words } from '../../words.js';
import { minutesFor, wordsIn } from './word-count.js';

/** Characters of a text that is counted at each key. */
const SHORT = 20_000;
/** Milliseconds without a key until a longer one is. */
const PAUSE = 600;

/** The length of a text. */
export function CountedWords({ text }: { readonly text: string }) {
  const n = useCounted(text);
  return n === 0 ? words.editor.counted(0) : `${words.editor.counted(n)} · ${words.writing.minutes(minutesFor(n))}`;
}

function useCounted(text: string): number {
  const isShort = text.length <= SHORT;
  const [counted, setCounted] = useState(() => wordsIn(text));
  useEffect(() => {
    if (isShort) return undefined;
    const timer = setTimeout(() => setCounted(wordsIn(text)), PAUSE);
    return () => clearTimeout(timer);
  }, [text, isShort]);
  return isShort ? wordsIn(text) : counted;
}
