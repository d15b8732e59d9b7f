import { useComputedColorScheme } from '@mantine/core';
import { useMemo } from 'react';
import { words } from '../../../words.js';
import classes from '../body.module.css';
import { previewPage } from './preview-page.js';

export interface PreviewProps {
  readonly text: string;
  readonly kind: 'markdown' | 'html';
}

/**
 * The body as it is read, in a frame of no origin in which no script runs. A link opens in another tab, by a click;
 * nothing else leads out of it.
 */
export function Preview({ text, kind }: PreviewProps) {
  // At once, since a frame that is given another page while it loads the first one may keep that.
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const page = useMemo(() => previewPage(text, kind, scheme), [text, kind, scheme]);
  return (
    <iframe
      key={scheme}
      className={classes.preview}
      title={words.writing.modes.preview}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      srcDoc={page}
    />
  );
}
