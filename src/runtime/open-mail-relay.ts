import type { Config } from '../config/config.ts';
import type { MailRelay } from '../domain/mail/mail-relay.ts';
import { NO_RELAY } from '../providers/mail/no-relay.ts';
import { createSmtpRelay } from '../providers/mail/smtp-relay.ts';

/** The relay that the settings name. */
export const openMailRelay = ({ mail }: Pick<Config, 'mail'>): MailRelay =>
  mail === undefined ? NO_RELAY : createSmtpRelay(mail);
