import type { SystemTransaction } from '../../../db/client/database.ts';
import { countMailsSince } from '../../../db/customers/mail-store.ts';
import { listOperatorAddresses } from '../../../db/customers/person-store.ts';
import {
  OPERATOR_RIGHTS,
  type OperatorRight,
} from '../../../domain/customers/access/operator-rights.ts';
import type { Clock } from '../../../domain/clock.ts';
import { ADDRESS_PURPOSE } from '../mail/mail-rows.ts';
import type { MailFacts } from '../mail/texts/mail-texts.ts';
import { writeMail } from '../mail/write-mail.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import type { Vault } from '../../../vault/vault.ts';
import { personAddressRow } from '../../../domain/customers/access/person-rows.ts';

/** Operators that a notice goes to, and notices of one kind that one of them gets in an hour. */
const OPERATORS_MAX = 100;
const NOTICES_MAX = 10;
const HOUR_MS = 3_600_000;

type NoticeKind = 'OPS_REQUEST_RECEIVED' | 'OPS_REQUEST_WAITING';

/**
 * Writes a notice to every operator who may log in and has a right; answers the mails' ids. One who got ten
 * of the kind within the hour gets no more of them: strangers cause these mails, and the list shows all.
 */
export async function tellOperators<Kind extends NoticeKind>(
  deps: {
    readonly vault: KeyedHashes & Pick<Vault, 'seal' | 'sealJson' | 'open'>;
    readonly clock: Clock;
  },
  tx: SystemTransaction,
  notice: {
    readonly right: OperatorRight;
    readonly kind: Kind;
    readonly facts: MailFacts<Kind>;
  },
): Promise<string[]> {
  const { vault, clock } = deps;
  const since = new Date(clock.now().getTime() - HOUR_MS);
  const { roles } = OPERATOR_RIGHTS[notice.right];
  const mailIds: string[] = [];
  for (const { id, address } of await listOperatorAddresses(tx, roles, OPERATORS_MAX)) {
    const to = vault.open(address, personAddressRow(id)).toString();
    const addressHashes = vault.keyedHashes(ADDRESS_PURPOSE, to);
    const { kind, facts } = notice;
    if ((await countMailsSince(tx, { kind, addressHashes }, since)) >= NOTICES_MAX) continue;
    mailIds.push(await writeMail(deps, tx, { kind, to, customerId: null, facts }));
  }
  return mailIds;
}
