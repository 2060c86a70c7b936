import type { Environment } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';

/** A line of a statement, and the amount that the books lack of it: major units without a sign, as decimal text. */
export interface LineToCompare {
  readonly statementId: bigint;
  readonly line: number;
  readonly open: string;
  /** Whether the books lack money that left. */
  readonly hasLeft: boolean;
}

const IS_ANOTHER = '(t.statement_id, t.line) <> (l.statement_id, l.line)';

/** The same amount in the same direction, or the open amount in the direction that corrects it. */
const IS_LIKE = `t.currency = l.currency AND ${IS_ANOTHER}
  AND (t.direction = l.direction AND t.amount = l.amount
    OR t.direction = :correctedBy AND t.amount = :open::numeric)`;

/**
 * Whether another line may be the booking of this one, or its correction: a line of the same payment, or an exception of no
 * payment that no act has ended, with the same amount in the same direction, or with the open amount in the other one. A
 * second debit of a payment counts whatever its amount.
 */
export async function hasTwin(
  tx: SystemTransaction,
  { statementId, line, open, hasLeft }: LineToCompare,
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM statement_lines l
     WHERE l.statement_id = :statementId AND l.line = :line AND (
       EXISTS (SELECT FROM statement_lines t WHERE t.payment_id = l.payment_id
         AND t.outcome IN ('RECONCILED', 'RETURN', 'EXCEPTION') AND ${IS_LIKE}
           OR t.payment_id = l.payment_id AND t.outcome IN ('RECONCILED', 'RETURN', 'EXCEPTION')
             AND t.direction = 'DBIT' AND l.direction = 'DBIT' AND ${IS_ANOTHER})
       OR EXISTS (SELECT FROM statement_lines t WHERE t.outcome = 'EXCEPTION' AND t.payment_id IS NULL
         AND t.environment = l.environment AND ${IS_LIKE}
         AND NOT is_exception_ended(t.statement_id::text || '/' || t.line::text)))`,
    { statementId, line, open, correctedBy: hasLeft ? 'CRDT' : 'DBIT' },
  );
  return rows.length > 0;
}

/** Whether every statement between the two numbers of a gap has arrived since. */
export async function isGapFilled(tx: SystemTransaction, statementId: bigint): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM statements s, jsonb_array_elements(s.problems) AS gap
     WHERE s.id = $1 AND gap ->> 'code' = 'SEQUENCE_GAP'
       AND (gap ->> 'before')::numeric - (gap ->> 'after')::numeric - 1 = (
         SELECT count(*) FROM statements f
         WHERE f.environment = s.environment AND f.connector = s.connector AND f.series = s.series
           AND f.status = 'RECONCILED' AND f.sequence > (gap ->> 'after')::numeric
           AND f.sequence < (gap ->> 'before')::numeric)`,
    [statementId],
  );
  return rows.length > 0;
}

/** What a rule has moved, or may move, in a currency: minor units without a sign. */
export interface RuleSum {
  readonly rule: string;
  readonly currency: string;
  readonly minor: bigint;
}

/** By rule and currency: the acts since `since` that stand, and all of the sets that wait for operators or their effect. */
export async function sumByRule(
  tx: SystemTransaction,
  environment: Environment,
  { since, now }: { readonly since: Date; readonly now: Date },
): Promise<RuleSum[]> {
  return tx.query<RuleSum>(
    `SELECT content ->> 'rule' AS rule, content ->> 'currency' AS currency,
       sum(abs((content ->> 'open')::bigint))::bigint AS minor
     FROM (
       SELECT a.content FROM exception_acts a
       WHERE a.environment = :environment AND a.acted_at >= :since AND a.content ? 'rule'
         AND a.act <> 'REVERSE' AND NOT EXISTS (SELECT FROM exception_acts r WHERE r.reverses = a.id)
       UNION ALL
       SELECT item::jsonb FROM approvals p LEFT JOIN approval_uses u ON u.approval_id = p.id
         CROSS JOIN jsonb_array_elements_text(p.content -> 'items') AS item
       WHERE p.action = 'EXCEPTION_SET' AND p.environment = :environment AND p.expires_at > :now
         AND p.void_at IS NULL AND u.approval_id IS NULL AND p.decision IS DISTINCT FROM 'REFUSED') AS moved
     WHERE content ? 'open' GROUP BY 1, 2`,
    { environment, since, now },
  );
}
