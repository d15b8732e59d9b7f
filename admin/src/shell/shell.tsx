import { AppShell, Burger } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { cleanNotifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { FailedNotice } from '../common/failed-notice.js';
import { Icon } from '../common/icons.js';
import { KeysSheetLoader } from '../keys/keys-sheet-loader.js';
import { useSingleKeys } from '../keys/use-single-keys.js';
import { place } from '../place.js';
import { meQuery } from '../queries.js';
import { PaletteButton } from '../search/palette-loader.js';
import { session } from '../service.js';
import { words } from '../words.js';
import { Navigation } from './navigation.js';
import { SchemeToggle } from './scheme-toggle.js';
import { SignInAgainLoader } from './sign-in-again-loader.js';
import classes from './shell.module.css';
import { UserMenu } from './user-menu.js';

/** The frame of each page for people who are signed in. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const me = useQuery(meQuery);
  const { pathname } = useLocation();
  useEffect(close, [pathname, close]);
  // What was said to one person is not for the next.
  useEffect(() => cleanNotifications, []);
  const isEnded = useEndOfSession();
  const [hasKeys, keys] = useDisclosure(false);
  const navigate = useNavigate();
  useSingleKeys({ '?': keys.open, 'g c': () => void navigate({ to: '/' }) });

  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      transitionDuration={120}
    >
      <a href="#content" className={classes.skip}>
        {words.skip}
      </a>
      <AppShell.Header className={classes.header}>
        <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={words.menu} />
        <span className={classes.brand}>
          <span className={classes.logo}>
            <Icon name="pen" size={15} />
          </span>
          {place.service}
        </span>
        <PaletteButton onKeys={keys.open} />
        <SchemeToggle />
        {me.data && <UserMenu user={me.data.user} onKeys={keys.open} />}
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} aria-label={words.menu}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="content" className={classes.main}>
        {me.isLoadingError ? (
          <FailedNotice title={words.editor.failed} error={me.error} onRetry={() => void me.refetch()} />
        ) : (
          <Outlet />
        )}
      </AppShell.Main>
      {hasKeys && <KeysSheetLoader onClose={keys.close} />}
      {isEnded && <SignInAgainLoader />}
    </AppShell>
  );
}

/** Tells whether the session has ended, and is to be opened again over this page. Signed out in another tab, it leads to the sign-in. */
function useEndOfSession(): boolean {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { href } = useLocation();
  useEffect(
    () =>
      session.listen((event) => {
        if (event === 'opened') void queries.invalidateQueries();
        if (event !== 'left') return;
        queries.clear();
        void navigate({ to: '/login', search: { to: href } });
      }),
    [navigate, queries, href],
  );
  return useSyncExternalStore(session.listen, () => session.isEnded);
}
