import type { Transporter } from 'nodemailer';
import type { SmtpServer } from '../../config/mail-settings.js';
import type { Mail, MailComposer } from '../mail-composer.js';
import { MailRefusedError, MailTransport } from './mail-transport.js';

/** Connections that are kept, and so mails at a time. */
export const MAX_CONNECTIONS = 5;
/** For each step of a conversation. */
const STEP_MS = 10_000;
/** For all of it: a server that answers letter by letter would hold out for ever otherwise. */
const CONVERSATION_MS = 30_000;
/** Subjects of a refusal after which another attempt is of no use. A refused sender or password is for the operator to mend. */
const ABOUT_THIS_MAIL: readonly string[] = ['RCPT TO', 'DATA'];

/** Hands mails to a mail server. */
export class SmtpTransport extends MailTransport {
  readonly done = 'mail sent';

  private transporter: Promise<Transporter> | undefined;

  constructor(
    private readonly server: SmtpServer,
    private readonly composer: MailComposer,
  ) {
    super();
  }

  async send(mail: Mail): Promise<void> {
    const conversation = new AbortController();
    const limit = setTimeout(() => {
      conversation.abort();
    }, CONVERSATION_MS);
    try {
      this.transporter ??= this.connect();
      const transporter = await this.transporter;
      await transporter.sendMail({ ...this.composer.messageOf(mail), signal: conversation.signal });
    } catch (error) {
      if (conversation.signal.aborted) {
        throw new Error(`The mail server took longer than ${CONVERSATION_MS / 1_000} s.`, { cause: error });
      }
      throw isFinal(error) ? new MailRefusedError(error.message, { cause: error }) : error;
    } finally {
      clearTimeout(limit);
    }
  }

  override close(): void {
    void this.transporter?.then((transporter) => {
      transporter.close({ force: true });
    });
  }

  /** nodemailer is loaded with the first mail: most processes start without one. */
  private async connect(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    const { host, port, secure, requireTLS, verifiesCertificate, auth } = this.server;
    return createTransport({
      pool: true,
      host,
      port,
      secure,
      requireTLS,
      tls: { rejectUnauthorized: verifiesCertificate },
      ...(auth ? { auth: { ...auth } } : {}),
      maxConnections: MAX_CONNECTIONS,
      // A connection that the server has closed meanwhile is worth one more; everything else is for the queue to repeat.
      maxRequeues: 1,
      dnsTimeout: STEP_MS,
      connectionTimeout: STEP_MS,
      greetingTimeout: STEP_MS,
      socketTimeout: STEP_MS,
    });
  }
}

function isFinal(error: unknown): error is Error {
  const { permanent = false, command = '' } = error as { permanent?: boolean; command?: string };
  return permanent && ABOUT_THIS_MAIL.includes(command);
}
