-- SIGNING_STOPPED: no hot address of the network signs now, or what they may sign for within an hour is used up.
ALTER TABLE chain_transfers DROP CONSTRAINT chain_transfers_hold_check,
  ADD CONSTRAINT chain_transfers_hold_check CHECK
    (hold IN ('AWAITING_LIQUIDITY', 'NETWORK_CONGESTED', 'STALLED', 'SIGNING_STOPPED')) NOT VALID,
  DROP CONSTRAINT chain_transfers_told_hold_check,
  ADD CONSTRAINT chain_transfers_told_hold_check CHECK
    (told_hold IN ('AWAITING_LIQUIDITY', 'NETWORK_CONGESTED', 'STALLED', 'SIGNING_STOPPED')) NOT VALID;
