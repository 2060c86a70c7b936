import { viewBankAccount } from '../../../bank-accounts/bank-account-view.ts';
import { createBankAccount as create } from '../../../bank-accounts/create-bank-account.ts';
import type { App, HttpDeps } from '../../deps.ts';
import { answerPost } from '../../idempotent-post.ts';
import { BankAccount, NewBankAccount } from '../../schemas/bank-account.ts';
import { OptionalIdempotencyHeaders } from '../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../schemas/error.ts';
import type { ErrorCode } from '../../../domain/errors/registry.ts';

const CODES: readonly ErrorCode[] = [
  'unsupported_country',
  'unsupported_currency',
  'corridor_unavailable',
  'resource_not_found',
  'end_user_not_active',
  ...IDEMPOTENCY_CODES,
];

/** POST /bank-accounts */
export function createBankAccount(app: App, deps: HttpDeps): void {
  app.post(
    '/bank-accounts',
    {
      config: { permission: 'bank-accounts:write' },
      schema: {
        operationId: 'createBankAccount',
        summary: 'Register a bank account',
        description:
          'Answers 201 with a new account, or 200 with the one that the end-user has already.',
        tags: ['Bank accounts'],
        headers: OptionalIdempotencyHeaders,
        body: NewBankAccount,
        response: { 200: BankAccount, 201: BankAccount, ...errorResponses(CODES, { body: true }) },
      },
    },
    (request, reply) =>
      answerPost(request, reply, deps, async (tx) => {
        const { row, isNew } = await create(deps, tx, request.scope, request.body);
        const body = viewBankAccount(row, deps.vault);
        return { status: isNew ? 201 : 200, body, subject: { ...row, resourceId: row.id } };
      }),
  );
}
