import { createBankAccount as create } from '../../../bank-accounts/create-bank-account.ts';
import type { App, HttpDeps } from '../../deps.ts';
import { answerPost } from '../../idempotent-post.ts';
import { BankAccount, NewBankAccount } from '../../schemas/bank-account.ts';
import { OptionalIdempotencyHeaders } from '../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../schemas/error.ts';
import { screenNewParty } from '../../screen-new-party.ts';
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
    async (request, reply) => {
      const screening = screenNewParty(deps, request.scope, 'BANK_ACCOUNT');
      try {
        return await answerPost(request, reply, deps, async (tx) => {
          const { view, isNew } = await create(deps, tx, request.scope, request.body);
          if (isNew) await screening.look(tx, view.id);
          return { status: isNew ? 201 : 200, body: view };
        });
      } finally {
        screening.start();
      }
    },
  );
}
