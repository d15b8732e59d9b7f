import { Alert, Button, PinInput } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../common/icons.js';
import type { SignInMethods } from '../queries.js';
import { words } from '../words.js';
import { FailedAttempt, sendMail, useAttempt, type Prove } from './attempt.js';
import classes from './sign-in.module.css';

const t = words.signIn;
const DIGITS = 6;

interface CodeFormProps {
  readonly methods: SignInMethods;
  readonly email: string;
  readonly prove: Prove;
  readonly onBack: () => void;
}

/** Takes the code of a mail: typed or pasted, it is sent as soon as it is complete. */
export function CodeForm({ methods, email, prove, onBack }: CodeFormProps) {
  const [code, setCode] = useState('');
  /** Another one begins in the first box. */
  const [aTry, setTry] = useState(1);
  const { busy, failure, attempt } = useAttempt();

  const verify = (complete: string) =>
    attempt('code', async () => {
      try {
        await prove('code', { email, code: complete });
      } catch (error) {
        setCode('');
        setTry((n) => n + 1);
        throw error;
      }
    });

  return (
    <div className={classes.form}>
      <FailedAttempt failure={failure} />
      {methods.otp && <h2 className={classes.subtitle}>{t.codeTitle}</h2>}
      <p className={classes.text}>{methods.otp ? t.codeText(email) : t.linkText(email)}</p>
      {methods.otp && (
        <PinInput
          key={aTry}
          length={DIGITS}
          type="number"
          size="lg"
          oneTimeCode
          autoFocus
          ariaLabel={t.codeBox}
          className={classes.code}
          readOnly={busy === 'code'}
          error={failure !== null}
          value={code}
          onChange={setCode}
          onComplete={(complete) => void verify(complete)}
        />
      )}
      {!methods.mail && (
        <Alert color="yellow" variant="light" icon={<Icon name="inbox" />}>
          {t.noMail}
        </Alert>
      )}
      <div className={classes.row}>
        <Button variant="default" leftSection={<Icon name="left" />} onClick={onBack}>
          {t.back}
        </Button>
        <Button
          variant="subtle"
          loading={busy === 'again'}
          onClick={() => void attempt('again', () => sendMail(methods, email))}
        >
          {t.another}
        </Button>
      </div>
    </div>
  );
}
