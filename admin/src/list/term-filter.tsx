import { CloseButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { termQuery } from '../editor/fields/picking/picking-queries.js';
import { titleOf } from '../taxonomy/taxonomy-title.js';
import { words } from '../words.js';
import { termOf } from './list-search.js';
import classes from './list.module.css';

interface TermFilterProps {
  /** As it stands in the address. */
  readonly term: string;
  readonly onClear: () => void;
}

/** The term to whose records a list is limited. */
export function TermFilter({ term, onClear }: TermFilterProps) {
  const { taxonomy, id } = termOf(term) ?? { taxonomy: '', id: 0 };
  const found = useQuery(termQuery(taxonomy, id));
  return (
    <p className={classes.only}>
      {titleOf(taxonomy)}: <strong>{found.data?.name ?? id}</strong>
      <CloseButton size="sm" aria-label={words.list.allTerms} title={words.list.allTerms} onClick={onClear} />
    </p>
  );
}
