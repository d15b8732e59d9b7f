import { UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys, useTimeout } from '@mantine/hooks';
import { Icon } from '../common/icons.js';
import { useDialogCode } from '../common/use-dialog-code.js';
import { preload } from '../common/use-loaded.js';
import { words } from '../words.js';
import classes from '../shell/shell.module.css';

const load = () => import('./palette.js');
/** Milliseconds after the first page until the code is loaded in advance, so that the first letters after Ctrl K are not lost. */
const IN_ADVANCE = 1_000;

interface PaletteButtonProps {
  readonly onKeys: () => void;
}

/** Opens the palette, as Ctrl K does anywhere but above another dialog. */
export function PaletteButton({ onKeys }: PaletteButtonProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  useTimeout(() => void preload(load), IN_ADVANCE, { autoInvoke: true });
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

/** The palette, whose code is loaded when it is opened. */
function PaletteLoader({ onClose, onKeys }: PaletteButtonProps & { readonly onClose: () => void }) {
  const code = useDialogCode(load, onClose);
  if (!code) return <span hidden data-opening />;
  return <code.Palette onClose={onClose} onKeys={onKeys} />;
}
