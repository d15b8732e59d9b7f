import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { place } from './place.js';
import { typesQuery } from './queries.js';
import { client, session } from './service.js';
import { lazyPage, PageFailure } from './shell/lazy-page.js';
import { Lost } from './shell/lost.js';
import { NoTypes } from './shell/no-types.js';
import { Shell } from './shell/shell.js';
import { historySearch } from './history/history-search.js';
import { listSearch } from './list/list-search.js';
import { searchSearch } from './search/search-search.js';
import { signInSearch } from './sign-in/sign-in-search.js';
import { taxonomySearch } from './taxonomy/taxonomy-search.js';

const root = createRootRouteWithContext<{ readonly queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: Lost,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'login',
  validateSearch: signInSearch,
  component: lazyPage(() => import('./sign-in/sign-in-page.js'), 'SignInPage'),
});

/** Everything that needs a session. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  beforeLoad: async ({ location }) => {
    const to = location.href === '/' ? undefined : location.href;
    // A service that is away is no reason to sign in again: the page itself says what is wrong.
    const isSignedIn = await client.isSignedIn().catch(() => true);
    // Where one has ended, the sign-in is asked for over the page.
    if (!isSignedIn && !session.isEnded) throw redirect({ to: '/login', search: { to } });
  },
});

const start = createRoute({
  getParentRoute: () => inside,
  path: '/',
  component: NoTypes,
  beforeLoad: async ({ context }) => {
    const types = await context.queries.query({ ...typesQuery, staleTime: 'static' });
    const first = types.find(({ name }) => name === 'post') ?? types[0];
    if (first) throw redirect({ to: '/content/$type', params: { type: first.name }, search: listSearch({}) });
  },
});

const list = createRoute({
  getParentRoute: () => inside,
  path: 'content/$type',
  validateSearch: listSearch,
  component: lazyPage(() => import('./list/list-page.js'), 'ListPage'),
});

const editor = createRoute({
  getParentRoute: () => inside,
  path: 'content/$type/$id',
  component: lazyPage(() => import('./editor/editor-page.js'), 'EditorPage'),
});

const history = createRoute({
  getParentRoute: () => inside,
  path: 'content/$type/$id/history',
  validateSearch: historySearch,
  component: lazyPage(() => import('./history/history-page.js'), 'HistoryPage'),
});

const taxonomy = createRoute({
  getParentRoute: () => inside,
  path: 'taxonomy/$name',
  validateSearch: taxonomySearch,
  component: lazyPage(() => import('./taxonomy/taxonomy-page.js'), 'TaxonomyPage'),
});

const search = createRoute({
  getParentRoute: () => inside,
  path: 'search',
  validateSearch: searchSearch,
  component: lazyPage(() => import('./search/search-page.js'), 'SearchPage'),
});

export function makeRouter(queries: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([signIn, inside.addChildren([start, list, editor, history, taxonomy, search])]),
    basepath: place.path,
    context: { queries },
    defaultPreload: 'intent',
    defaultErrorComponent: PageFailure,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
