import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { IconName } from '../common/icons.js';
import { pageActions } from '../common/page-actions.js';
import { USUAL } from '../list/list-search.js';
import type { ContentType, Me } from '../model.js';
import { place } from '../place.js';
import { meQuery, typesQuery } from '../queries.js';
import { words } from '../words.js';
import { commandsOf, isMeant, type Target } from './commands.js';
import { readRecent, recentFirst, type Recent } from './recent.js';
import { paletteQuery, type Hit } from './search-queries.js';

const t = words.search;
/** Milliseconds without a key until it is looked for. */
const PAUSE = 60;
/** Commands that stand above the records. */
const MOST_MEANT = 5;
const NO_TYPES: readonly ContentType[] = [];
const AT_REST = { error: null, isWaiting: false, isNothing: false };

/** One choice of the palette. */
export interface Item {
  readonly key: string;
  readonly group: string;
  readonly icon: IconName;
  readonly label: string;
  /** The label with `<mark>` around what was found. */
  readonly html?: string;
  readonly hint?: string;
  /** HTML: the part of the text with what was found. */
  readonly excerpt?: string;
  readonly run: () => void;
}

/** The items of the palette. */
export interface Offer {
  readonly items: readonly Item[];
  readonly error: Error | null;
  /** True if the records are not there yet, or those of what was typed before. */
  readonly isWaiting: boolean;
  /** True if no record has what is typed. */
  readonly isNothing: boolean;
}

/** Tells whether a text is no more than the beginning of most words: records are not searched by it. */
function isShort(text: string): boolean {
  return /^[\w-]{0,2}$/.test(text);
}

/** Items of the palette for the typed words: commands, which are there at once, then records. */
export function usePaletteItems(q: string, onKeys: () => void): Offer {
  const me = useQuery(meQuery).data;
  const types = useQuery(typesQuery).data ?? NO_TYPES;
  const [recent] = useState(() => (me ? readRecent(me.user.id) : []));
  const { pathname } = useLocation();
  const { hits, ...state } = useHits(q);
  const { go, open } = useWays(onKeys);
  const commands = useCommands(types, me, go);
  const labelOf = (name: string) => types.find((type) => type.name === name)?.label ?? name;
  const itemOf = (group: string, { type, id, title }: Recent): Item => ({
    key: `${type} ${id}`,
    group,
    icon: 'pen',
    label: title || words.editor.untitled,
    hint: labelOf(type),
    run: () => open(type, id),
  });
  if (q === '') {
    const others = recent.filter(({ type, id }) => pathname !== `/content/${type}/${id}`);
    const recents = others.map((one) => itemOf(t.groups.recent, one));
    return { items: [...recents, ...commands.here, ...commands.anywhere], ...AT_REST };
  }
  const meant = [...commands.here, ...commands.anywhere].filter(({ label }) => isMeant(label, q));
  const opened = isShort(q) ? recent.filter(({ title }) => isMeant(title, q)) : [];
  const records = recentFirst(hits, recent).map((hit): Item => ({
    ...itemOf(t.groups.records, hit),
    html: hit.highlights.title || words.editor.untitled,
    ...reasonOf(hit, labelOf(hit.type)),
  }));
  const found = [...opened.map((one) => itemOf(t.groups.recent, one)), ...records];
  return { items: [...meant.slice(0, MOST_MEANT), ...found, allResults(q, go)], ...state };
}

/** The records that have what is typed. */
function useHits(q: string) {
  const sought = isShort(q) ? '' : q;
  const [asked] = useDebouncedValue(sought, PAUSE);
  const { data, error, isError, isFetching } = useQuery(paletteQuery(asked));
  if (sought === '') return { hits: [], ...AT_REST };
  const hits = data?.data ?? [];
  const isWaiting = asked !== sought || isFetching;
  return { hits, error, isWaiting, isNothing: !isWaiting && !isError && hits.length === 0 };
}

/** Commands for the open page, and those of every page. */
function useCommands(types: readonly ContentType[], me: Me | undefined, go: Ways['go']) {
  const [actions] = useState(pageActions);
  // What is open may have been saved since.
  const act = (label: string) => () =>
    pageActions()
      .find((action) => action.label === label)
      ?.run();
  const asItem = (command: Omit<Item, 'key'>): Item => ({ ...command, key: `${command.group} ${command.label}` });
  return {
    here: actions.map((action) => asItem({ ...action, group: t.groups.open, run: act(action.label) })),
    anywhere: commandsOf(types, me ?? { scopes: [] }).map(({ target, ...rest }) =>
      asItem({ ...rest, run: () => go(target) }),
    ),
  };
}

function allResults(q: string, go: Ways['go']): Item {
  const run = () => go({ to: 'search' }, q);
  return { key: 'all', group: t.groups.search, icon: 'search', label: t.allResults(q), run };
}

/** The kind of a record, and the reason of its match unless its title says so. */
function reasonOf({ slug, status, highlights, excerpt }: Hit, label: string): Pick<Item, 'hint' | 'excerpt'> {
  const facts = [label, words.status[status]];
  if (highlights.title.includes('<mark>')) return { hint: [...facts, `/${slug}`].join(' · ') };
  return { hint: [...facts, ''].join(' · '), excerpt };
}

interface Ways {
  readonly go: (target: Target, q?: string) => void;
  readonly open: (type: string, id: number | 'new') => void;
}

/** The ways to what is chosen. */
function useWays(onKeys: () => void): Ways {
  const navigate = useNavigate();
  const open: Ways['open'] = (type, id) =>
    void navigate({ to: '/content/$type/$id', params: { type, id: String(id) } });
  const go: Ways['go'] = (target, q = '') => {
    if (target.to === 'keys') return onKeys();
    if (target.to === 'api') return window.location.assign(`${place.serviceUrl}api/docs`);
    if (target.to === 'search') return void navigate({ to: '/search', search: { q, page: 1 } });
    if (target.to === 'taxonomy') return void navigate({ to: '/taxonomy/$name', params: { name: target.name } });
    if (target.to === 'new') return open(target.type, 'new');
    const search = target.to === 'trash' ? { ...USUAL, status: 'trash' as const } : USUAL;
    return void navigate({ to: '/content/$type', params: { type: target.type }, search });
  };
  return { go, open };
}
