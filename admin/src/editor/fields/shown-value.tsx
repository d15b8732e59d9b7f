import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ContentRecord } from '../../model.js';
import { referenceQuery } from '../../queries.js';
import classes from '../editor.module.css';

/** A value that is not edited here: records by their titles, anything else as JSON. */
export function ShownValue({ value }: { readonly value: unknown }) {
  const items = Array.isArray(value) ? value : [value];
  if (items.every(isReference)) return items.map((item) => <Reference key={`${item.type}/${item.id}`} {...item} />);
  if (items.every((item) => typeof item === 'string')) return items.join(', ');
  return <pre className={classes.json}>{JSON.stringify(value, null, 1)}</pre>;
}

type ReferenceProps = Pick<ContentRecord, 'type' | 'id'>;

function isReference(value: unknown): value is ReferenceProps {
  return typeof value === 'object' && value !== null && 'id' in value && 'type' in value;
}

function Reference({ type, id }: ReferenceProps) {
  const found = useQuery(referenceQuery(type, id));
  return (
    <Link to="/content/$type/$id" params={{ type, id: String(id) }} className={classes.reference}>
      {found.data?.title ?? `${type} ${id}`}
    </Link>
  );
}
