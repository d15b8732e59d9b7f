import { UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useEffect } from 'react';
import { Icon } from '../common/icons.js';
import { useFocusBack } from '../common/use-focus-back.js';
import { useLoaded } from '../common/use-loaded.js';
import { words } from '../words.js';
import classes from '../shell/shell.module.css';

const load = () => import('./palette.js');

interface PaletteButtonProps {
  readonly onKeys: () => void;
}

/** Opens the palette, as Ctrl K does anywhere but above another dialog. */
export function PaletteButton({ onKeys }: PaletteButtonProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const isMac = /Mac|iP(hone|ad)/.test(navigator.userAgent);
  const key = `${isMac ? 'Cmd' : 'Ctrl'} K`;
  useHotkeys([['mod+K', () => document.querySelector('[role="dialog"]') ?? open()]], [], true);
  return (
    <>
      <UnstyledButton className={classes.opener} aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'} onClick={open}>
        <Icon name="search" size={16} />
        <span className={classes.openerText}>{words.search.open}</span>
        <kbd className={classes.openerKey}>{key}</kbd>
      </UnstyledButton>
      {isOpen && <PaletteLoader onClose={close} onKeys={onKeys} />}
    </>
  );
}

/** The palette, whose code is loaded when it is opened. The focus returns to what had it. */
function PaletteLoader({ onClose, onKeys }: PaletteButtonProps & { readonly onClose: () => void }) {
  const { code, isFailed } = useLoaded(load);
  useFocusBack();
  useEffect(() => {
    if (isFailed) onClose();
  }, [isFailed, onClose]);
  return code && <code.Palette onClose={onClose} onKeys={onKeys} />;
}
