import { useQuery } from '@tanstack/react-query';
import listClasses from '../list/list.module.css';
import { may, STATUSES } from '../model.js';
import { meQuery, typesQuery } from '../queries.js';
import { words } from '../words.js';
import { facetsQuery } from './search-queries.js';
import type { SearchSearch } from './search-search.js';
import classes from './search.module.css';

interface FacetsProps {
  readonly search: SearchSearch;
  readonly onChoose: (change: Partial<SearchSearch>) => void;
}

/** Narrows what is found to a type and to a status. People who see what is published only have no status to choose. */
export function Facets({ search: { q, type, status }, onChoose }: FacetsProps) {
  const types = useQuery(typesQuery).data ?? [];
  const me = useQuery(meQuery).data;
  const seesDrafts = me !== undefined && types.some(({ name }) => may(me, 'drafts:read', name));
  const statuses = seesDrafts ? STATUSES : [];
  const counts = useQuery(facetsQuery({ q, ...(type !== undefined && { type }), ...(status && { status }) })).data;
  const typeChoices = types.map(({ name, label_plural: label }) => ({ value: name, label, count: counts?.type[name] }));
  const statusChoices = statuses.map((value) => ({
    value,
    label: words.list.tabs[value],
    count: counts?.status[value],
  }));
  return (
    <div className={classes.facets}>
      <Choices
        name={words.search.types}
        chosen={type}
        choices={typeChoices}
        onChoose={(next) => onChoose({ type: next })}
      />
      {seesDrafts && (
        <Choices
          name={words.list.columns.status}
          chosen={status}
          choices={statusChoices}
          onChoose={(next) => onChoose({ status: next })}
        />
      )}
    </div>
  );
}

interface ChoicesProps<Value> {
  readonly name: string;
  readonly chosen: Value | undefined;
  readonly choices: readonly { readonly value: Value; readonly label: string; readonly count: number | undefined }[];
  readonly onChoose: (value: Value | undefined) => void;
}

function Choices<Value extends string>({ name, chosen, choices, onChoose }: ChoicesProps<Value>) {
  const all = { value: undefined, label: words.list.all, count: undefined };
  return (
    <div className={listClasses.tabs} role="group" aria-label={name}>
      {[all, ...choices].map(({ value, label, count }) => (
        <button
          key={value ?? ''}
          type="button"
          className={listClasses.tab}
          aria-pressed={chosen === value}
          onClick={() => onChoose(value)}
        >
          {label}
          {count !== undefined && <span className={listClasses.tabCount}>{count.toLocaleString('en')}</span>}
        </button>
      ))}
    </div>
  );
}
