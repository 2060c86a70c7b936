import { refuseProblems } from '../../../../domain/errors/refuse-problems.ts';
import { isCurrency } from '../../../../domain/money/currencies.ts';
import { formatAmount, parseAmount } from '../../../../domain/money/amount.ts';
import { checkCurrency } from '../../../../modules/parties/bank-accounts/judge-bank-account.ts';
import { insertSandboxDeposit } from '../../../../db/onchain/sandbox-deposit-store.ts';
import { newId } from '../../../../db/client/new-id.ts';
import { ID_PREFIXES } from '../../../../domain/ids.ts';
import { checkDeposit } from '../../../../modules/ledger/funding/check-deposit.ts';
import { keepReferences } from '../../../../modules/ledger/funding/keep-references.ts';
import { describeAmountProblem } from '../../../amount-problem.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPost } from '../../../idempotent-post.ts';
import { requireTestKey } from '../../../sandbox-request.ts';
import { OptionalIdempotencyHeaders } from '../../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../../schemas/error.ts';
import { NewSandboxDeposit, SandboxDeposit } from '../../../schemas/funding.ts';

/** POST /sandbox/deposits: a payer pays into our account at the sandbox bank. Test keys only. */
export function createSandboxDeposit(app: App, deps: HttpDeps): void {
  app.post(
    '/sandbox/deposits',
    {
      config: { permission: 'sandbox:write' },
      schema: {
        operationId: 'createSandboxDeposit',
        summary: 'Create a sandbox deposit',
        description:
          'The sandbox bank books a credit, which arrives with a bank statement within about 15 seconds. It is credited if the reference belongs to a customer, and is unmatched otherwise. With a live key the answer is 404.',
        tags: ['Sandbox'],
        headers: OptionalIdempotencyHeaders,
        body: NewSandboxDeposit,
        response: {
          202: SandboxDeposit,
          ...errorResponses(
            [
              'unsupported_currency',
              'amount_precision_exceeded',
              'amount_above_maximum',
              ...IDEMPOTENCY_CODES,
              'not_found',
            ],
            { body: true },
          ),
        },
      },
    },
    async (request, reply) => {
      const { scope, body } = request;
      requireTestKey(scope);
      const { currency } = body;
      const problems = checkCurrency(currency, '/currency');
      const text = request.decimalText('/amount') ?? '';
      const amount = isCurrency(currency) ? parseAmount(text, currency) : null;
      if (amount?.ok === false) {
        problems.push(describeAmountProblem(amount.problem, { path: '/amount', currency }));
      }
      if (problems.length > 0 || amount?.ok !== true) throw refuseProblems(problems);
      const own = await keepReferences(deps, scope, [currency]);
      const reference = body.reference ?? own.get(currency) ?? '';
      const { minor } = amount;
      return answerPost(
        request,
        reply,
        deps,
        async (tx) => {
          await checkDeposit(tx, scope, { currency, minor });
          const at = deps.clock.now();
          const id = newId(ID_PREFIXES.sandboxDeposit);
          await insertSandboxDeposit(tx, scope, { id, currency, amount: minor, reference, at });
          const told = { id, currency, amount: formatAmount(minor, currency), reference };
          return { status: 202, body: { ...told, createdAt: at.toISOString() }, subject: null };
        },
        { decimalFields: ['amount'] },
      );
    },
  );
}
