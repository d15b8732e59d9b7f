import { Alert } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../common/icons.js';
import type { SignInMethods } from '../queries.js';
import { client, type session } from '../service.js';
import { signInFailure } from './sign-in-failure.js';

/** Opens a session by a proof of who one is, and goes on from there. */
export type Prove = typeof session.signIn;

/** One attempt at a time, and why the last one failed. */
export function useAttempt() {
  const [busy, setBusy] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  /** @returns whether it worked */
  async function attempt(name: string, work: () => Promise<void>): Promise<boolean> {
    setBusy(name);
    setFailure(null);
    try {
      await work();
      return true;
    } catch (error) {
      setFailure(signInFailure(error));
      return false;
    } finally {
      setBusy(null);
    }
  }
  return { busy, failure, attempt };
}

/** The reason why an attempt failed, and what to do. */
export function FailedAttempt({ failure }: { readonly failure: string | null }) {
  return (
    failure !== null && (
      <Alert role="alert" color="red" variant="light" icon={<Icon name="alert" />}>
        {failure}
      </Alert>
    )
  );
}

/** Asks for the mail that signs in. */
export async function sendMail({ otp }: SignInMethods, email: string): Promise<void> {
  await client.open('POST', otp ? '/api/auth/otp/send' : '/api/auth/magic-link', { body: { email } });
}
