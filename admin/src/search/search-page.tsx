import { Button, Skeleton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { FailedNotice } from '../common/failed-notice.js';
import { Icon } from '../common/icons.js';
import { Moment } from '../common/moment.js';
import { Notice } from '../common/notice.js';
import { StatusBadge } from '../common/status-badge.js';
import { useSingleKeys } from '../keys/use-single-keys.js';
import { Excerpt } from '../list/excerpt.js';
import listClasses from '../list/list.module.css';
import { BeyondTheEnd, Pages } from '../list/pages.js';
import { typesQuery } from '../queries.js';
import { words } from '../words.js';
import { Facets } from './facets.js';
import { searchQuery, type Hit } from './search-queries.js';
import type { SearchSearch } from './search-search.js';
import classes from './search.module.css';

const t = words.search;
/** Milliseconds without a key until it is looked for. */
const PAUSE = 250;

/** Matches in the records of all types. */
export function SearchPage() {
  const search = useSearch({ from: '/inside/search' });
  const navigate = useNavigate({ from: '/search' });
  // What is typed on takes the place of what was typed: Back leads to what was looked for, not to each of its letters.
  const show = (change: Partial<SearchSearch>) =>
    void navigate({
      search: (before) => ({ ...before, page: 1, ...change }),
      replace: change.q !== undefined && search.q !== '',
    });
  const hits = useQuery(searchQuery(search));
  const total = search.q === '' ? undefined : hits.data?.meta.total;
  useEffect(() => {
    document.title = `${t.title} · ${words.product}`;
  }, []);
  return (
    <div className={listClasses.page}>
      <h1 className={listClasses.title}>{t.title}</h1>
      <p className={listClasses.total} role="status">
        {total === undefined ? search.q !== '' && hits.isFetching && words.loading : words.list.found(total)}
      </p>
      <WordsBox value={search.q} onChange={(q) => show({ q })} />
      {search.q !== '' && <Facets search={search} onChoose={show} />}
      <Found search={search} onShow={show} />
    </div>
  );
}

interface FoundProps {
  readonly search: SearchSearch;
  readonly onShow: (change: Partial<SearchSearch>) => void;
}

function Found({ search, onShow }: FoundProps) {
  const { data, error, isError, isPlaceholderData, refetch } = useQuery(searchQuery(search));
  if (search.q === '') {
    return (
      <Notice icon="search" title={t.ask}>
        {t.askText}
      </Notice>
    );
  }
  if (isError) return <FailedNotice title={t.failed} error={error} onRetry={() => void refetch()} />;
  if (!data) return [1, 2, 3].map((row) => <Skeleton key={row} height={84} mb={8} />);
  if (data.meta.total === 0) return <Nothing search={search} suggestion={data.meta.suggestion} onShow={onShow} />;
  const turn = (page: number) => onShow({ page });
  if (data.data.length === 0) return <BeyondTheEnd total={data.meta.total} onTurn={turn} />;
  return (
    <>
      <Hits hits={data.data} isStale={isPlaceholderData} />
      <Pages total={data.meta.total} page={search.page} onTurn={turn} />
    </>
  );
}

function Nothing({ search, suggestion, onShow }: FoundProps & { readonly suggestion: string | undefined }) {
  const isNarrowed = search.type !== undefined || search.status !== undefined;
  return (
    <Notice
      icon="search"
      title={t.nothing}
      actions={
        <>
          {suggestion !== undefined && (
            <Button variant="default" onClick={() => onShow({ q: suggestion })}>
              {t.suggestion(suggestion)}
            </Button>
          )}
          {isNarrowed && (
            <Button variant="default" onClick={() => onShow({ type: undefined, status: undefined })}>
              {words.list.showAll}
            </Button>
          )}
        </>
      }
    >
      {words.list.noHitsText}
    </Notice>
  );
}

interface HitsProps {
  readonly hits: readonly Hit[];
  readonly isStale: boolean;
}

/** Hits, from one to the other by `j` and `k`. */
function Hits({ hits, isStale }: HitsProps) {
  const types = useQuery(typesQuery).data;
  const list = useRef<HTMLUListElement>(null);
  const go = (step: number) => {
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const present = links.findIndex((link) => link === document.activeElement);
    links[Math.min(Math.max(present + step, 0), links.length - 1)]?.focus();
  };
  useSingleKeys({ j: () => go(1), k: () => go(-1) });
  return (
    <ul ref={list} className={classes.hits} data-stale={isStale}>
      {hits.map(({ id, type, highlights, excerpt, status, updated_at: at }) => (
        <li key={id}>
          <Link to="/content/$type/$id" params={{ type, id: String(id) }} className={listClasses.link}>
            {highlights.title === '' ? words.editor.untitled : <Excerpt html={highlights.title} />}
          </Link>
          <p className={classes.excerpt}>
            <Excerpt html={excerpt} />
          </p>
          <div className={classes.facts}>
            <span>{types?.find(({ name }) => name === type)?.label ?? type}</span>
            <StatusBadge status={status} isEdited={false} />
            <Moment at={at} />
          </div>
        </li>
      ))}
    </ul>
  );
}

interface WordsBoxProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Looks for words. The key `/` leads here. */
function WordsBox({ value, onChange }: WordsBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const change = useDebouncedCallback((next: string) => onChange(next.trim()), PAUSE);
  useSingleKeys({ '/': () => box.current?.focus() });
  // Back, or the palette, has changed the address.
  useEffect(() => setText((present) => (present.trim() === value ? present : value)), [value]);
  return (
    <TextInput
      ref={box}
      size="md"
      mt={16}
      aria-label={t.wordsBox}
      placeholder={t.wordsBox}
      maxLength={256}
      leftSection={<Icon name="search" />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        change(currentTarget.value);
      }}
    />
  );
}
