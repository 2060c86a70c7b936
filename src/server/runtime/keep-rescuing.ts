import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { MailDispatch } from '../../modules/customers/mail/dispatch-mails.ts';
import { codeOf } from './resources.ts';

const EVERY_MS = 5_000;

/** Looks for mails that no one tries until told to stop: while Temporal is down its reconciler is, too. */
export async function keepRescuing(
  mails: Pick<MailDispatch, 'rescue'>,
  log: Pick<Logger, 'warn'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await pause(EVERY_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await mails.rescue().catch((error: unknown) => {
      log.warn({ code: codeOf(error) }, 'mails that wait could not be looked for');
    });
  }
}
