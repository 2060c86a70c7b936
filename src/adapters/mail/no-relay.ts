import type { MailRelay } from '../../domain/customers/mail/mail-relay.ts';

/** Where no relay is set: mails wait, and expire unless one is set in time. */
export const NO_RELAY: MailRelay = {
  send: () => Promise.resolve({ kind: 'LATER', code: 'NO_RELAY' }),
};
