import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Icon } from '../common/icons.js';
import { may, type ContentType } from '../model.js';
import { meQuery } from '../queries.js';
import { useTrash } from '../common/use-trash.js';
import { words } from '../words.js';
import classes from './list.module.css';

interface SelectionBarProps {
  readonly type: ContentType;
  readonly ids: ReadonlySet<number>;
  readonly onClear: () => void;
}

/** What can be done with the selected records. */
export function SelectionBar({ type, ids, onClear }: SelectionBarProps) {
  const me = useQuery(meQuery);
  const trash = useTrash(type.name);
  const [isBusy, setBusy] = useState(false);
  const mayDelete = me.data !== undefined && may(me.data, 'records:delete', type.name);
  const remove = async () => {
    setBusy(true);
    await trash([...ids], words.editor.trashedMany(ids.size));
    setBusy(false);
    onClear();
  };
  return (
    <div className={classes.selection} role="status">
      <strong>{words.list.selected(ids.size)}</strong>
      {mayDelete && (
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="trash" size={16} />}
          loading={isBusy}
          onClick={() => void remove()}
        >
          {words.list.trash}
        </Button>
      )}
      <Button size="xs" variant="subtle" onClick={onClear}>
        {words.list.clearSelection}
      </Button>
    </div>
  );
}
