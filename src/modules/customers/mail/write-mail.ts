import type { AnyTransaction } from '../../../db/client/database.ts';
import { insertMail, type NewMail } from '../../../db/customers/mail-store.ts';
import { newId } from '../../../db/client/new-id.ts';
import type { Clock } from '../../../domain/clock.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import { MAIL_LIFE_MS } from '../../../domain/customers/mail/mail-life.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import type { Vault } from '../../../vault/vault.ts';
import { ADDRESS_PURPOSE, addressRow, contentsRow } from './mail-rows.ts';
import type { MailText } from './mail-text.ts';
import { renderMail } from './render-mail.tsx';
import { MAIL_TEXTS, type MailFacts, type MailKind } from './texts/mail-texts.ts';

interface MailOrder<Kind extends MailKind> {
  readonly kind: Kind;
  /** As `readEmailAddress` answers it. */
  readonly to: string;
  /** Whose user that is; null: an operator, or a person who is no user yet. */
  readonly customerId: string | null;
  readonly facts: MailFacts<Kind>;
  /** After which it is of no use, as a code; 24 hours from now unless given. */
  readonly expiresAt?: Date;
}

interface MailDeps {
  readonly vault: KeyedHashes & Pick<Vault, 'seal' | 'sealJson'>;
  readonly clock: Clock;
}

/**
 * Writes a mail in the transaction of what it tells of: both are, or neither. Answers its id, which the
 * caller hands to `MailDispatch` once the transaction has committed; where it cannot, the reconciler does.
 */
export async function writeMail<Kind extends MailKind>(
  deps: MailDeps,
  tx: AnyTransaction,
  order: MailOrder<Kind>,
): Promise<string> {
  const mail = composeMail(deps, order);
  await insertMail(tx, mail);
  return mail.id;
}

/** A mail as it is stored, rendered and sealed; stored nowhere yet. */
export function composeMail<Kind extends MailKind>(
  deps: MailDeps,
  order: MailOrder<Kind>,
): NewMail {
  const { vault } = deps;
  const now = deps.clock.now();
  const id = newId(ID_PREFIXES.mail);
  const toText = MAIL_TEXTS[order.kind] as (facts: MailFacts<Kind>) => MailText;
  return {
    id,
    customerId: order.customerId,
    kind: order.kind,
    addressHash: vault.keyedHash(ADDRESS_PURPOSE, order.to),
    address: vault.seal(Buffer.from(order.to), addressRow(id)),
    contents: vault.sealJson(renderMail(toText(order.facts)), contentsRow(id)),
    createdAt: now,
    expiresAt: order.expiresAt ?? new Date(now.getTime() + MAIL_LIFE_MS),
  };
}
