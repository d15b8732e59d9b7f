import { Button, Group, Modal } from '@mantine/core';
import { words } from '../words.js';
import { ChangedValue } from './change-list.js';
import classes from './history.module.css';
import type { Clash } from './use-copy-left.js';

const t = words.history.copy;

interface CopyClashDialogProps {
  readonly clash: Clash;
  /** The origin of the older value. */
  readonly from: string;
  readonly onReplace: () => void;
  readonly onKeep: () => void;
}

/** The value of a working copy, and the older one that would take its place. */
export function CopyClashDialog({ clash, from, onReplace, onKeep }: CopyClashDialogProps) {
  const { change, label, opened, part } = clash;
  const { current, draft } = opened;
  const written = change.kind === 'taxonomy' ? current.terms?.[change.field] : current[part.name];
  return (
    <Modal
      opened
      size={720}
      title={t.clash(label)}
      onClose={onKeep}
      closeButtonProps={{ 'aria-label': words.close }}
      // It would add a style that the policy of the page refuses.
      lockScroll={false}
    >
      <p className={classes.said}>{t.clashText(draft?.updated_by?.name)}</p>
      <ChangedValue change={{ ...change, from: written, to: change.from }} before={t.present} after={from} />
      <Group justify="flex-end" gap={8} mt="md">
        <Button variant="default" data-autofocus onClick={onKeep}>
          {t.keep}
        </Button>
        <Button onClick={onReplace}>{t.replace}</Button>
      </Group>
    </Modal>
  );
}
