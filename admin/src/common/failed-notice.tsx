import { Button } from '@mantine/core';
import { words } from '../words.js';
import { requestIdOf, sentenceOf } from './failure.js';
import { Notice } from './notice.js';

interface FailedNoticeProps {
  readonly title: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** A failure with what to do about it, and with what the operator needs to find it in the log. */
export function FailedNotice({ title, error, onRetry }: FailedNoticeProps) {
  const id = requestIdOf(error);
  return (
    <Notice
      icon="alert"
      role="alert"
      title={title}
      actions={
        <Button variant="default" onClick={onRetry}>
          {words.retry}
        </Button>
      }
    >
      {sentenceOf(error)}
      {id !== null && <div>{words.requestId(id)}</div>}
    </Notice>
  );
}
