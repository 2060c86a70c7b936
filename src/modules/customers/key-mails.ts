import type { AnyTransaction } from '../../db/client/database.ts';
import type { Scope } from '../../domain/scope.ts';
import { mailOwners, type OwnerMailDeps } from './mail/mail-owners.ts';
import type { MailFacts } from './mail/texts/mail-texts.ts';

/** What keys are made, changed and told of with. */
export interface KeyDeps extends OwnerMailDeps {
  /** Where the key's page is: mails lead there. */
  readonly dashboardUrl: string;
}

type KeyMail = 'KEY_CREATED' | 'KEY_ROTATED' | 'KEY_REVOKED' | 'KEY_EXPIRING' | 'RANGE_DECIDED';
type OfKey = MailFacts<'KEY_CREATED'>;

/** Tells a customer's owners of one of its keys, in the transaction of what happened to it. */
export function mailAboutKey<Kind extends KeyMail>(
  deps: KeyDeps,
  tx: AnyTransaction,
  scope: Scope,
  mail: {
    readonly kind: Kind;
    readonly key: { readonly id: string; readonly name: string };
    readonly more: Omit<MailFacts<Kind>, keyof OfKey>;
  },
): Promise<string[]> {
  const { environment } = scope;
  const { id, name } = mail.key;
  const url = `${deps.dashboardUrl}/${environment}/keys/${id}`;
  const facts = { keyId: id, keyName: name, environment, url, ...mail.more };
  return mailOwners(deps, tx, scope.customerId, {
    kind: mail.kind,
    facts: facts,
  });
}
