import type { FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import { PUBLIC_ID_BYTES, SECRET_BYTES } from '../../../../../modules/customers/api-key-token.ts';
import type { KeyRandom } from '../../../../../modules/customers/issue-api-key.ts';
import { KeyRefused } from '../../../../../modules/customers/key-refused.ts';
import { findApiKey, type ApiKeyRow } from '../../../../../db/customers/api-key-list-store.ts';
import type { ScopedTransaction } from '../../../../../db/client/database.ts';
import { requireFound } from '../../../../../domain/errors/require-found.ts';
import type { FieldProblem } from '../../../../kit/forms/form-rules.ts';
import { PageRefusal } from '../../../../kit/page-refusal.ts';
import type { SentForm } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import type { Place } from '../../../environment.tsx';

export const keyRandom = (): KeyRandom => ({
  publicId: randomBytes(PUBLIC_ID_BYTES),
  secret: randomBytes(SECRET_BYTES),
});

/** A key of the scope as it is now. Throws Refusal (404) for any other. */
export function requireKey(
  { db }: DashboardDeps,
  { scope }: Place,
  id: string,
): Promise<ApiKeyRow> {
  return db.read(scope, async (tx) => requireFound(await findApiKey(tx, scope, id)));
}

/** Does an act in the transaction that uses its form, and hands its mails on once that has committed. */
export async function actOnKeys<Result extends { readonly mailIds: readonly string[] }>(
  { db, dispatchMail }: DashboardDeps,
  { scope }: Place,
  form: SentForm,
  work: (tx: ScopedTransaction) => Promise<Result>,
): Promise<Result> {
  const result = await db.write(scope, async (tx) => {
    await form.use(tx);
    return work(tx);
  });
  for (const id of result.mailIds) dispatchMail(id);
  return result;
}

const FIELD_NAMES = {
  name: 'name',
  scopes: 'scopes',
  expiry: 'days',
  range: 'range',
  label: 'label',
};

/** What is wrong with a field of the form. Throws PageRefusal (409) for what is no field's fault. */
export function problemsOfRefusal(error: unknown): readonly FieldProblem[] {
  if (!(error instanceof KeyRefused)) throw error;
  if (error.field === null) throw notDone(error.message);
  return [{ field: FIELD_NAMES[error.field], message: error.message }];
}

export const notDone = (why: string): PageRefusal =>
  new PageRefusal(409, 'Nothing was changed', `${why} Nothing was changed.`);

/** The key that the path of a page names. */
export const keyIdOf = ({ params }: FastifyRequest): string =>
  (params as { readonly keyId: string }).keyId;
