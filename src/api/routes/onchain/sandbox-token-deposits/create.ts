import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { ScopedTransaction } from '../../../../db/client/database.ts';
import { findAddressOwner } from '../../../../db/parties/deposit-address-store.ts';
import { readAddress } from '../../../../domain/onchain/address.ts';
import type { OutsideTransfer } from '../../../../domain/onchain/token-payer.ts';
import type { ListedNetwork } from '../../../../domain/onchain/network-setup.ts';
import { Refusal, refuseField } from '../../../../domain/errors/refusal.ts';
import { ID_PREFIXES } from '../../../../domain/ids.ts';
import { formatAmount, parseAmount } from '../../../../domain/money/amount.ts';
import type { Scope } from '../../../../domain/scope.ts';
import { describeAmountProblem } from '../../../amount-problem.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPostAfter } from '../../../idempotent-post.ts';
import { requireTestKey, sandboxOrderId } from '../../../sandbox-request.ts';
import { OptionalIdempotencyHeaders } from '../../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../../schemas/error.ts';
import {
  NewSandboxTokenDeposit,
  SandboxTokenDeposit,
} from '../../../schemas/sandbox-token-deposit.ts';

/** POST /sandbox/token-deposits: an outside payer sends tokens to one of our addresses. Test keys only. */
export function createSandboxTokenDeposit(app: App, deps: HttpDeps): void {
  app.post(
    '/sandbox/token-deposits',
    {
      config: { permission: 'sandbox:write' },
      schema: {
        operationId: 'createSandboxTokenDeposit',
        summary: 'Create a sandbox token deposit',
        description:
          'Sends tokens from an outside payer to one of your addresses. The service sees them as any deposit. An amount that ends in .08 is orphaned. An amount that ends in .09 comes from a blocked sender. With a live key the answer is 404.',
        tags: ['Sandbox'],
        headers: OptionalIdempotencyHeaders,
        body: NewSandboxTokenDeposit,
        response: {
          202: SandboxTokenDeposit,
          ...errorResponses(
            [
              'invalid_address',
              'unsupported_network',
              'unsupported_asset',
              'amount_precision_exceeded',
              'amount_above_maximum',
              'resource_not_found',
              'corridor_unavailable',
              'service_unavailable',
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
      const { payFromOutside, db, settings } = deps;
      requireTestKey(scope);
      const act = async () => {
        // Only here, after the key was looked up: what is listed now must not change an answer given.
        if (payFromOutside === undefined) {
          throw new Refusal(
            'corridor_unavailable',
            'The sandbox has no blockchain in this environment.',
          );
        }
        const transfer = readTransfer(request, body, settings.networks[scope.environment]);
        await db.read(scope, (tx) => requireOwn(tx, scope, transfer.to));
        // The control API makes one transfer an id, however often it is asked.
        const txHash = await payFromOutside(transfer);
        if (txHash === null) {
          throw new Refusal(
            'service_unavailable',
            'The blockchain of the sandbox did not answer. Try again.',
          );
        }
        const place = { environment: scope.environment, network: transfer.network };
        deps.wakes.run('wake reader', () => deps.workflows.wakeDeposits(place));
        const { network, asset, to: address, amount } = transfer;
        const told = { network, asset, address, amount, txHash };
        const createdAt = deps.clock.now().toISOString();
        return { status: 202, body: { ...told, createdAt }, subject: null };
      };
      return answerPostAfter(request, reply, deps, act, { decimalFields: ['amount'] });
    },
  );
}

async function requireOwn(tx: ScopedTransaction, scope: Scope, address: string): Promise<void> {
  if ((await findAddressOwner(tx, scope, address)) !== null) return;
  throw refuseField(
    'resource_not_found',
    '/address',
    'The address is not one of your addresses for deposits.',
  );
}

function readTransfer(
  request: FastifyRequest,
  body: Static<typeof NewSandboxTokenDeposit>,
  networks: readonly ListedNetwork[],
): OutsideTransfer {
  const listing = networks.find(({ network }) => network === body.network);
  if (listing === undefined) {
    throw refuseField(
      'unsupported_network',
      '/network',
      'The network is not supported. Use a network that GET /networks lists.',
    );
  }
  const listed = listing.assets.find(({ asset }) => asset === body.asset);
  if (listed === undefined) {
    throw refuseField(
      'unsupported_asset',
      '/asset',
      'The asset is not supported on the network. Use an asset that GET /networks lists for it.',
    );
  }
  const read = readAddress(body.address);
  if (!read.ok)
    throw refuseField(
      'invalid_address',
      '/address',
      'The value is not an address. Use 0x and 40 hexadecimal digits.',
    );
  const { asset, max } = listed;
  const parsed = parseAmount(request.decimalText('/amount') ?? '', asset);
  if (!parsed.ok) {
    const problem = describeAmountProblem(parsed.problem, { path: '/amount', currency: asset });
    const code =
      parsed.problem === 'too_precise' ? 'amount_precision_exceeded' : 'validation_failed';
    throw new Refusal(code, problem.message, [problem]);
  }
  if (parsed.minor > max) {
    throw refuseField(
      'amount_above_maximum',
      '/amount',
      'The amount is above the maximum of a payment on the network.',
    );
  }
  return {
    ...{
      id: sandboxOrderId(request, ID_PREFIXES.sandboxDeposit),
      network: listing.network,
      asset,
      to: read.address,
    },
    amount: formatAmount(parsed.minor, asset),
  };
}
