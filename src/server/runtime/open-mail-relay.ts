import type { Config } from '../config/config.ts';
import type { MailRelay } from '../../domain/customers/mail/mail-relay.ts';
import { createSmtpRelay } from '../../adapters/mail/smtp-relay.ts';

/** Where no relay is set: mails wait, and expire unless one is set in time. */
const NO_RELAY: MailRelay = {
  send: () => Promise.resolve({ kind: 'LATER', code: 'NO_RELAY' }),
};

/** The relay that the settings name. */
export const openMailRelay = ({ mail }: Pick<Config, 'mail'>): MailRelay =>
  mail === undefined ? NO_RELAY : createSmtpRelay(mail);
