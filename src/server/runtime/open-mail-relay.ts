import type { Config } from '../config/config.ts';
import type { MailRelay } from '../../domain/customers/mail/mail-relay.ts';
import { NO_RELAY } from '../../adapters/mail/no-relay.ts';
import { createSmtpRelay } from '../../adapters/mail/smtp-relay.ts';

/** The relay that the settings name. */
export const openMailRelay = ({ mail }: Pick<Config, 'mail'>): MailRelay =>
  mail === undefined ? NO_RELAY : createSmtpRelay(mail);
