/** That payment `p` was taken back by a reorganisation, and that its transfer is on its way still. */
export const IS_REORGANISED = `(p.status = 'COMPLETED' AND p.finality <> 'FINAL'
  AND p.reconciliation_status = 'EXCEPTION'
  AND p.reconciliation_evidence ->> 'kind' = 'CHAIN_REORGANISED'
  AND EXISTS (SELECT FROM chain_transfers c
    WHERE c.payment_id = p.id AND c.state IN ('WAITING', 'CARRIED', 'SETTLED')))`;
