import { Avatar, Menu, UnstyledButton } from '@mantine/core';
import type { SignedInUser } from '@content-service/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Icon } from '../common/icons.js';
import { tellFailure } from '../common/telling.js';
import { place } from '../place.js';
import { session } from '../service.js';
import { words } from '../words.js';
import classes from './shell.module.css';

interface UserMenuProps {
  readonly user: SignedInUser;
  readonly onKeys: () => void;
}

/** The person who is signed in, and the way out. */
export function UserMenu({ user, onKeys }: UserMenuProps) {
  const initials = initialsOf(user.name);
  return (
    <Menu position="bottom-end" width={240} shadow="md" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton aria-label={`${initials}: ${words.nav.account}`} className={classes.account}>
          <Avatar size={32} color="ink">
            {initials}
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <span className={classes.userName}>{user.name}</span>
          <span>{user.email}</span>
          <span>{user.role}</span>
        </div>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="book" />} component="a" href={`${place.serviceUrl}api/docs`}>
          {words.nav.api}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="keyboard" />} onClick={onKeys}>
          {words.keys.title}
        </Menu.Item>
        <SignOut />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Asks first when something is not saved: the menu is drawn anew each time that it opens. */
function SignOut() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const signOut = async () => {
    try {
      await session.signOut();
    } catch (error) {
      tellFailure(error);
      return;
    }
    queries.clear();
    await navigate({ to: '/login', search: {} });
  };
  const leave = <Icon name="exit" />;
  if (!isAsked) {
    const tryTo = () => (session.unsaved.has() ? setAsked(true) : void signOut());
    return (
      <Menu.Item leftSection={leave} closeMenuOnClick={false} onClick={tryTo}>
        {words.nav.signOut}
      </Menu.Item>
    );
  }
  return (
    <>
      <Menu.Item leftSection={<Icon name="pen" />}>
        {words.nav.stay}
        <div className={classes.hint}>{words.nav.unsaved}</div>
      </Menu.Item>
      <Menu.Item leftSection={leave} onClick={() => void signOut()}>
        {words.nav.signOutAnyway}
      </Menu.Item>
    </>
  );
}

/** `Ann van der Lee` -> `AL` */
function initialsOf(name: string): string {
  const parts = name.trim().split(/\s+/);
  return [parts[0], parts.length > 1 ? parts.at(-1) : ''].map((part) => part?.slice(0, 1).toUpperCase()).join('');
}
