import type { AnyTransaction } from '../client/database.ts';

/** Expired forms that one use forgets: more than the one it adds, so that they never pile up. */
const FORGOTTEN_A_USE = 4;

/**
 * Uses a form, as the first statement of the transaction of what it does: a use of the same form under way
 * elsewhere is waited for, by a transaction that holds nothing yet. Answers false where it was used before.
 */
export async function useForm(
  tx: AnyTransaction,
  form: { readonly id: Buffer; readonly expiresAt: Date },
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `WITH forgotten AS (
       DELETE FROM form_uses WHERE form_id IN (
         SELECT form_id FROM form_uses WHERE expires_at < :now ORDER BY expires_at
         LIMIT ${FORGOTTEN_A_USE} FOR UPDATE SKIP LOCKED))
     INSERT INTO form_uses (form_id, expires_at) VALUES (:id, :expiresAt)
     ON CONFLICT DO NOTHING RETURNING form_id`,
    { id: form.id, expiresAt: form.expiresAt, now },
  );
  return rows.length > 0;
}
