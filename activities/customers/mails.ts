import { sendMail, type SendMailDeps } from '../../src/modules/customers/mail/send-mail.ts';
import type { MailActivities } from '../types.ts';

/** What mails need of the world. */
export function createMailActivities(deps: SendMailDeps): MailActivities {
  return { sendMail: ({ mailId }) => sendMail(deps, mailId) };
}
