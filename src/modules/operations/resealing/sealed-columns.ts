import { idempotencyRow } from '../../../db/idempotency/idempotency-store.ts';
import type { RowKey, SealedColumn } from '../../../db/operations/reseal-store.ts';
import { batchItemRow } from '../../../db/payments/payment-batch-item-store.ts';
import {
  addressChangeRow,
  personAddressRow,
  personNameRow,
} from '../../../domain/customers/access/person-rows.ts';
import { keyRow } from '../../../vault/owner-key.ts';
import { detailsRow } from '../../customers/access/access-request-details.ts';
import { addressRow, contentsRow } from '../../customers/mail/mail-rows.ts';
import { bankAccountRow } from '../../parties/bank-accounts/bank-account-personal.ts';
import { endUserRow } from '../../parties/end-users/end-user-personal.ts';
import { kycDocumentRow } from '../../parties/kyc/keep-kyc-upload.ts';
import { kycCheckRow } from '../../parties/kyc/kyc-link.ts';
import { screeningCaseRow } from '../../parties/screening/case-personal.ts';
import { walletRow } from '../../parties/wallets/wallet-vasp.ts';
import { paymentRow } from '../../payments/payment-personal.ts';
import { attemptRow } from '../../payments/ready-attempt.ts';
import { travelRuleRow } from '../../payments/travel-rule.ts';
import { answerRow } from '../../webhooks/attempt-answer.ts';
import { signingKeysRow } from '../../webhooks/endpoint-keys.ts';
import { secretRow } from '../../webhooks/endpoint-secret.ts';

/** A sealed column, and the name of the row that its value is sealed for. */
export interface NamedSealedColumn extends SealedColumn {
  readonly rowOf: (key: RowKey) => string;
}

/** A column of a table whose primary key is one text. */
const byId = (
  place: `${string}.${string}`,
  rowOf: (id: string) => string,
  id = 'id',
): NamedSealedColumn => {
  const [table = '', column = ''] = place.split('.');
  return { table, column, key: { [id]: 'text' }, rowOf: ([value = '']) => rowOf(value) };
};

/**
 * Every column that holds what the vault sealed: under its own keys, or under the key of an end-user, which is itself in
 * `end_user_keys`. The migrations grant the role causeway_resealer the same columns.
 */
export const SEALED_COLUMNS: readonly NamedSealedColumn[] = [
  byId('end_user_keys.wrapped_key', keyRow, 'end_user_id'),
  byId('users.address', personAddressRow),
  byId('users.name', personNameRow),
  byId('operators.address', personAddressRow),
  byId('operators.name', personNameRow),
  byId('address_changes.address', addressChangeRow, 'person_id'),
  byId('access_requests.details', detailsRow),
  byId('mails.address', addressRow),
  byId('mails.contents', contentsRow),
  byId('webhook_endpoints.secret', secretRow),
  byId('webhook_endpoints.signing_keys', signingKeysRow),
  {
    ...{ table: 'webhook_attempts', column: 'answer' },
    key: { endpoint_id: 'text', event_id: 'text', id: 'bigint' },
    rowOf: ([endpointId = '', eventId = '']) => answerRow({ endpointId, eventId }),
  },
  {
    ...{ table: 'payment_batch_items', column: 'sealed' },
    key: { batch_id: 'text', item_index: 'integer' },
    rowOf: ([batchId = '', index = '']) => batchItemRow(batchId, Number(index)),
  },
  {
    ...{ table: 'idempotency_keys', column: 'response' },
    key: { customer_id: 'text', environment: 'text', key: 'text' },
    rowOf: ([customerId = '', environment, key = '']) =>
      idempotencyRow({ customerId, environment: environment === 'live' ? 'live' : 'test' }, key),
  },
  byId('end_users.personal', endUserRow),
  byId('bank_accounts.personal', bankAccountRow),
  byId('wallets.vasp', walletRow),
  byId('kyc_checks.link_token', kycCheckRow),
  byId('kyc_checks.provider_url', kycCheckRow),
  byId('kyc_documents.content', kycDocumentRow),
  // Sealed for the row that it becomes when it is submitted.
  byId('kyc_uploads.content', kycDocumentRow),
  byId('screening_cases.personal', screeningCaseRow),
  byId('payments.personal', paymentRow),
  byId('settlement_attempts.request', attemptRow, 'reference'),
  byId('travel_rule_records.record', travelRuleRow, 'payment_id'),
];
