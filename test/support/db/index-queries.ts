import { doesApprovalWait, listApprovals } from '../../../src/db/approvals/approval-store.ts';
import {
  decideAccessRequest,
  readForgottenRequests,
} from '../../../src/db/customers/access-request-store.ts';
import { listAddressesToDecide } from '../../../src/db/customers/address-decision-store.ts';
import { listExpiringKeys } from '../../../src/db/customers/api-key-notice-store.ts';
import {
  listApiRequests,
  listRefusedAddresses,
} from '../../../src/db/customers/api-request-store.ts';
import { forgetDevices, recordDevice } from '../../../src/db/customers/device-store.ts';
import { useForm } from '../../../src/db/customers/form-use-store.ts';
import { readUntoldApprovals } from '../../../src/db/customers/payment-approval-notice-store.ts';
import { readUntoldClocks } from '../../../src/db/customers/sandbox-clock-store.ts';
import { findLastLiveRequest } from '../../../src/db/customers/live-request-store.ts';
import {
  countMailsSince,
  deleteOldMails,
  listUnsentMails,
  readForgottenMails,
} from '../../../src/db/customers/mail-store.ts';
import { deleteOldNotices } from '../../../src/db/customers/operator-notice-store.ts';
import { listSessions } from '../../../src/db/customers/own-session-store.ts';
import {
  insertAddressChange,
  updateAddress,
} from '../../../src/db/customers/own-settings-store.ts';
import { deleteExpiredKeys } from '../../../src/db/idempotency/idempotency-store.ts';
import { closeBalanceDays, findFirstBooking } from '../../../src/db/ledger/balance-day-store.ts';
import { listBalanceTransactions } from '../../../src/db/ledger/balance-transaction-list-store.ts';
import { findKnownCredits } from '../../../src/db/ledger/booking-store.ts';
import { readCreditingLines } from '../../../src/db/ledger/crediting-line-store.ts';
import { isGivenAgain } from '../../../src/db/ledger/credit-reversal-store.ts';
import { findEarlyReversal } from '../../../src/db/ledger/early-reversal-store.ts';
import { readFxExposureTo } from '../../../src/db/ledger/fx-position-store.ts';
import {
  listUnmatchedCredits,
  lockCreditToReverse,
} from '../../../src/db/ledger/incoming-credit-store.ts';
import { readDueDust, readLargestDust } from '../../../src/db/onchain/dust-store.ts';
import {
  readBusyAddresses,
  readDueAddresses,
} from '../../../src/db/parties/watched-address-store.ts';
import { readDueSetAside } from '../../../src/db/ledger/set-aside-store.ts';
import { sumSignedSince } from '../../../src/db/onchain/chain-nonce-store.ts';
import { countOpenSweeps, putOffOtherAssets } from '../../../src/db/onchain/chain-sweep-store.ts';
import {
  readUntoldTransfers,
  readWaitingTransfers,
} from '../../../src/db/onchain/chain-transfer-store.ts';
import { listDepositExits } from '../../../src/db/onchain/deposit-exit-store.ts';
import { listDeposits } from '../../../src/db/onchain/deposit-list-store.ts';
import { listUnshownDecisions } from '../../../src/db/onchain/deposit-review-store.ts';
import { lockDepositsOf } from '../../../src/db/onchain/deposit-store.ts';
import { findUnclaimed } from '../../../src/db/onchain/found-transaction-store.ts';
import { listDepositsNotPaidOn } from '../../../src/db/onchain/ops-deposit-store.ts';
import {
  isAnyDepositYoung,
  sumTokensAt,
  sumYoungDeposits,
} from '../../../src/db/onchain/read-deposit-store.ts';
import { listWaitingDeposits } from '../../../src/db/onchain/sandbox-deposit-store.ts';
import { readFollowedSignerAccounts } from '../../../src/db/onchain/signer-account-store.ts';
import { listOwnAudit } from '../../../src/db/operations/audit-list-store.ts';
import { findPaymentsOfRequest, listStuckPayments } from '../../../src/db/operations/ops-store.ts';
import { readNewestStatements } from '../../../src/db/operations/progress-store.ts';
import { findReleaseStop } from '../../../src/db/operations/release-stop-store.ts';
import {
  readUnbegunBatches,
  readUnclaimedPayments,
  readUnfinishedPayments,
  readUnopenedKycChecks,
  readUnreadKycReports,
  readUnreadReports,
  readUntoldFundings,
} from '../../../src/db/operations/unfinished-work-store.ts';
import { listBankAccounts } from '../../../src/db/parties/bank-account-store.ts';
import {
  countAddresses,
  disableAddressesOf,
  listDepositAddresses,
} from '../../../src/db/parties/deposit-address-store.ts';
import { listEndUsers } from '../../../src/db/parties/end-user-list-store.ts';
import { blankEndUser, blankScreeningCases } from '../../../src/db/parties/erasure-blank-store.ts';
import { listErasures, readErasureFacts } from '../../../src/db/parties/erasure-store.ts';
import {
  eraseExpiredKycDocuments,
  hasWaitingKycDocuments,
} from '../../../src/db/parties/kyc-document-store.ts';
import { readDueApprovals } from '../../../src/db/parties/kyc-expiry-store.ts';
import { deleteExpiredKycUploads } from '../../../src/db/parties/kyc-upload-store.ts';
import { listOpenCases } from '../../../src/db/parties/screening-case-store.ts';
import { listOpenReviews, listReviewsToEnd } from '../../../src/db/parties/wallet-review-store.ts';
import { listWallets } from '../../../src/db/parties/wallet-store.ts';
import { readWalletSums } from '../../../src/db/parties/wallet-sum-store.ts';
import { readDuePayments } from '../../../src/db/payments/finality-store.ts';
import { deleteOldRates } from '../../../src/db/payments/fx-rate-store.ts';
import {
  listUndecidedLateReturns,
  lockLateReturnsToAlarm,
} from '../../../src/db/payments/late-return-store.ts';
import { readAttention } from '../../../src/db/payments/payment-attention-store.ts';
import { listBatches } from '../../../src/db/payments/payment-batch-store.ts';
import { countWaiting } from '../../../src/db/payments/payment-funding-store.ts';
import { listPayments } from '../../../src/db/payments/payment-list-store.ts';
import { keepPaymentSums } from '../../../src/db/payments/payment-sum-store.ts';
import { deleteUnusedQuotes, listQuotes } from '../../../src/db/payments/quote-store.ts';
import {
  listUnappliedReports,
  listUnknownReferenceReports,
  lockReportsToAlarm,
} from '../../../src/db/payments/unexplained-report-store.ts';
import { listUnsurePayments } from '../../../src/db/payments/unsure-payment-store.ts';
import { mayTakeReturnBack } from '../../../src/db/reconciliation/booked-return-store.ts';
import { readReturnedOf } from '../../../src/db/reconciliation/exception-act-store.ts';
import {
  countBookedBefore,
  countStatementLines,
} from '../../../src/db/reconciliation/statement-count-store.ts';
import {
  listUnresolvedStatementExceptions,
  lockLinesToAlarm,
  lockStatementsToAlarm,
} from '../../../src/db/reconciliation/statement-exception-store.ts';
import { listUnreconciledPayments } from '../../../src/db/reconciliation/statement-match-store.ts';
import { listLinesOfPayment } from '../../../src/db/reconciliation/statement-page-store.ts';
import { listUnfinishedStatements } from '../../../src/db/reconciliation/statement-store.ts';
import { readEndpointHealth } from '../../../src/db/webhooks/endpoint-health-store.ts';
import { listEvents } from '../../../src/db/webhooks/event-list-store.ts';
import { deleteOldReplays } from '../../../src/db/webhooks/event-pruning-store.ts';
import { listResourceDeliveries } from '../../../src/db/webhooks/resource-delivery-store.ts';
import { listDeliveries } from '../../../src/db/webhooks/webhook-delivery-list-store.ts';
import { deleteEndpoint, listEndpoints } from '../../../src/db/webhooks/webhook-endpoint-store.ts';
import { insertReplay, listReplays } from '../../../src/db/webhooks/webhook-replay-store.ts';
import { inDatabase, needs, reads, sends, type IndexUse } from './index-use.ts';

