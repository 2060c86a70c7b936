import pg from 'pg';

/** How a copied row differs from the one that it is made from: SQL over the row `o` and the number `n` of the copy. */
type Changes = Readonly<Record<string, string>>;

/** The copy's own id: the number in place of the last characters, so that it is as long and as random as the other. */
const ownId = (column: string) => `left(o.${column}, -7) || lpad(n::text, 7, '0')`;
const ownKey = (column: string) => `o.${column} || '-' || n`;

/** What grows with payments, and is read where one is accepted, settled, or announced. */
const TABLES: Readonly<Record<string, Changes>> = {
  payments: {
    id: ownId('id'),
    idempotency_key: ownKey('idempotency_key'),
    workflow_id: ownKey('workflow_id'),
    // Nothing is left to do for them.
    reconciliation_status: `'RECONCILED'`,
    finality: `'FINAL'`,
    final_at: 'o.updated_at',
  },
  payment_history: { payment_id: ownId('payment_id') },
  settlement_attempts: {
    // Ours ends with the number of the attempt.
    reference: `left(o.reference, -9) || lpad(n::text, 7, '0') || right(o.reference, 2)`,
    payment_id: ownId('payment_id'),
  },
  ledger_transactions: { id: ownId('id'), payment_id: ownId('payment_id') },
  ledger_entries: { transaction_id: ownId('transaction_id') },
  events: { id: ownId('id'), resource_id: ownId('resource_id') },
  webhook_deliveries: { event_id: ownId('event_id'), resource_id: ownId('resource_id') },
  webhook_attempts: { event_id: ownId('event_id') },
  idempotency_keys: { key: ownKey('key'), resource_id: ownId('resource_id') },
};

/** Rows of a table that belong to no payment are not copied. */
const OF_PAYMENTS: Readonly<Record<string, string>> = {
  ledger_transactions: 'o.payment_id IS NOT NULL',
  ledger_entries:
    'EXISTS (SELECT FROM ledger_transactions t WHERE t.id = o.transaction_id AND t.payment_id IS NOT NULL)',
  events: `o.resource_id LIKE 'pay\\_%'`,
  webhook_deliveries: `o.resource_id LIKE 'pay\\_%'`,
  webhook_attempts: `EXISTS (SELECT FROM webhook_deliveries d
    WHERE d.event_id = o.event_id AND d.resource_id LIKE 'pay\\_%')`,
  idempotency_keys: `o.resource_id LIKE 'pay\\_%'`,
};

/**
 * Copies the finished payments of a database, with all that grows with them, until it holds about so many more, and
 * analyzes it. Guards and foreign keys do not see the copies, whose sums are not booked.
 * @param url a superuser's.
 */
export async function storePayments(url: string, count: number): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await admin.query('SET session_replication_role = replica');
    const { rows } = await admin.query<{ count: string }>('SELECT count(*) FROM payments');
    const copies = Math.ceil(count / Number(rows[0]?.count));
    for (const table of Object.keys(TABLES)) await copyRows(admin, table, copies);
    await admin.query('VACUUM ANALYZE');
  } finally {
    await admin.end();
  }
}

async function copyRows(admin: pg.Client, table: string, copies: number): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
       AND attidentity = '' AND attgenerated = '' ORDER BY attnum`,
    [table],
  );
  const columns = rows.map(({ name }) => name);
  const values = columns.map((name) => TABLES[table]?.[name] ?? `o.${name}`);
  await admin.query(
    `INSERT INTO ${table} (${columns.join(', ')})
     SELECT ${values.join(', ')} FROM ${table} o CROSS JOIN generate_series(1, ${String(copies)}) n
     WHERE ${OF_PAYMENTS[table] ?? 'true'} ORDER BY n`,
  );
}
