import { writeMail } from '../../../src/modules/customers/mail/write-mail.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import type { Engine } from './engine-harness.ts';

/** The settings of an engine whose mails go to a port of this machine. */
export const smtpTo = (port: number): Record<string, string> => ({
  SMTP_HOST: '127.0.0.1',
  SMTP_PORT: String(port),
  SMTP_TLS: 'NONE',
  MAIL_FROM: 'Causeway <no-reply@causeway.example>',
});

/** A mail to an operator as a transaction leaves it: no one has been told of it. */
export const writeNotice = (engine: Engine, to = 'ada@partner.example'): Promise<string> =>
  engine.peopleDb.system((tx) =>
    writeMail(engine.resources, tx, {
      ...{ kind: 'OPS_APPROVAL_WAITING', to, customerId: null },
      facts: { approvalId: newId('apr'), what: 'live access', url: 'http://ops.localhost:8082/' },
    }),
  );

/** A code that an operator logs in with, good for so long. */
export const writeCode = (engine: Engine, code: string, to: string, lifeMs = 300_000) =>
  engine.peopleDb.system((tx) =>
    writeMail(engine.resources, tx, {
      ...{ kind: 'LOGIN_CODE', to, customerId: null },
      facts: { code, site: 'ops.localhost:8082', minutes: 5 },
      expiresAt: new Date(engine.resources.clock.now().getTime() + lifeMs),
    }),
  );
