import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { words } from '../../words.js';

const t = words.list.bulk;

interface ConfirmBulkProps {
  /** The action, as its button names it. */
  readonly action: string;
  readonly count: number;
  /** True if it cannot be taken back. */
  readonly isFinal: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks for the number of records before something is done with many of them. */
export function ConfirmBulk({ action, count, isFinal, onConfirm, onCancel }: ConfirmBulkProps) {
  const [typed, setTyped] = useState('');
  const isRight = typed.replace(/\D/g, '') === String(count);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isRight) onConfirm();
  };
  return (
    <Modal
      opened
      centered
      title={t.confirm(action, count)}
      onClose={onCancel}
      closeButtonProps={{ 'aria-label': words.close }}
      // It would add a style that the policy of the page refuses.
      lockScroll={false}
    >
      <form onSubmit={submit}>
        <TextInput
          data-autofocus
          label={t.confirmBox}
          description={t.confirmText(count, isFinal)}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Group justify="flex-end" gap={8} mt="md">
          <Button variant="default" onClick={onCancel}>
            {words.cancel}
          </Button>
          <Button type="submit" color={isFinal ? 'red' : undefined} disabled={!isRight}>
            {action}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
