import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon } from '../common/icons.js';
import type { ContentType } from '../model.js';
import { words } from '../words.js';

/** The way to a new record of a type. */
export function NewButton({ type }: { readonly type: ContentType }) {
  return (
    <Button
      renderRoot={(props) => <Link to="/content/$type/$id" params={{ type: type.name, id: 'new' }} {...props} />}
      leftSection={<Icon name="plus" />}
    >
      {words.list.create(type.label)}
    </Button>
  );
}
