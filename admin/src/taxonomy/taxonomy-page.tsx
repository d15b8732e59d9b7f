import { CmsError } from '@content-service/client';
import { Button, CloseButton, Skeleton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { FailedNotice } from '../common/failed-notice.js';
import { Icon } from '../common/icons.js';
import { Notice } from '../common/notice.js';
import { tellFailure } from '../common/telling.js';
import { useSingleKeys } from '../keys/use-single-keys.js';
import { typesQuery, useMay } from '../queries.js';
import { Lost } from '../shell/lost.js';
import { words } from '../words.js';
import { TermDialog, type Asked } from './term-dialogs.js';
import { foundQuery, taxonomyQuery, type Taxonomy, type TaxonomyTerm } from './term-queries.js';
import { TermTable, type TermTableProps } from './term-table.js';
import { isWithin, rowsOf, termsBelow, termsNamed } from './term-tree.js';
import { titleOf } from './taxonomy-title.js';
import classes from './taxonomy.module.css';
import { useOpenTerms, type OpenTerms } from './use-open-terms.js';
import { useTermWork, type TermWork } from './use-term-work.js';

const t = words.taxonomy;
/** Milliseconds without a key until it is looked for. */
const PAUSE = 150;

/** The terms of one taxonomy. */
export function TaxonomyPage() {
  const { name } = useParams({ from: '/inside/taxonomy/$name' });
  const taxonomy = useQuery(taxonomyQuery(name));
  useEffect(() => {
    document.title = `${titleOf(name)} · ${words.product}`;
  }, [name]);
  if (taxonomy.error instanceof CmsError && taxonomy.error.code === 'taxonomy_not_found') return <Lost />;
  return (
    <div className={classes.page}>
      {taxonomy.isLoadingError ? (
        <FailedNotice title={t.failed} error={taxonomy.error} onRetry={() => void taxonomy.refetch()} />
      ) : (
        <TermsOf key={name} name={name} taxonomy={taxonomy.data} />
      )}
    </div>
  );
}

interface TermsProps {
  readonly name: string;
  readonly taxonomy: Taxonomy | undefined;
}

function TermsOf({ name, taxonomy }: TermsProps) {
  const mayWrite = useMay('')('taxonomy:write');
  const [asked, setAsked] = useState<Asked | null>(null);
  const { q, found } = useFound(name, taxonomy);
  const opened = useOpenTerms(taxonomy);
  const work = useTermWork(name);
  const { ask, move } = useDirectWork(taxonomy, { work, onAsk: setAsked, onOpen: opened.open });
  return (
    <>
      <Head
        {...{ name, q, taxonomy, opened }}
        found={found?.length}
        onCreate={mayWrite ? () => setAsked({ kind: 'create', term: null }) : null}
      />
      {taxonomy && found !== undefined ? (
        <Rows {...{ name, taxonomy, found, opened, move }} onAsk={mayWrite ? ask : null} />
      ) : (
        <Skeleton height={320} role="status" aria-label={words.loading} />
      )}
      {asked && taxonomy && <TermDialog {...{ name, asked, taxonomy, work }} onClose={() => setAsked(null)} />}
    </>
  );
}

interface DirectWork {
  readonly work: TermWork;
  readonly onAsk: (asked: Asked) => void;
  readonly onOpen: (id: number) => void;
}

/** Work that needs no question: moves, and deleting terms without uses. */
function useDirectWork(taxonomy: Taxonomy | undefined, { work, onAsk, onOpen }: DirectWork) {
  const ask = (kind: Asked['kind'], term: TaxonomyTerm) => {
    const isFree = term.count === 0 && termsBelow(taxonomy?.terms ?? [], term).length === 0;
    if (kind !== 'remove' || !isFree) return onAsk({ kind, term });
    // Records that the person does not see may hold it.
    work.remove(term).catch((error: unknown) => (isHeld(error) ? onAsk({ kind, term }) : tellFailure(error)));
  };
  const move = (term: TaxonomyTerm, parent: TaxonomyTerm | undefined) => {
    if ((parent?.id ?? null) === term.parent_id || (parent && isWithin(parent, term))) return;
    if (parent) onOpen(parent.id);
    work.move(term, parent).catch(tellFailure);
  };
  return { ask, move };
}

interface RowsProps extends Pick<TermTableProps, 'name' | 'move' | 'onAsk'> {
  readonly taxonomy: Taxonomy;
  /** `null`: no search is asked for. */
  readonly found: readonly TaxonomyTerm[] | null;
  readonly opened: OpenTerms;
}

function Rows({ name, taxonomy, found, opened, ...rest }: RowsProps) {
  const types = useQuery(typesQuery).data?.filter(({ taxonomies }) => taxonomies.includes(name)) ?? [];
  const rows = found
    ? found.map((term) => ({ term, hasChildren: false, isOpen: false }))
    : rowsOf(taxonomy.terms, opened.isOpen);
  if (rows.length > 0) {
    return (
      <TermTable {...{ name, taxonomy, rows, types, ...rest }} isFound={found !== null} onToggle={opened.toggle} />
    );
  }
  if (found) return <Notice icon="search" title={t.noHits} />;
  return (
    <Notice icon="tag" title={t.empty}>
      {rest.onAsk ? t.emptyText : t.emptyReader}
    </Notice>
  );
}

function isHeld(error: unknown): boolean {
  return error instanceof CmsError && error.code === 'term_in_use';
}

/** Matches of a search: `null` without a search, `undefined` until they are known. */
function useFound(name: string, taxonomy: Taxonomy | undefined) {
  const { q = '' } = useSearch({ from: '/inside/taxonomy/$name' });
  const isWhole = taxonomy !== undefined && taxonomy.terms.length >= taxonomy.total;
  const answer = useQuery(foundQuery(name, q, q !== '' && taxonomy !== undefined && !isWhole));
  if (q === '' || !taxonomy) return { q, found: null };
  return { q, found: isWhole ? termsNamed(taxonomy.terms, q) : answer.data };
}

interface HeadProps extends TermsProps {
  readonly q: string;
  /** Terms that a search has found; absent: none is asked for. */
  readonly found: number | undefined;
  readonly opened: OpenTerms;
  /** `null`: one may not. */
  readonly onCreate: (() => void) | null;
}

function Head({ name, q, taxonomy, found, opened, onCreate }: HeadProps) {
  const canFold = found === undefined && taxonomy?.terms.some(({ depth }) => depth > 1) === true;
  return (
    <>
      <div className={classes.head}>
        <div>
          <h1 className={classes.title}>{titleOf(name)}</h1>
          <p className={classes.total} role="status">
            {taxonomy ? countOf(taxonomy, found) : words.loading}
          </p>
        </div>
        {onCreate && (
          <Button leftSection={<Icon name="plus" />} onClick={onCreate}>
            {t.create}
          </Button>
        )}
      </div>
      <div className={classes.tools}>
        <SearchBox value={q} />
        {canFold && (
          <Button variant="default" className={classes.fold} onClick={opened.toggleAll}>
            {opened.areOpen ? t.closeAll : t.openAll}
          </Button>
        )}
      </div>
    </>
  );
}

function countOf({ terms, total }: Taxonomy, found: number | undefined): string {
  if (found !== undefined) return t.found(found);
  return terms.length < total ? `${t.total(total)}. ${t.tooMany(terms.length)}` : t.total(total);
}

/** Looks for terms by their names. The key `/` leads here. */
function SearchBox({ value }: { readonly value: string }) {
  const navigate = useNavigate({ from: '/taxonomy/$name' });
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const look = useDebouncedCallback(
    (q: string) => void navigate({ search: q === '' ? {} : { q }, replace: true }),
    PAUSE,
  );
  useSingleKeys({ '/': () => box.current?.focus() });
  useEffect(() => setText((present) => (present.trim() === value ? present : value)), [value]);
  const write = (next: string) => {
    setText(next);
    look(next.trim());
  };
  return (
    <TextInput
      ref={box}
      className={classes.search}
      aria-label={t.search}
      placeholder={t.search}
      leftSection={<Icon name="search" size={16} />}
      rightSection={text !== '' && <CloseButton aria-label={t.clear} size="sm" onClick={() => write('')} />}
      value={text}
      onChange={({ currentTarget }) => write(currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key === 'Escape') write('');
      }}
    />
  );
}
