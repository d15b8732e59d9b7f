import { Button, Code, Divider, PasswordInput, TextInput } from '@mantine/core';
import { useRef, useState, type RefObject } from 'react';
import { Icon } from '../common/icons.js';
import type { SignInMethods } from '../queries.js';
import { words } from '../words.js';
import { FailedAttempt, sendMail, useAttempt, type Prove } from './attempt.js';
import { goToProvider } from './provider-flow.js';
import classes from './sign-in.module.css';

const t = words.signIn;
/** The address is remembered, and nothing else. */
const EMAIL = 'console.email';

interface WaysFormProps {
  readonly methods: SignInMethods;
  /** The address of who signs in again over a page, which must not be left. */
  readonly again?: string;
  readonly prove: Prove;
  /** A mail was asked for with this address. */
  readonly onMailed: (email: string) => void;
}

/** All ways to sign in that the service offers, the quickest first. */
export function WaysForm({ methods, again, prove, onMailed }: WaysFormProps) {
  const [email, setEmail] = useState(() => again ?? localStorage.getItem(EMAIL) ?? '');
  const [password, setPassword] = useState('');
  const { busy, failure, attempt } = useAttempt();
  const form = useRef<HTMLFormElement>(null);
  const hasMail = methods.otp || methods.magic_link;

  const send = () =>
    attempt('mail', async () => {
      localStorage.setItem(EMAIL, email);
      await sendMail(methods, email);
      onMailed(email);
    });
  const signIn = () =>
    attempt('password', async () => {
      localStorage.setItem(EMAIL, email);
      await prove('password', { email, password });
    });

  return (
    <form
      ref={form}
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        void (methods.password ? signIn() : send());
      }}
    >
      <FailedAttempt failure={failure} />
      {(methods.password || hasMail) && <EmailInput value={email} onChange={setEmail} />}
      {methods.password && (
        <PasswordPart value={password} isFirst={email !== ''} isBusy={busy === 'password'} onChange={setPassword} />
      )}
      {methods.password && (hasMail || methods.providers.length > 0) && <Divider label={t.or} />}
      {hasMail && <MailButton methods={methods} isBusy={busy === 'mail'} form={form} onSend={() => void send()} />}
      <Providers providers={methods.providers} isAside={again !== undefined} />
      {again === undefined && (
        <p className={classes.hint}>
          {t.noAccount} <Code>{t.command}</Code>
        </p>
      )}
    </form>
  );
}

interface InputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function EmailInput({ value, onChange }: InputProps) {
  const [isFirst] = useState(value === '');
  return (
    <TextInput
      label={t.email}
      type="email"
      autoComplete="username"
      required
      withAsterisk={false}
      autoFocus={isFirst}
      size="md"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface PasswordPartProps extends InputProps {
  /** True if it is what is left to type. */
  readonly isFirst: boolean;
  readonly isBusy: boolean;
}

function PasswordPart({ value, isFirst, isBusy, onChange }: PasswordPartProps) {
  const [hasFocus] = useState(isFirst);
  return (
    <>
      <PasswordInput
        label={t.password}
        autoComplete="current-password"
        required
        withAsterisk={false}
        autoFocus={hasFocus}
        data-autofocus={hasFocus || undefined}
        size="md"
        visibilityToggleButtonProps={{ 'aria-label': t.showPassword }}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Button type="submit" size="md" loading={isBusy}>
        {t.submit}
      </Button>
    </>
  );
}

interface MailButtonProps {
  readonly methods: SignInMethods;
  readonly isBusy: boolean;
  readonly form: RefObject<HTMLFormElement | null>;
  readonly onSend: () => void;
}

/** Beside a password a second button, which needs the address alone; without one the button of the form. */
function MailButton({ methods, isBusy, form, onSend }: MailButtonProps) {
  const ask = () => {
    const address = form.current?.querySelector<HTMLInputElement>('[type=email]');
    if (address?.reportValidity() === true) onSend();
  };
  return (
    <Button
      size="md"
      type={methods.password ? 'button' : 'submit'}
      variant={methods.password ? 'default' : 'filled'}
      leftSection={<Icon name="mail" />}
      loading={isBusy}
      onClick={methods.password ? ask : undefined}
    >
      {methods.otp ? t.sendCode : t.sendLink}
    </Button>
  );
}

interface ProvidersProps extends Pick<SignInMethods, 'providers'> {
  /** True if they open in another tab. */
  readonly isAside: boolean;
}

function Providers({ providers, isAside }: ProvidersProps) {
  return providers.map(({ name, label }) => (
    <Button
      key={name}
      size="md"
      variant="default"
      rightSection={isAside && <Icon name="open" />}
      onClick={() => void goToProvider(name, isAside)}
    >
      {t.withProvider(label)}
    </Button>
  ));
}
