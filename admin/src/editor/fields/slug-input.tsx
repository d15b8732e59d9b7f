import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ContentRecord, ContentType, Fault } from '../../model.js';
import { words } from '../../words.js';
import { faultText, inputId } from './faults.js';
import { slugQuery } from './picking/picking-queries.js';
import { holderOf, sharesSlugs } from './slug.js';

const t = words.editor;
/** Milliseconds without a key until it is looked up. */
const PAUSE = 300;

interface SlugInputProps {
  readonly type: ContentType;
  /** `null`: it is new. */
  readonly record: ContentRecord | null;
  readonly value: string;
  readonly faults: readonly Fault[];
  readonly isReadOnly: boolean;
  readonly onChange: (value: string) => void;
}

/** The slug, and who has it already. */
export function SlugInput({ type, record, value, faults, isReadOnly, onChange }: SlugInputProps) {
  const [sought] = useDebouncedValue(value, PAUSE);
  const locale = typeof record?.locale === 'string' ? record.locale : 'en';
  const found = useQuery(slugQuery(type.name, sought.trim().normalize(), sharesSlugs(type) ? locale : undefined));
  const holder = sought === value ? holderOf(found.data ?? [], record?.id) : undefined;
  // That it is taken is said once, with a way to who has it.
  const others = faults.filter(({ rule }) => !holder || rule !== 'slug_taken');
  const error = others.map((fault) => faultText(fault, t.slug)).join(' ');
  return (
    <TextInput
      id={inputId('slug')}
      label={t.slug}
      leftSection="/"
      description={record === null ? t.slugHint : undefined}
      error={
        holder ? (
          <>
            {error} {t.slugTaken}{' '}
            <Link to="/content/$type/$id" params={{ type: type.name, id: String(holder.id) }}>
              {holder.title}
            </Link>
          </>
        ) : (
          error || undefined
        )
      }
      readOnly={isReadOnly}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
