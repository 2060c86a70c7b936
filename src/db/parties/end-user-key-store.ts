/**
 * The data key of the end-user whose id the SQL expression gives, as a column `ownerKey` of the same
 * statement. See `KeyOwner`: null where they have none of their own, empty where it was destroyed.
 */
export const ownerKeyOf = (endUserId: string): string =>
  `(SELECT coalesce(k.wrapped_key, '') FROM end_user_keys k
    WHERE k.end_user_id = ${endUserId}) AS "ownerKey"`;

/** When the end-user whose id the SQL expression gives was erased, as a column `erasedAt`. */
export const erasedAtOf = (endUserId: string): string =>
  `(SELECT k.erased_at FROM end_user_keys k
    WHERE k.end_user_id = ${endUserId}) AS "erasedAt"`;
