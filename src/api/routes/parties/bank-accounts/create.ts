import { viewBankAccount } from '../../../../modules/parties/bank-accounts/bank-account-view.ts';
import { checkHolderName } from '../../../../modules/parties/bank-accounts/check-holder-name.ts';
import { createBankAccount as create } from '../../../../modules/parties/bank-accounts/create-bank-account.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPost } from '../../../idempotent-post.ts';
import { BankAccount, NewBankAccount } from '../../../schemas/bank-account.ts';
import { OptionalIdempotencyHeaders } from '../../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../../schemas/error.ts';
import { screenNewParty } from '../../../screen-new-party.ts';
import type { ErrorCode } from '../../../../domain/errors/registry.ts';

const CODES: readonly ErrorCode[] = [
  'unsupported_country',
  'unsupported_currency',
  'corridor_unavailable',
  'country_restricted',
  'resource_not_found',
  'end_user_not_active',
  'operators_only',
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
          'Answers 201 with a new account. If the end-user already has the account, in any spelling and status, answers 200 with that one. If the rail supports name checks, the service asks the bank whether the holder name matches and waits up to 2 seconds (`nameCheck`). Payments to an account with NO_MATCH are refused.',
        tags: ['Bank accounts'],
        headers: OptionalIdempotencyHeaders,
        body: NewBankAccount,
        response: { 200: BankAccount, 201: BankAccount, ...errorResponses(CODES, { body: true }) },
      },
    },
    async (request, reply) => {
      const { scope, body } = request;
      const nameCheck = await checkHolderName(deps, scope, body);
      const screening = screenNewParty(deps, request, 'BANK_ACCOUNT');
      try {
        return await answerPost(request, reply, deps, async (tx) => {
          const { row, isNew } = await create(deps, tx, scope, body, { nameCheck });
          if (isNew) await screening.look(tx, row.id);
          const subject = { ...row, resourceId: row.id };
          return { status: isNew ? 201 : 200, body: viewBankAccount(row, deps.vault), subject };
        });
      } finally {
        screening.start();
      }
    },
  );
}
