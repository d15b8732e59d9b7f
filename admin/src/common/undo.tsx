import { Button } from '@mantine/core';
import { hideNotification } from '@mantine/notifications';
import { words } from '../words.js';
import { randomKey } from './random-key.js';
import { PATIENCE, tellDone } from './telling.js';

/** Says what was done, and offers to take it back. */
export function showUndo(sentence: string, undo: () => void): void {
  const id = randomKey();
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
