/**
 * What operators do about a customer that its audit log shows. The policy of the audit log has
 * the same list: an action that is new is inside until it stands in both.
 */
export const SHOWN_OPERATOR_ACTS = [
  'address.approved',
  'api_key.created',
  'api_key.revoked',
  'credit.assign',
  'customer.resume',
  'customer.suspend',
  'end_user.erase',
  'key_address.approved',
  'key_address.declined',
  'key_address.removed',
  'live_access.decline',
  'live_access.grant',
  'live_access.withdraw',
  'own_account.activate',
  'passkey.remove_all',
  'payment.confirm_failed',
  'payment.confirm_settled',
  'payment.late_return',
  'payment.retry',
  'user.invited',
] as const;