const SCOPE = { customerId: 'cus_1', environment: 'test' } as const;
const PAGE = { limit: 20, before: null } as const;
const AT = new Date('2026-09-29T12:00:00.000Z');

/** The query that each index is there for. Constraints (primary keys, unique indexes) need no query. */
export const INDEX_QUERIES: Readonly<Record<string, IndexUse>> = {
  access_counters_by_hour: inDatabase('take_access_budgets'),
  access_requests_due: sends(readForgottenRequests),
  access_requests_waiting: needs(decideAccessRequest),
  address_changes_by_expiry: needs(insertAddressChange),
  addresses_to_decide: needs(listAddressesToDecide),
  api_keys_by_end: needs(listExpiringKeys),
  api_requests_of_payment: needs(listApiRequests, SCOPE, { paymentId: 'pay_1' }, PAGE),
  api_requests_of_scope: reads(listApiRequests, SCOPE, {}, PAGE),
  api_requests_refused_by_address: needs(listRefusedAddresses),
  approvals_by_expiry: needs(doesApprovalWait),
  approvals_waiting: needs(listApprovals, { state: 'HANDED_IN', now: AT }, PAGE),
  audit_log_of_customer: needs(listOwnAudit),
  bank_accounts_by_kind: needs(
    listBankAccounts,
    SCOPE,
    { status: 'ACTIVE', rail: 'SEPA', country: 'DE', currency: 'EUR' },
    PAGE,
  ),
  bank_accounts_newest_first: needs(listBankAccounts),
  booking_references_by_key: needs(findKnownCredits),
  chain_address_checks_due: needs(readDueAddresses),
  chain_foreign_payments_by_hash: inDatabase('guard_chain_nonce'),
  chain_nonces_open: needs(readFollowedSignerAccounts),
  chain_nonces_unclaimed: needs(findUnclaimed),
  chain_sweeps_open: needs(countOpenSweeps),
  chain_top_ups_of_an_account: inDatabase('guard_chain_top_up'),
  chain_transactions_signed: needs(sumSignedSince),
  chain_transfers_under_way: needs(
    readUntoldTransfers,
    { environment: 'test', network: 'BASE' },
    'OUTCOME',
  ),
  chain_transfers_waiting: needs(readWaitingTransfers),
  chain_unswept_due: needs(putOffOtherAssets),
  deposit_addresses_changed: sends(readBusyAddresses),
  deposit_addresses_disabled: needs(countAddresses),
  deposit_addresses_in_use: sends(disableAddressesOf),
  deposit_addresses_newest_first: needs(listDepositAddresses),
  deposit_addresses_watched: sends(readBusyAddresses),
  deposit_onward_due: needs(listDepositsNotPaidOn),
  deposit_refunds_of_deposit: needs(listDepositExits),
  deposits_at_address: needs(sumTokensAt),
  deposits_by_time: needs(listDeposits, SCOPE, { createdAfter: AT }, PAGE),
  deposits_held: needs(listUnshownDecisions),
  deposits_newest_first: needs(listDeposits),
  deposits_of_address: needs(listDeposits, SCOPE, { depositAddressId: 'dea_1' }, PAGE),
  deposits_of_payment: needs(lockDepositsOf),
  deposits_unfinished: needs(sumYoungDeposits),
  devices_by_expiry: needs(recordDevice),
  devices_of_person: needs(forgetDevices),
  dust_sums_asked: needs(readDueDust),
  dust_sums_by_amount: needs(readDueDust),
  dust_transfers_by_block: needs(sumTokensAt),
  dust_transfers_largest: needs(readLargestDust),
  end_user_keys_erased: needs(listErasures),
  end_users_by_kyc: needs(listEndUsers, SCOPE, { kycStatus: 'APPROVED' }, PAGE),
  end_users_by_status: needs(listEndUsers, SCOPE, { status: 'ACTIVE' }, PAGE),
  end_users_by_time: needs(listEndUsers, SCOPE, { createdAfter: AT }, PAGE),
  end_users_by_type: needs(listEndUsers, SCOPE, { type: 'BUSINESS' }, PAGE),
  end_users_newest_first: needs(listEndUsers, SCOPE, {}, PAGE),
  events_by_time: needs(insertReplay),
  events_by_type: needs(listEvents),
  events_newest_first: needs(insertReplay),
  form_uses_by_expiry: needs(useForm),
  fx_rate_history_by_age: needs(deleteOldRates),
  idempotency_keys_expiring: needs(deleteExpiredKeys),
  incoming_credits_alike: needs(lockCreditToReverse),
  incoming_credits_resembling: needs(findKnownCredits),
  exception_acts_of_booking: inDatabase('booking_moved_by'),
  exception_acts_of_payment: needs(readReturnedOf),
  incoming_credits_waiting: needs(listUnmatchedCredits),
  kyc_checks_expiring: needs(readDueApprovals),
  kyc_checks_expiring_by_customer: reads(readAttention),
  kyc_checks_undecided: needs(readUnopenedKycChecks),
  kyc_documents_by_expiry: needs(eraseExpiredKycDocuments),
  kyc_documents_waiting: needs(hasWaitingKycDocuments),
  kyc_reports_unprocessed: needs(readUnreadKycReports),
  kyc_uploads_by_expiry: needs(deleteExpiredKycUploads),
  late_returns_to_alarm: needs(lockLateReturnsToAlarm),
  late_returns_undecided: needs(listUndecidedLateReturns),
  fx_entries: inDatabase('fx_exposure'),
  ledger_entries_by_kind: needs(findFirstBooking),
  ledger_entries_of_customers: needs(
    listBalanceTransactions,
    SCOPE,
    { accounts: ['available'], kinds: ['SETTLE'], isNarrowed: false },
    PAGE,
  ),
  ledger_transactions_by_time: needs(closeBalanceDays),
  live_access_requests_of_customer: reads(findLastLiveRequest),
  login_challenges_by_expiry: inDatabase('open_login_challenge'),
  mails_by_address: needs(countMailsSince),
  mails_by_end: needs(deleteOldMails),
  mails_not_sent: needs(listUnsentMails),
  mails_waiting: needs(readForgottenMails),
  operator_notices_by_time: needs(deleteOldNotices),
  passkeys_of_operator: inDatabase('find_session'),
  passkeys_of_user: inDatabase('find_session'),
  payment_batch_items_of_end_user: needs(readErasureFacts),
  payment_batches_newest_first: needs(listBatches),
  payment_batches_unfinished: needs(readUnbegunBatches),
  sandbox_clocks_untold: needs(readUntoldClocks),
  payment_fundings_awaited: sends(isAnyDepositYoung),
  payment_fundings_by_time: needs(findPaymentsOfRequest, 'req_01k5x3w8000000000000000000'),
  payment_fundings_changed: sends(readBusyAddresses),
  payment_fundings_held: needs(readUntoldFundings),
  payment_fundings_waiting: sends(countWaiting),
  payment_limit_checks_to_tell: needs(readUntoldApprovals, null, 20),
  payments_by_bank_account: reads(listPayments, SCOPE, { bankAccountId: 'ba_1' }, PAGE),
  payments_by_bank_account_and_external_id: reads(
    listPayments,
    SCOPE,
    { bankAccountId: 'ba_1', externalId: '1' },
    PAGE,
  ),
  payments_by_end_user: needs(readErasureFacts),
  payments_by_end_user_and_external_id: reads(
    listPayments,
    SCOPE,
    { endUserId: 'eu_1', externalId: '1' },
    PAGE,
  ),
  payments_by_external_id: needs(listPayments, SCOPE, { externalId: '1' }, PAGE),
  payments_by_status: needs(listPayments, SCOPE, { status: 'SENT' }, PAGE),
  payments_by_time: needs(keepPaymentSums),
  payments_by_wallet: needs(listPayments, SCOPE, { walletId: 'wal_1' }, PAGE),
  payments_by_wallet_and_end_user: reads(
    listPayments,
    SCOPE,
    { walletId: 'wal_1', endUserId: 'eu_1' },
    PAGE,
  ),
  payments_by_wallet_and_external_id: reads(
    listPayments,
    SCOPE,
    { walletId: 'wal_1', externalId: '1' },
    PAGE,
  ),
  payments_contradicted: needs(listStuckPayments),
  payments_due_for_finality: needs(readDuePayments),
  payments_of_wallet_by_time: reads(readWalletSums),
  payments_quoted_and_unfinished: inDatabase('fx_exposure'),
  payments_unclaimed: needs(readUnclaimedPayments),
  payments_unreconciled: needs(listUnreconciledPayments),
  payments_waiting: needs(readUnfinishedPayments),
  quotes_newest_first: sends(listQuotes),
  quotes_unused: needs(deleteUnusedQuotes),
  quotes_unused_by_customer: reads(readFxExposureTo),
  release_stops_active: needs(findReleaseStop),
  sandbox_deposits_waiting: needs(listWaitingDeposits),
  screening_cases_of_bank_account: needs(blankScreeningCases),
  screening_cases_of_end_user: needs(blankScreeningCases),
  screening_cases_open: reads(listOpenCases),
  sessions_by_expiry: needs(recordDevice),
  sessions_of_operator: sends(listSessions),
  sessions_of_user: sends(listSessions),
  set_aside_deposits_due: needs(readDueSetAside),
  settlement_attempts_held: reads(listUnsurePayments),
  statement_lines_by_booking: needs(isGivenAgain),
  statement_lines_by_reference: sends(countBookedBefore),
  statement_lines_marked_returns: needs(mayTakeReturnBack),
  statement_lines_named: needs(countStatementLines),
  statement_lines_of_credit: needs(findKnownCredits),
  statement_lines_of_payment: needs(listLinesOfPayment),
  statement_lines_open: needs(readDuePayments),
  statement_lines_taken_back: needs(findEarlyReversal),
  statement_lines_to_alarm: needs(lockLinesToAlarm),
  statement_lines_to_credit: needs(readCreditingLines),
  statement_lines_without_payment: needs(listUnresolvedStatementExceptions),
  statements_newest: reads(readNewestStatements),
  statements_to_alarm: needs(lockStatementsToAlarm),
  statements_unfinished: needs(listUnfinishedStatements),
  statements_with_problems: needs(listUnresolvedStatementExceptions),
  swept_tokens_of_address: needs(sumTokensAt),
  transfer_reports_of_payment: needs(readDuePayments),
  transfer_reports_to_alarm: reads(lockReportsToAlarm),
  transfer_reports_unknown: needs(listUnknownReferenceReports),
  transfer_reports_unprocessed: needs(readUnreadReports),
  transfer_reports_without_effect: needs(listUnappliedReports),
  travel_rule_records_of_end_user: needs(blankEndUser),
  users_by_address: reads(updateAddress),
  wallet_reviews_open: reads(listOpenReviews),
  wallets_by_address: needs(listWallets, SCOPE, { address: '0x1' }, PAGE),
  wallets_by_review: needs(listReviewsToEnd),
  wallets_newest_first: needs(listWallets),
  wallets_of_end_user: needs(listWallets, SCOPE, { endUserId: 'eu_1' }, PAGE),
  webhook_attempts_first: needs(readEndpointHealth),
  webhook_attempts_successful: needs(readEndpointHealth),
  webhook_deliveries_due: inDatabase('webhooks_to_send'),
  webhook_deliveries_first: inDatabase('webhooks_to_send'),
  webhook_deliveries_of_event: reads(listResourceDeliveries, SCOPE, 'pay_1'),
  webhook_deliveries_newest_first: needs(listDeliveries, SCOPE, { endpointId: 'we_1' }, PAGE),
  webhook_deliveries_probed: inDatabase('webhooks_to_send'),
  webhook_deliveries_put_off: inDatabase('webhooks_to_send'),
  webhook_deliveries_put_off_versions: inDatabase('webhooks_to_send'),
  webhook_deliveries_undelivered: needs(
    listDeliveries,
    SCOPE,
    { endpointId: 'we_1', status: 'PENDING' },
    PAGE,
  ),
  webhook_endpoints_newest_first: needs(listEndpoints),
  webhook_replays_completed: needs(deleteOldReplays),
  webhook_replays_newest_first: needs(listReplays),
  webhook_replays_running: needs(deleteEndpoint),
};
