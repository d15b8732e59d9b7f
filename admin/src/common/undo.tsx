import { Button } from '@mantine/core';
import { hideNotification } from '@mantine/notifications';
import { words } from '../words.js';
import { randomKey } from './random-key.js';
import { PATIENCE, tellDone } from './telling.js';

/** The notice that offers the newest undo: one that is older may no longer fit what was done since. */
let newest = '';

/** Says what was done, and offers to take it back. */
export function showUndo(sentence: string, undo: () => void): void {
  hideNotification(newest);
  const id = (newest = randomKey());
  const back = () => {
    hideNotification(id);
    undo();
  };
  const message = (
    <>
      {sentence}{' '}
      <Button size="compact-sm" variant="subtle" onClick={back}>
        {words.undo}
      </Button>
    </>
  );
  tellDone({ id, autoClose: PATIENCE, message });
}
