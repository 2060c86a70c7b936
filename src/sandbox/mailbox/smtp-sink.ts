import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { SandboxLog } from '../sandbox-log.ts';

const MAIL_BYTES_MAX = 1_048_576;
const CLIENTS_MAX = 50;
const IDLE_MS_MAX = 60_000;

type TakeMail = (
  bytes: Buffer,
  envelope: { readonly from: string; readonly to: readonly string[] },
) => Promise<void>;

interface SmtpSink {
  /** Port 0 takes a free one. Resolves to the port. */
  listen(port: number, host?: string): Promise<number>;
  close(): Promise<void>;
}

/** Takes every mail to any address, without TLS or a login: for loopback. A mail over 1 MiB is refused (552). */
export function createSmtpSink(take: TakeMail, log: SandboxLog): SmtpSink {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAIL_BYTES_MAX,
    maxClients: CLIENTS_MAX,
    socketTimeout: IDLE_MS_MAX,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      let bytes = 0;
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        // Read on without keeping it, or the sender would wait for ever.
        if (bytes <= MAIL_BYTES_MAX) chunks.push(chunk);
      });
      stream.on('end', () => {
        if (bytes > MAIL_BYTES_MAX) {
          done(Object.assign(new Error('the mail is too long'), { responseCode: 552 }));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        const to = rcptTo.map(({ address }) => address);
        take(Buffer.concat(chunks), { from, to }).then(
          () => {
            done();
          },
          (error: unknown) => {
            log.warn({ reason: String(error) }, 'Sandbox: email could not be read');
            done(new Error('The mail could not be read.'));
          },
        );
      });
    },
  });
  server.on('error', (error) => {
    log.warn({ reason: error.message }, 'Sandbox: SMTP connection failed');
  });
  return {
    async listen(port, host = '127.0.0.1') {
      await new Promise<void>((resolve, reject) => {
        server.server.once('error', reject);
        server.listen(port, host, () => {
          server.server.off('error', reject);
          resolve();
        });
      });
      return (server.server.address() as AddressInfo).port;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
}
