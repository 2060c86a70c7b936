import type { KeyOwner } from '../../src/vault/owner-key.ts';
import type { Vault } from '../../src/vault/vault.ts';

type Row = Readonly<Record<string, unknown>>;

export interface DatabaseSearch {
  /** As a superuser: every row of every scope. */
  readonly query: (sql: string) => Promise<Row[]>;
  /** Opens whatever its keys can open. */
  readonly vault: Vault;
  /** Wrapped keys that a test has kept, by end-user: they take the place of what the table says. */
  readonly keptKeys?: ReadonlyMap<string, Uint8Array>;
}

/**
 * Every place in the database that holds one of the texts, as `what in table.column`: in any table, as it
 * is stored (what a dump would show) and after opening with every key that there is.
 */
export async function searchDatabase(
  { query, vault, keptKeys = new Map() }: DatabaseSearch,
  planted: Readonly<Record<string, string>>,
): Promise<string[]> {
  const ownerOfRow = await readOwners(query, keptKeys);
  const found = new Set<string>();
  for (const table of await tablesOf(query)) {
    for (const row of await query(`SELECT * FROM ${table}`)) {
      for (const [column, value] of Object.entries(row)) {
        const texts = Buffer.isBuffer(value)
          ? [value.toString('utf8'), ...opened(vault, value, namesOf(table, row), ownerOfRow(row))]
          : [typeof value === 'string' ? value : (JSON.stringify(value, bigText) ?? '')];
        for (const [what, wanted] of Object.entries(planted)) {
          if (texts.some((text) => text.includes(wanted)))
            found.add(`${what} in ${table}.${column}`);
        }
      }
    }
  }
  return [...found].sort();
}

const bigText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

async function tablesOf(query: DatabaseSearch['query']): Promise<string[]> {
  const rows =
    await query(`SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name
    FROM information_schema.tables
    WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`);
  return rows.map(({ name }) => String(name).replace(/^public\./, ''));
}

/** What a column of the row may have been sealed for. */
function namesOf(table: string, row: Row): string[] {
  const ids = [row['id'], row['reference'], row['end_user_id']];
  const names = ids
    .filter((id) => typeof id === 'string')
    // What was not submitted is sealed for the row that it has once it is.
    .flatMap((id) => [
      `${table}/${id}`,
      ...(table === 'kyc_uploads' ? [`kyc_documents/${id}`] : []),
    ]);
  const { customer_id: customer, environment, key } = row;
  return [...names, `${table}/${String(customer)}/${String(environment)}/${String(key)}`];
}

function opened(vault: Vault, sealed: Buffer, names: string[], owners: KeyOwner[]): string[] {
  const sealers = [vault, ...owners.map((owner) => vault.of(owner))];
  return sealers.flatMap((sealer) =>
    names.flatMap((name) => {
      try {
        return [sealer.open(sealed, name).toString('utf8')];
      } catch {
        return [];
      }
    }),
  );
}

/** Whose a row is, found through what it is about. */
const OWNED = {
  payment_id: 'payments',
  bank_account_id: 'bank_accounts',
  kyc_check_id: 'kyc_checks',
};

/** Who may own a row: the end-user that it or what it is about names, or that it is. */
async function readOwners(
  query: DatabaseSearch['query'],
  keptKeys: ReadonlyMap<string, Uint8Array>,
): Promise<(row: Row) => KeyOwner[]> {
  const keys = new Map(
    (await query('SELECT end_user_id, wrapped_key FROM end_user_keys')).map((row) => [
      String(row['end_user_id']),
      row['wrapped_key'] as Buffer | null,
    ]),
  );
  const ownersBy = await Promise.all(
    Object.entries(OWNED).map(async ([column, table]) => {
      const rows = await query(`SELECT id, end_user_id FROM ${table}`);
      return [column, new Map(rows.map((row) => [row['id'], row['end_user_id']]))] as const;
    }),
  );
  return (row) =>
    [
      ...[row['id'], row['end_user_id']],
      ...ownersBy.map(([column, owners]) => owners.get(row[column])),
    ].flatMap((id) => {
      const endUserId = String(id);
      const ownerKey = keptKeys.get(endUserId) ?? keys.get(endUserId) ?? null;
      return ownerKey === null ? [] : [{ endUserId, ownerKey }];
    });
}
