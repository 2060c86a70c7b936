import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Network } from '../../../../domain/onchain/network.ts';
import type { ListedNetwork } from '../../../../domain/onchain/network-setup.ts';
import type { Problem } from '../../../../domain/errors/refusal.ts';
import { refuseProblems } from '../../../../domain/errors/refuse-problems.ts';
import { parseAmount } from '../../../../domain/money/amount.ts';
import { isCurrency, isStablecoin } from '../../../../domain/money/currencies.ts';
import { problemsOfAssets } from '../../../../domain/payments/quotes/quoted-assets.ts';
import type { QuoteOrder } from '../../../../modules/payments/quotes/quote-order.ts';
import { describeAmountProblem } from '../../../amount-problem.ts';
import type { NewQuote } from '../../../schemas/quote.ts';

type Body = Static<typeof NewQuote>;

/**
 * The order in a body that fits the schema, judged by what the environment lists. The amount is read from
 * the JSON text itself, so no digit passes through a double. All problems at once.
 */
export function readQuoteOrder(
  request: FastifyRequest,
  body: Body,
  networks: readonly ListedNetwork[],
): QuoteOrder {
  const problems: Problem[] = [];
  const source = readCode(body, 'source', problems);
  const target = readCode(body, 'target', problems);
  const network = readNetwork(body, problems);
  if (source !== null && source === target) {
    const message = 'The source and the target of a quote must differ.';
    problems.push({ path: pathOf('target', target), code: 'same_currency', message });
  }
  const fixedSide = body.sourceAmount === undefined ? 'TARGET' : 'SOURCE';
  if ((body.sourceAmount === undefined) === (body.targetAmount === undefined)) {
    const message = 'Give either sourceAmount or targetAmount.';
    problems.push({ path: '/sourceAmount', code: 'one_amount_needed', message });
    throw refuseProblems(problems);
  }
  const code = fixedSide === 'SOURCE' ? source : target;
  const path = fixedSide === 'SOURCE' ? '/sourceAmount' : '/targetAmount';
  let amount = 0n;
  if (code !== null) {
    const parsed = parseAmount(request.decimalText(path) ?? '', code);
    if (parsed.ok) amount = parsed.minor;
    else problems.push(describeAmountProblem(parsed.problem, { path, currency: code }));
  }
  if (source === null || target === null || problems.length > 0) throw refuseProblems(problems);
  const pair = { sourceCurrency: source, targetCurrency: target, network };
  const unlisted = problemsOfAssets(networks, pair);
  if (unlisted.length > 0) throw refuseProblems(unlisted);
  return { ...pair, fixedSide, amount, lockFor: body.lockFor };
}

type Side = 'source' | 'target';

const pathOf = (side: Side, code: string): string =>
  isStablecoin(code) ? `/${side}Asset` : `/${side}Currency`;

/** The currency or asset of a side, of which the body names exactly one; null with a problem. */
function readCode(body: Body, side: Side, problems: Problem[]): string | null {
  const currency = body[`${side}Currency`];
  const asset = body[`${side}Asset`];
  if ((currency === undefined) === (asset === undefined)) {
    const message = `Give either ${side}Currency or ${side}Asset.`;
    problems.push({ path: `/${side}Currency`, code: 'one_unit_needed', message });
    return null;
  }
  if (currency !== undefined && !isCurrency(currency)) {
    const message = 'The value is not a supported ISO 4217 currency code.';
    problems.push({ path: `/${side}Currency`, code: 'unsupported_currency', message });
    return null;
  }
  if (asset !== undefined && !isStablecoin(asset)) {
    const message = 'The asset is not supported. Use an asset that GET /networks lists.';
    problems.push({ path: `/${side}Asset`, code: 'unsupported_asset', message });
    return null;
  }
  return currency ?? asset ?? null;
}

/** Where an asset shall arrive: there with a targetAsset, and only then. */
function readNetwork({ targetAsset, network }: Body, problems: Problem[]): Network | null {
  if ((targetAsset === undefined) !== (network === undefined)) {
    const message = 'Give network with targetAsset, and only then.';
    problems.push({ path: '/network', code: 'network_with_asset', message });
  }
  return network ?? null;
}
