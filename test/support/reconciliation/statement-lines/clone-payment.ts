import pg from 'pg';

/** A payment whose rows others are made after. */
export interface PaymentTemplate {
  readonly id: string;
  readonly reference: string;
  readonly customerId: string;
  /** Minor units of EUR. */
  readonly amount: bigint;
}

const KEPT_CHARS = 16;
const numbered = (suffix: string, number: number): string =>
  suffix.slice(0, KEPT_CHARS) + String(number).padStart(suffix.length - KEPT_CHARS, '0');

/** The id and the reference of the payment of this number, from 1, that is made after a template. */
export function cloneOf({ id }: Pick<PaymentTemplate, 'id'>, number: number) {
  const suffix = numbered(id.slice('pay_'.length), number);
  return { id: `pay_${suffix}`, reference: `CW${suffix.toUpperCase()}01` };
}

/** Each table with rows of a payment, and which they are. Entries follow their transactions, whose numbers they bear. */
const TABLES = [
  ['payments', 't.id = $1'],
  ['payment_history', 't.payment_id = $1'],
  ['idempotency_keys', 't.resource_id = $1'],
  ['events', 't.resource_id = $1'],
  ['settlement_attempts', 't.payment_id = $1'],
  ['ledger_transactions', 't.payment_id = $1'],
] as const;

const IDS = `SELECT DISTINCT (regexp_matches(row_text, '[a-z]+_([0-7][0-9a-hjkmnp-tv-z]{25})', 'g'))[1] AS id FROM (
  ${TABLES.map(([table, rows]) => `SELECT to_jsonb(t)::text AS row_text FROM ${table} t WHERE ${rows}`).join(' UNION ALL ')}) r`;

/**
 * Makes payments 1 to `count` after a settled one: all of its rows under ids of their own, the ledger and the customer's
 * balance too. Needs a superuser's URL, and that nothing else writes.
 */
export async function clonePayment(
  url: string,
  { id, customerId, amount }: PaymentTemplate,
  count: number,
): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await admin.query('BEGIN');
    await admin.query(`SET LOCAL session_replication_role = 'replica'`);
    await admin.query(RENAMED);
    const { rows } = await admin.query<{ id: string }>(IDS, [id]);
    const own = await admin.query<{ text: string }>(
      'SELECT customer_id || end_user_id || bank_account_id AS text FROM payments WHERE id = $1',
      [id],
    );
    const ids = rows.map((row) => row.id).filter((one) => !own.rows[0]!.text.includes(one));
    for (const [table, ofPayment] of TABLES) {
      await admin.query(cloneRows(table, ofPayment, await columnsOf(admin, table)), [
        id,
        ids,
        count,
      ]);
    }
    await admin.query(CLONE_ENTRIES, [id, ids, count, amount.toString()]);
    await admin.query(
      `UPDATE balances SET available = available - $2::bigint
       WHERE customer_id = $1 AND environment = 'test' AND currency = 'EUR'`,
      [customerId, (amount * BigInt(count)).toString()],
    );
    await admin.query('COMMIT');
  } finally {
    await admin.end();
  }
}

async function columnsOf(admin: pg.Client, table: string): Promise<readonly string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_identity = 'NO' AND is_generated = 'NEVER'`,
    [table],
  );
  return rows.map(({ name }) => name);
}

const RENAMED = `
  CREATE OR REPLACE FUNCTION pg_temp.renamed(row_text text, ids text[], number int) RETURNS text
  LANGUAGE plpgsql IMMUTABLE AS $$
  DECLARE
    known text;
    made text;
  BEGIN
    FOREACH known IN ARRAY ids LOOP
      made := left(known, ${String(KEPT_CHARS)}) || lpad(number::text, length(known) - ${String(KEPT_CHARS)}, '0');
      row_text := replace(replace(row_text, known, made), upper(known), upper(made));
    END LOOP;
    RETURN row_text;
  END $$`;

function cloneRows(table: string, ofPayment: string, columns: readonly string[]): string {
  const named = columns.map((name) => `r.${name}`).join(', ');
  return `INSERT INTO ${table} (${columns.join(', ')})
    SELECT ${named} FROM generate_series(1, $3::int) AS n (number)
      CROSS JOIN (SELECT to_jsonb(t) AS known, row_number() OVER (ORDER BY to_jsonb(t) -> 'seq') AS place
        FROM ${table} t WHERE ${ofPayment}) t
      CROSS JOIN LATERAL jsonb_populate_record(NULL::${table},
        pg_temp.renamed(t.known::text, $2::text[], n.number)::jsonb) r
    ORDER BY n.number, t.place`;
}

/** What is available falls by each hold, and what is reserved is as of one payment. */
const CLONE_ENTRIES = `
  INSERT INTO ledger_entries (transaction_id, line, seq, kind, customer_id, environment, account, currency, amount,
    balance_after)
  SELECT made.id, e.line, made.seq, e.kind, e.customer_id, e.environment, e.account, e.currency, e.amount,
    CASE e.account WHEN 'available' THEN b.available - $4::bigint * n.number ELSE e.balance_after END
  FROM generate_series(1, $3::int) AS n (number)
    CROSS JOIN ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
    JOIN balances b ON b.customer_id = t.customer_id AND b.environment = t.environment AND b.currency = e.currency
    JOIN ledger_transactions made ON made.id = pg_temp.renamed(t.id, $2::text[], n.number)
  WHERE t.payment_id = $1`;
