-- Operators are mailed of networks that are not read for deposits, too.
ALTER TABLE operator_notices DROP CONSTRAINT operator_notices_kind_check,
  ADD CONSTRAINT operator_notices_kind_check
    CHECK (kind IN ('ADDRESS_PENDING', 'LIVE_REQUEST', 'PASSKEYS_LOST', 'PAYMENT_STUCK', 'DEPOSIT_HELD',
      'DEPOSIT_BLOCKED', 'DEPOSIT_NOT_PAID_ON', 'WALLET_REVIEW', 'CHAIN_STOP', 'CHAIN_NOT_READ'));
