import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { Icon } from '../common/icons.js';
import { useSingleKeys } from '../keys/use-single-keys.js';
import type { ContentType } from '../model.js';
import { words } from '../words.js';

/** The way to a new record of a type. The key `n` is another one. */
export function NewButton({ type }: { readonly type: ContentType }) {
  const navigate = useNavigate();
  const params = { type: type.name, id: 'new' };
  useSingleKeys({ n: () => void navigate({ to: '/content/$type/$id', params }) });
  return (
    <Button
      renderRoot={(props) => <Link to="/content/$type/$id" params={params} {...props} />}
      leftSection={<Icon name="plus" />}
    >
      {words.list.create(type.label)}
    </Button>
  );
}
