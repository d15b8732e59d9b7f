import { Alert, Button, Group } from '@mantine/core';
import { Icon } from '../common/icons.js';
import { words } from '../words.js';
import type { Editing } from './saving/editing.js';
import classes from './editor.module.css';

const t = words.editor.conflict;

interface ConflictNoticeProps {
  readonly editing: Editing;
  /** The text in the inputs was replaced. */
  readonly onReplaced: () => void;
}

/** Someone else has written meanwhile: nothing is lost until one of both is chosen. */
export function ConflictNotice({ editing, onReplaced }: ConflictNoticeProps) {
  return (
    <Alert
      role="alert"
      color="yellow"
      variant="light"
      icon={<Icon name="alert" />}
      title={t.title}
      className={classes.conflict}
    >
      <p className={classes.conflictText}>{t.text}</p>
      <Group gap={8}>
        <Button size="xs" onClick={() => void editing.keepMine()}>
          {t.mine}
        </Button>
        <Button size="xs" variant="default" onClick={() => void editing.takeTheirs().then(onReplaced)}>
          {t.theirs}
        </Button>
      </Group>
    </Alert>
  );
}
