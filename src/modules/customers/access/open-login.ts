import type { SystemTransaction } from '../../../db/client/database.ts';
import type { Surface } from '../../../domain/customers/access/rights.ts';
import { writeMail } from '../mail/write-mail.ts';
import type { LoginDeps } from './ask-for-code.ts';
import { keepDevice, newDevice } from './devices.ts';
import { recordPersonAct } from './person-audit.ts';
import { openSession } from './sessions.ts';

export interface OpenedLogin {
  readonly kind: 'IN';
  /** Of the session, for the browser alone. */
  readonly token: string;
  /** The name of the browser, new or as it gave it. */
  readonly device: string;
}

interface ProvenLogin {
  readonly surface: Surface;
  /** Where the person reads mails. */
  readonly address: string;
  /** As "Firefox on Linux". */
  readonly browserName: string;
  /** The device's cookie; null where the browser has none. */
  readonly device: string | null;
  /** What the login rests on, for the audit log. */
  readonly how: Readonly<Record<string, unknown>>;
}

/**
 * Opens the session of a person who has shown who they are and is locked in this transaction. A browser that was not
 * here before is told to them by mail: its ID is added to `mails`. OVER: the person is not ACTIVE.
 */
export async function openLogin(
  deps: LoginDeps,
  tx: SystemTransaction,
  { surface, address, browserName, device: known, how }: ProvenLogin,
  { id: personId, customerId }: { readonly id: string; readonly customerId: string | null },
  mails: string[],
): Promise<OpenedLogin | { readonly kind: 'OVER' }> {
  const at = deps.clock.now();
  const token = await openSession(deps, tx, { surface, personId, browser: browserName });
  if (token === null) return { kind: 'OVER' };
  const device = known ?? newDevice();
  const isNew = await keepDevice(deps, tx, personId, device);
  if (isNew) {
    const facts = { at, browser: browserName, sessionsUrl: `${deps.origin}/settings` };
    const mail = { kind: 'NEW_DEVICE', to: address, customerId, facts } as const;
    mails.push(await writeMail(deps, tx, mail));
  }
  await recordPersonAct(
    tx,
    at,
    { id: personId, customerId },
    { action: 'session.open', details: { browser: browserName, isNewDevice: isNew, ...how } },
  );
  return { kind: 'IN', token, device };
}
