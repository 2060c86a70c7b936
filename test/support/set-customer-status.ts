import pg from 'pg';

/** Makes a customer ACTIVE or SUSPENDED as no role of ours may: a superuser, past the two operators. */
export async function setCustomerStatus(
  url: string,
  customerId: string,
  status: string,
): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await admin.query('SET session_replication_role = replica');
    await admin.query('UPDATE customers SET status = $1 WHERE id = $2', [status, customerId]);
  } finally {
    await admin.end();
  }
}
