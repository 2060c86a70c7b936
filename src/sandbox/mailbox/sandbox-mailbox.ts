import type { Clock } from '../../domain/clock.ts';
import type { SandboxLog } from '../sandbox-log.ts';
import { createSandboxServer } from '../sandbox-server.ts';
import { createCaughtMails } from './caught-mail.ts';
import { createMailboxRoutes } from './mailbox-routes.ts';
import { readMail } from './read-mail.ts';
import { createSmtpSink } from './smtp-sink.ts';

export interface SandboxMailbox {
  /** Ports of 0 take free ones. Resolves to the pages' URL, which has no slash at its end. */
  listen(
    ports: { readonly smtp: number; readonly http: number },
    host?: string,
  ): Promise<{ readonly url: string; readonly smtpPort: number }>;
  close(): Promise<void>;
}

/**
 * The sandbox's mailbox: takes every mail by SMTP and shows it on pages and by the routes of Mailpit.
 * Nothing leaves it. It keeps the newest 1,000, in memory: they are gone when it ends.
 */
export function createSandboxMailbox(deps: {
  readonly clock: Clock;
  readonly log: SandboxLog;
}): SandboxMailbox {
  const mails = createCaughtMails();
  const sink = createSmtpSink(async (bytes, envelope) => {
    mails.add(await readMail(bytes, envelope, deps.clock.now()));
  }, deps.log);
  const server = createSandboxServer(createMailboxRoutes(mails), deps.log);
  return {
    async listen({ smtp, http }, host) {
      const smtpPort = await sink.listen(smtp, host);
      return { url: await server.listen(http, host), smtpPort };
    },
    async close() {
      await sink.close();
      await server.close();
    },
  };
}
