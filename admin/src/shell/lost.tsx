import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Notice } from '../common/notice.js';
import { words } from '../words.js';

/** An address of the console at which there is nothing. */
export function Lost() {
  const navigate = useNavigate();
  return (
    <Notice
      icon="search"
      title={words.notFound}
      actions={
        <Button variant="default" onClick={() => void navigate({ to: '/' })}>
          {words.toStart}
        </Button>
      }
    />
  );
}
