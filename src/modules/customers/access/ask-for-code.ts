import type { Database, SystemTransaction } from '../../../db/client/database.ts';
import { insertMailIfKnown } from '../../../db/customers/login-store.ts';
import { CODE_LIFE_MS } from '../../../domain/customers/access/login-code.ts';
import type { Clock } from '../../../domain/clock.ts';
import { ADDRESS_PURPOSE } from '../mail/mail-rows.ts';
import { composeMail } from '../mail/write-mail.ts';
import type { Vault } from '../../../vault/vault.ts';
import { findAsker, type LoginFrom } from './code-asker.ts';
import { hasCodeBudget, issueCode, takeCodeBudget } from './login-codes.ts';

export interface LoginDeps {
  readonly db: Pick<Database, 'system'>;
  readonly vault: Vault;
  readonly clock: Clock;
  /** Hands a mail on whose transaction has committed. */
  readonly dispatchMail: (mailId: string) => void;
  /** Scheme and host under which people log in. */
  readonly origin: string;
}

/** Uses the form that was sent, in the transaction of what it does. */
export type UseForm = (tx: SystemTransaction) => Promise<void>;

/**
 * Mails a code to an address, if that may log in; no one can tell whether it does, by the answer or by
 * what it takes. False where the hour's codes are spent. The browser's last code is over with it.
 */
export async function askForCode(
  deps: LoginDeps,
  request: LoginFrom,
  useForm: UseForm,
): Promise<boolean> {
  const sent = await deps.db.system(async (tx) => {
    const asker = await findAsker(deps, tx, request);
    // Before anything is written: a request that is refused waits for no row that another one holds.
    if (!(await hasCodeBudget(deps, tx, asker))) return { isAsked: false, mailId: null };
    await useForm(tx);
    // What was taken is committed though nothing is left: it stays taken.
    if (!(await takeCodeBudget(deps, tx, asker))) return { isAsked: false, mailId: null };
    const { code, expiresAt } = await issueCode(deps, tx, request);
    const mail = composeMail(deps, {
      kind: 'LOGIN_CODE',
      to: request.address,
      // An address may be that of users of several customers.
      customerId: null,
      facts: { code, site: new URL(deps.origin).host, minutes: CODE_LIFE_MS / 60_000 },
      expiresAt,
    });
    const hashes = deps.vault.keyedHashes(ADDRESS_PURPOSE, request.address);
    const isMailed = await insertMailIfKnown(tx, request.surface, mail, hashes);
    return { isAsked: true, mailId: isMailed ? mail.id : null };
  });
  if (sent.mailId !== null) deps.dispatchMail(sent.mailId);
  return sent.isAsked;
}
