import { personNameRow } from '../../../domain/customers/access/person-rows.ts';
import type { AuditRow } from '../../../db/operations/audit-list-store.ts';
import { ID_PREFIXES, isId } from '../../../domain/ids.ts';
import type { Vault } from '../../../vault/vault.ts';

const OPERATOR = /^operator:(opr_[0-9a-z]{26})$/;

/** Who did it, as a customer is told: its users by name, operators by their id alone. */
export function actorWord(vault: Pick<Vault, 'open'>, { actor, userName }: AuditRow): string {
  const userId = actor.startsWith('user:') ? actor.slice('user:'.length) : null;
  if (userId !== null) {
    return userName === null ? userId : vault.open(userName, personNameRow(userId)).toString();
  }
  const id = OPERATOR.exec(actor)?.[1];
  return id === undefined ? 'Operator' : `Operator ${id}`;
}

/** "webhook_endpoint.rotate_secret" as people read it: "Webhook endpoint: rotate secret". */
export function actionWord(action: string): string {
  const text = action.replaceAll('_', ' ').replace('.', ': ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const PAGES = [
  [ID_PREFIXES.webhookEndpoint, 'webhooks'],
  [ID_PREFIXES.apiKey, 'keys'],
  [ID_PREFIXES.payment, 'payments'],
  [ID_PREFIXES.endUser, 'end-users'],
] as const;

/** The page of what an entry is about; null where it has none. */
export function subjectHref({ environment, action, subject }: AuditRow): string | null {
  // A customer's own company is stored as an end-user of the platform account, whose page is the checklist.
  if (action.startsWith('company.')) return '/going-live';
  if (environment === null) return null;
  const page = PAGES.find(([prefix]) => isId(prefix, subject))?.[1];
  return page === undefined ? null : `/${environment}/${page}/${subject}`;
}
