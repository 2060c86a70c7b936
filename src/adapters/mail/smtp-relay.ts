import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type {
  MailRelay,
  OutgoingMail,
  RelayOutcome,
} from '../../domain/customers/mail/mail-relay.ts';

export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** STARTTLS: refused where the relay does not offer it. NONE: for this machine only. */
  readonly tls: 'STARTTLS' | 'TLS' | 'NONE';
  readonly login?: { readonly user: string; readonly password: string };
  /** An address, or `Name <address>`. */
  readonly from: string;
}

/** The whole of an answer; a relay says a line or two. */
const ANSWER_BYTES_MAX = 65_536;

/** A try's end is the first of these, and nothing is left of it then. */
type Finish = (outcome: RelayOutcome) => void;

/** A relay that is spoken to by SMTP (RFC 5321), a connection a mail. */
export function createSmtpRelay(settings: SmtpSettings): MailRelay {
  return {
    async send(mail, timeoutMs) {
      if (timeoutMs <= 0) return later('TIMED_OUT');
      try {
        const bytes = await compose(mail, settings.from);
        return await handOver(settings, mail.to, bytes, timeoutMs);
      } catch {
        return later('UNKNOWN');
      }
    },
  };
}

const later = (code: string): RelayOutcome => ({ kind: 'LATER', code });

/** The domain of the sender, which names who made a Message-ID. */
const domainOf = (from: string): string => /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost';
const pathOf = (from: string): string => /<([^>]+)>/.exec(from)?.[1] ?? from;

async function compose(mail: OutgoingMail, from: string): Promise<Buffer> {
  const { id, to, subject, text, html } = mail;
  const composer = new MailComposer({
    ...{ from, to, subject, text, html },
    messageId: `<${id}@${domainOf(from)}>`,
    // So that no vacation notice answers (RFC 3834).
    headers: { 'auto-submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

function handOver(
  settings: SmtpSettings,
  to: string,
  bytes: Buffer,
  timeoutMs: number,
): Promise<RelayOutcome> {
  return new Promise((resolve) => {
    const connection = new SMTPConnection({
      host: settings.host,
      port: settings.port,
      secure: settings.tls === 'TLS',
      requireTLS: settings.tls === 'STARTTLS',
      ignoreTLS: settings.tls === 'NONE',
      ...{ connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
      dnsTimeout: timeoutMs,
      socketCloseTimeout: 0,
      maxResponseSize: ANSWER_BYTES_MAX,
      logger: false,
      // Said here, no variable of the process turns it off.
      tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true },
    });
    // Of the whole, not of one silence: a relay that says a byte a second holds no one up for ever.
    const timer = setTimeout(() => {
      finish(later('TIMED_OUT'));
    }, timeoutMs);
    const finish: Finish = (outcome) => {
      clearTimeout(timer);
      resolve(outcome);
      connection.close();
    };
    // A connection that ends has said so by an error before; else it is the answer.
    connection.on('error', (error) => {
      finish(outcomeOf(error));
    });
    connection.once('end', () => {
      finish(later('CONNECTION_LOST'));
    });
    const send = () => {
      const envelope = { from: pathOf(settings.from), to: [to] };
      connection.send(envelope, bytes, (error) => {
        finish(error === null || error === undefined ? { kind: 'ACCEPTED' } : outcomeOf(error));
      });
    };
    connection.connect((error) => {
      const { login } = settings;
      if (error !== undefined && error !== null) finish(outcomeOf(error));
      else if (login === undefined) send();
      else {
        const credentials = { user: login.user, pass: login.password };
        connection.login({ credentials }, (refused) => {
          if (refused === null || refused === undefined) send();
          else finish(outcomeOf(refused));
        });
      }
    });
  });
}

/** What refused the mail itself; any other 5xx is about us, as a wrong password, and may be mended. */
const OF_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);
const OURS = /^E[A-Z]{2,30}$/;

function outcomeOf(error: unknown): RelayOutcome {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const name = typeof code === 'string' && OURS.test(code) ? code : 'EUNKNOWN';
  if (typeof responseCode !== 'number') return later(name);
  const said = `SMTP_${String(responseCode)}`;
  const isFinal = responseCode >= 500 && responseCode < 600 && OF_THE_MAIL.has(name);
  return isFinal ? { kind: 'REFUSED', code: said } : later(said);
}
