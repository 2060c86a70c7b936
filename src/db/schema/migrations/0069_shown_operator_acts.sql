-- What operators did that a customer's audit log shows: what is named here, as in
-- src/domain/customers/access/shown-operator-acts.ts. Stops of release, screening, KYC decisions and all that comes to be
-- audited later stay inside.
ALTER POLICY own_acts_are_seen ON audit_log USING (customer_id = scope_customer()
  AND (actor LIKE 'user:%' OR (actor LIKE 'operator:%' AND action IN (
    'address.approved', 'api_key.created', 'api_key.revoked', 'credit.assign', 'customer.resume',
    'customer.suspend', 'end_user.erase', 'key_address.approved', 'key_address.declined',
    'key_address.removed', 'live_access.decline', 'live_access.grant', 'live_access.withdraw',
    'own_account.activate', 'passkey.remove_all', 'payment.confirm_failed', 'payment.confirm_settled',
    'payment.late_return', 'payment.retry', 'user.invited'))));
