import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { isNetwork } from '../../../domain/onchain/network.ts';
import { Refusal, type Problem } from '../../../domain/errors/refusal.ts';
import { parseAmount } from '../../../domain/money/amount.ts';
import { isCurrency, isStablecoin } from '../../../domain/money/currencies.ts';
import { isWithinMetadataSize } from '../../../domain/metadata.ts';
import type { OrderedFunding, PaymentOrder } from '../../../modules/payments/payment-order.ts';
import { describeAmountProblem } from '../../amount-problem.ts';
import type { NewPayment } from '../../schemas/payment.ts';

/** What is answered under its own code where nothing else is wrong. */
const ALONE = [
  ...(['amount_precision_exceeded', 'unsupported_currency', 'unsupported_asset'] as const),
  'unsupported_network',
] as const;

/**
 * The order in a body that fits the schema. The amount is read from the JSON text itself, so no digit
 * passes through a double. All problems at once.
 */
export function readPaymentOrder(
  request: Pick<FastifyRequest, 'decimalText'>,
  body: Static<typeof NewPayment>,
): PaymentOrder {
  const problems: Problem[] = [];
  const metadata = body.metadata ?? {};
  if (!isWithinMetadataSize(metadata)) {
    const message = 'metadata must not exceed 8 kB of JSON.';
    problems.push({ path: '/metadata', code: 'too_large', message });
  }
  const target = unitIn({ currency: body.currency, asset: body.asset }, problems, '/');
  const source = unitIn(
    { currency: body.sourceCurrency, asset: body.sourceAsset },
    problems,
    '/source',
  );
  const funding = fundingIn(body, problems);
  let amount = 0n;
  if (target !== null) {
    const parsed = parseAmount(request.decimalText('/amount') ?? '', target);
    if (parsed.ok) amount = parsed.minor;
    else {
      const field = { path: '/amount', currency: target };
      problems.push(describeAmountProblem(parsed.problem, field));
    }
  }
  // What is deposited is what pays.
  const sourceUnit = funding?.asset ?? source;
  const maxSourceAmount = maximumIn(request, body, { target, sourceUnit }, problems);
  refuse(problems);
  if (target === null) throw new Error('an order that fits the schema names what it is of');
  return {
    endUserId: body.endUserId,
    // The schema asks for exactly one of the two.
    destination:
      body.walletId === undefined
        ? { kind: 'BANK', bankAccountId: body.bankAccountId ?? '' }
        : { kind: 'WALLET', walletId: body.walletId },
    amount,
    unit: target,
    sourceUnit,
    quoteId: body.quoteId ?? null,
    maxSourceAmount,
    funding,
    externalId: body.externalId ?? null,
    reference: body.reference ?? null,
    scheduledFor: body.scheduledFor ?? null,
    purpose: body.purpose ?? null,
    metadata,
  };
}

/** The deposit that a body asks to be paid by; null where it names none, and where what it names is a problem. */
function fundingIn(
  { funding, sourceCurrency, sourceAsset }: Static<typeof NewPayment>,
  problems: Problem[],
): OrderedFunding | null {
  if (funding?.type !== 'CRYPTO_DEPOSIT') return null;
  const { asset = '', network = '', refundWalletId = null } = funding;
  const isKnown = isStablecoin(asset);
  if (!isKnown) {
    const message = 'The asset is not supported. Use an asset that GET /networks lists.';
    problems.push({ path: '/funding/asset', code: 'unsupported_asset', message });
  }
  if (!isNetwork(network)) {
    const message = 'The network is not supported. Use a network that GET /networks lists.';
    problems.push({ path: '/funding/network', code: 'unsupported_network', message });
    return null;
  }
  if (sourceCurrency !== undefined || (sourceAsset ?? asset) !== asset) {
    const path = sourceCurrency === undefined ? '/sourceAsset' : '/sourceCurrency';
    const message = 'The source of a payment funded by a deposit must be the deposited asset.';
    problems.push({ path, code: 'source_mismatch', message });
  }
  return isKnown ? { asset, network, refundWalletId } : null;
}

/**
 * The most that the payment may cost, in minor units of its source, where it is priced anew when its rate is over; null
 * where it fails then.
 */
function maximumIn(
  request: Pick<FastifyRequest, 'decimalText'>,
  { onQuoteExpiry, maxSourceAmount, ...body }: Static<typeof NewPayment>,
  { target, sourceUnit }: { readonly target: string | null; readonly sourceUnit: string | null },
  problems: Problem[],
): bigint | null {
  const find = (field: string, code: Problem['code'], message: string): null => {
    problems.push({ path: `/${field}`, code, message });
    return null;
  };
  if (onQuoteExpiry !== undefined) {
    const isConverted = sourceUnit === null ? body.quoteId !== undefined : sourceUnit !== target;
    if (!isConverted && target !== null) {
      const message = 'onQuoteExpiry is only for a payment in two currencies or assets.';
      return find('onQuoteExpiry', 'unexpected', message);
    }
  }
  if (onQuoteExpiry !== 'REQUOTE') {
    if (maxSourceAmount === undefined) return null;
    const message = 'maxSourceAmount is only allowed with onQuoteExpiry REQUOTE.';
    return find('maxSourceAmount', 'unexpected', message);
  }
  if (body.walletId !== undefined || body.funding?.type === 'CRYPTO_DEPOSIT') {
    const message = 'REQUOTE is only for a payment from a balance to a bank account. Use FAIL.';
    return find('onQuoteExpiry', 'unexpected', message);
  }
  if (maxSourceAmount === undefined) {
    return find('maxSourceAmount', 'required', 'maxSourceAmount is required with REQUOTE.');
  }
  if (sourceUnit === null) {
    // One that was named and is not known is a problem already.
    if (body.sourceCurrency !== undefined || body.sourceAsset !== undefined) return null;
    const message = 'sourceCurrency or sourceAsset is required with maxSourceAmount.';
    return find('sourceCurrency', 'required', message);
  }
  const path = '/maxSourceAmount';
  const parsed = parseAmount(request.decimalText(path) ?? '', sourceUnit);
  if (parsed.ok) return parsed.minor;
  problems.push(describeAmountProblem(parsed.problem, { path, currency: sourceUnit }));
  return null;
}

interface NamedUnit {
  readonly currency: string | undefined;
  readonly asset: string | undefined;
}

/** The code of the currency or asset that is named; null for none, and for one that is not known: a problem. */
function unitIn(
  { currency, asset }: NamedUnit,
  problems: Problem[],
  prefix: '/' | '/source',
): string | null {
  const fieldOf = (name: 'currency' | 'asset') =>
    prefix === '/' ? `/${name}` : `/source${name === 'asset' ? 'Asset' : 'Currency'}`;
  if (asset !== undefined) {
    if (isStablecoin(asset)) return asset;
    const message = 'The asset is not supported. Use an asset that GET /networks lists.';
    problems.push({ path: fieldOf('asset'), code: 'unsupported_asset', message });
  } else if (currency !== undefined) {
    if (isCurrency(currency)) return currency;
    const message = 'The value is not a supported ISO 4217 currency code.';
    problems.push({ path: fieldOf('currency'), code: 'unsupported_currency', message });
  }
  return null;
}

function refuse(problems: readonly Problem[]): void {
  const first = problems[0];
  if (first === undefined) return;
  const isAlone = problems.length === 1;
  const alone = ALONE.find((code) => isAlone && code === first.code);
  if (alone !== undefined) throw new Refusal(alone, first.message, problems);
  throw new Refusal(
    'validation_failed',
    'The request does not match the schema. `details` lists the fields to correct.',
    problems,
  );
}
