import { isKnownDevice } from '../../../db/customers/device-store.ts';
import type { Database, SystemTransaction } from '../../../db/client/database.ts';
import { insertMailIfKnown } from '../../../db/customers/login-store.ts';
import { CODE_LIFE_MS, type CodeAsker } from '../../../domain/customers/access/login-code.ts';
import type { Clock } from '../../../domain/clock.ts';
import { ADDRESS_PURPOSE } from '../mail/mail-rows.ts';
import { composeMail } from '../mail/write-mail.ts';
import type { Vault } from '../../../vault/vault.ts';
import { hashDevice } from './devices.ts';
import { issueCode, takeCodeBudget, type LoginAttempt } from './login-codes.ts';

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

interface CodeRequest extends LoginAttempt {
  /** The device's cookie; null where the browser has none. */
  readonly device: string | null;
  /** The network that it comes from. */
  readonly network: string;
}

/**
 * Mails a code to an address, if that may log in; no one can tell whether it does, by the answer or by
 * what it takes. False where the hour's codes are spent. The browser's last code is over with it.
 */
export async function askForCode(
  deps: LoginDeps,
  request: CodeRequest,
  useForm: UseForm,
): Promise<boolean> {
  const sent = await deps.db.system(async (tx) => {
    await useForm(tx);
    const asker = await whoAsks(deps, tx, request);
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
    const isMailed = await insertMailIfKnown(tx, request.surface, mail);
    return { isAsked: true, mailId: isMailed ? mail.id : null };
  });
  if (sent.mailId !== null) deps.dispatchMail(sent.mailId);
  return sent.isAsked;
}

/** A device is known for the addresses of the people who have logged in with it, and for no other. */
async function whoAsks(
  { vault, clock }: LoginDeps,
  tx: SystemTransaction,
  { surface, address, device, network }: CodeRequest,
): Promise<CodeAsker> {
  const asker = {
    surface,
    addressHash: vault.keyedHash(ADDRESS_PURPOSE, address),
    deviceHash: hashDevice(vault, device ?? ''),
  };
  const isKnown = await isKnownDevice(tx, asker, clock.now());
  return isKnown && device !== null
    ? { kind: 'KNOWN_DEVICE', device }
    : { kind: 'STRANGER', address: `${surface}:${address}`, network };
}
