import { hideNotification, showNotification, type NotificationData } from '@mantine/notifications';
import { words } from '../words.js';
import { sentenceOf } from './failure.js';
import { randomKey } from './random-key.js';

/** Milliseconds that a failure stands, and that something can be taken back. */
export const PATIENCE = 12_000;

/** The failure that is shown. */
let failure: string | undefined;

/** Says that something failed, and what to do: one failure at a time, until something works. */
export function tellFailure(error: unknown): void {
  hideFailure();
  failure = randomKey();
  const message = sentenceOf(error);
  showNotification({ id: failure, color: 'red', title: words.editor.failed, message, autoClose: PATIENCE });
}

/** Says that something worked. */
export function tellDone(done: NotificationData): void {
  hideFailure();
  showNotification(done);
}

function hideFailure(): void {
  if (failure !== undefined) hideNotification(failure);
}
