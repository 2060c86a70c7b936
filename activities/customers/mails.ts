import type { MailStep } from '../../src/domain/customers/mail/mail-step.ts';
import type { MailRef } from '../../src/domain/workflows/work-refs.ts';
import { sendMail, type SendMailDeps } from '../../src/modules/customers/mail/send-mail.ts';

/** What mails need of the world. */
export function createMailActivities(deps: SendMailDeps) {
  return {
    /** Tries a mail once, if it is due and no one else is at it. */
    sendMail: ({ mailId }: MailRef): Promise<MailStep> => sendMail(deps, mailId),
  };
}
