import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { createDepositAddress as create } from '../../../../modules/parties/deposit-addresses/create-deposit-address.ts';
import { viewDepositAddress } from '../../../../modules/parties/deposit-addresses/deposit-address-view.ts';
import { refuseProblems } from '../../../../domain/errors/refuse-problems.ts';
import { parseAmount } from '../../../../domain/money/amount.ts';
import { ANY_STABLECOIN } from '../../../../domain/money/currencies.ts';
import { describeAmountProblem } from '../../../amount-problem.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { idempotencyKeyOf } from '../../../idempotency-key.ts';
import { answerPost } from '../../../idempotent-post.ts';
import { OptionalIdempotencyHeaders } from '../../../schemas/common.ts';
import { DepositAddress, NewDepositAddress } from '../../../schemas/deposit-address.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../../schemas/error.ts';

/** POST /deposit-addresses */
export function createDepositAddress(app: App, deps: HttpDeps): void {
  app.post(
    '/deposit-addresses',
    {
      config: { permission: 'deposits:write' },
      schema: {
        operationId: 'createDepositAddress',
        summary: 'Create a deposit address',
        description:
          'Creates an address that receives tokens on every network. If you name a bank account or a wallet, each deposit is converted and paid on once it is final. Otherwise it stays in your balance. Each request creates another address, so send an Idempotency-Key. Limits: 50 ACTIVE addresses for an end-user; in each environment, 10,000 ACTIVE addresses in total, and 20,000 that are ACTIVE or were disabled in the last 30 days. Beyond a limit the answer is `limit_reached`. Addresses are created one at a time, so concurrent requests may get a 503.',
        tags: ['Deposits'],
        headers: OptionalIdempotencyHeaders,
        body: NewDepositAddress,
        response: {
          201: DepositAddress,
          ...errorResponses(
            [
              'amount_precision_exceeded',
              'corridor_unavailable',
              'resource_not_found',
              'end_user_not_active',
              'bank_account_pending',
              'bank_account_disabled',
              'wallet_not_active',
              'limit_reached',
              ...IDEMPOTENCY_CODES,
            ],
            { body: true },
          ),
        },
      },
    },
    async (request, reply) => {
      const { scope, body } = request;
      const order = readOrder(request, body);
      const key = idempotencyKeyOf(request) ?? null;
      const networks = deps.settings.networks[scope.environment];
      const answered = await answerPost(
        request,
        reply,
        deps,
        async (tx) => {
          const row = await create(deps, tx, scope, order, key);
          return { status: 201, body: viewDepositAddress(row, networks), subject: null };
        },
        { decimalFields: ['minAmount'] },
      );
      // Whatever is lost here, the reconciler repeats.
      for (const { network } of networks) {
        const place = { environment: scope.environment, network };
        deps.wakes.run('wake reader', () => deps.workflows.wakeDeposits(place));
      }
      return answered;
    },
  );
}

function readOrder(
  request: Pick<FastifyRequest, 'decimalText'>,
  { endUserId, bankAccountId, walletId, minAmount }: Static<typeof NewDepositAddress>,
) {
  const owner = { endUserId: endUserId ?? null };
  const destination = { bankAccountId: bankAccountId ?? null, walletId: walletId ?? null };
  if (minAmount === undefined) return { ...owner, ...destination, minAmount: 0n };
  const path = '/minAmount';
  const parsed = parseAmount(request.decimalText(path) ?? '', ANY_STABLECOIN);
  if (parsed.ok) return { ...owner, ...destination, minAmount: parsed.minor };
  throw refuseProblems([describeAmountProblem(parsed.problem, { path, currency: ANY_STABLECOIN })]);
}
