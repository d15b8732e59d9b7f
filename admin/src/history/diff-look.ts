import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';

/** Looks of two long texts: beside each other, or in one. */
export const LOOKS = ['sides', 'inline'] as const;
export type Look = (typeof LOOKS)[number];

const KEY = 'content-console compare';
/** Beside the list of revisions there is no room for two texts in a narrower window. */
const WIDE = '(min-width: 900px)';

interface DiffLook {
  readonly look: Look;
  /** `null`: there is no choice. */
  readonly choose: ((look: Look) => void) | null;
}

/** The look of compared long texts on this device. */
export function useDiffLook(): DiffLook {
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });
  const [look, setLook] = useState(read);
  if (!isWide) return { look: 'inline', choose: null };
  const choose = (next: Look) => {
    setLook(next);
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // A window that keeps nothing starts anew each time.
    }
  };
  return { look, choose };
}

function read(): Look {
  try {
    return LOOKS.find((one) => one === localStorage.getItem(KEY)) ?? 'sides';
  } catch {
    return 'sides';
  }
}
