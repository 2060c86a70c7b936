import type { AccessRequestRow } from '../../../db/customers/access-request-store.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import { countMailsSince, lockMailsOfRequests } from '../../../db/customers/mail-store.ts';
import { REMINDER_DAYS } from '../../../domain/customers/access/access-request.ts';
import type { Clock } from '../../../domain/clock.ts';
import { ADDRESS_PURPOSE } from '../mail/mail-rows.ts';
import { writeMail } from '../mail/write-mail.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import type { Vault } from '../../../vault/vault.ts';
import { openDetails } from './access-request-details.ts';
import { tellOperators } from './tell-operators.ts';

interface TellDeps {
  readonly vault: KeyedHashes & Pick<Vault, 'seal' | 'sealJson' | 'open' | 'openJson'>;
  readonly clock: Clock;
  readonly opsUrl: string;
}

const DAY_MS = 24 * 3_600_000;
const RIGHT = 'decide-requests';

/**
 * Writes the receipt, unless the address had one within a day, and a notice to operators. Answers the
 * mails' ids. Requests are told of one after the other: two at once would both find no receipt.
 */
export async function tellOfRequest(
  deps: TellDeps,
  tx: SystemTransaction,
  request: AccessRequestRow,
): Promise<string[]> {
  await lockMailsOfRequests(tx);
  const receipts = await writeReceipt(deps, tx, request);
  const facts = { requestId: request.id, url: urlOf(deps, request) };
  const notice = { right: RIGHT, kind: 'OPS_REQUEST_RECEIVED', facts } as const;
  return [...receipts, ...(await tellOperators(deps, tx, notice))];
}

/** Writes the notice that no one has decided for two days. */
export async function remindOfRequest(
  deps: TellDeps,
  tx: SystemTransaction,
  request: AccessRequestRow,
): Promise<string[]> {
  await lockMailsOfRequests(tx);
  const facts = { requestId: request.id, days: REMINDER_DAYS, url: urlOf(deps, request) };
  return tellOperators(deps, tx, { right: RIGHT, kind: 'OPS_REQUEST_WAITING', facts });
}

const urlOf = ({ opsUrl }: TellDeps, { id }: AccessRequestRow): string =>
  `${opsUrl}/requests/${id}`;

async function writeReceipt(
  deps: TellDeps,
  tx: SystemTransaction,
  request: AccessRequestRow,
): Promise<string[]> {
  const told = openDetails(deps.vault, request);
  if (told === null || request.addressHash === null) return [];
  const addressHashes = deps.vault.keyedHashes(ADDRESS_PURPOSE, told.address);
  const kind = 'REQUEST_RECEIVED';
  const since = new Date(deps.clock.now().getTime() - DAY_MS);
  if ((await countMailsSince(tx, { kind, addressHashes }, since)) > 0) return [];
  const facts = { requestId: request.id };
  return [await writeMail(deps, tx, { kind, to: told.address, customerId: null, facts })];
}
