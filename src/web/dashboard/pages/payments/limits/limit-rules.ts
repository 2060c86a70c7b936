import { parseAmount, type AmountProblem } from '../../../../../domain/money/amount.ts';
import { isMoneyCode } from '../../../../../domain/money/currencies.ts';
import type { PaymentLimit } from '../../../../../domain/payments/limits/payment-limit.ts';
import type { LimitOutcome } from '../../../../../modules/payments/limits/change-limits.ts';
import { oneOf } from '../../../../kit/forms/filter-rules.ts';
import type { FieldProblem } from '../../../../kit/forms/form-rules.ts';
import type { FormValues } from '../../../../kit/forms/read-form.ts';
import { PageRefusal } from '../../../../kit/page-refusal.ts';

/** The version that a form was filled from. */
export const VERSION = {
  what: 'the version that was seen',
  lengthMax: 9,
  check: (text: string) => (/^(0|[1-9][0-9]*)$/.test(text) ? null : 'Enter a version.'),
} as const;

export const LIMIT_RULES = {
  key: { what: 'an API key', lengthMax: 40, isOptional: true },
  currency: {
    what: 'a currency',
    lengthMax: 10,
    check: (text: string) =>
      isMoneyCode(text) ? null : 'Enter the code of a currency or an asset, for example EUR.',
  },
  perPayment: { what: 'an amount', lengthMax: 25, isOptional: true },
  perDay: { what: 'an amount', lengthMax: 25, isOptional: true },
  beneficiaries: { what: 'a choice', ...oneOf(['any', 'allowed']) },
  seen: VERSION,
} as const;

const PROBLEMS: Readonly<Record<AmountProblem, string>> = {
  format: 'Enter an amount, for example 1000.00.',
  not_positive: 'Enter an amount of 0 or more.',
  too_large: 'Enter a lower amount.',
  too_precise: 'Enter fewer decimals.',
};

/** The limit that a form asks for; null: its amounts are wrong. An empty amount is no limit. */
export function limitOf({
  key,
  currency,
  perPayment,
  perDay,
  beneficiaries,
}: FormValues<typeof LIMIT_RULES>): {
  readonly limit: PaymentLimit | null;
  readonly problems: readonly FieldProblem[];
} {
  if (!isMoneyCode(currency)) return { limit: null, problems: [] };
  const problems: FieldProblem[] = [];
  const read = (field: string, text: string): bigint | null => {
    if (text === '') return null;
    if (/^0+(\.0+)?$/.test(text)) return 0n;
    const parsed = parseAmount(text, currency);
    if (parsed.ok) return parsed.minor;
    problems.push({ field, message: PROBLEMS[parsed.problem] });
    return null;
  };
  const limit = {
    ...{ apiKeyId: key === '' ? null : key, currency },
    perPayment: read('perPayment', perPayment),
    perDay: read('perDay', perDay),
    allowedBeneficiariesOnly: beneficiaries === 'allowed',
  };
  return problems.length > 0 ? { limit: null, problems } : { limit, problems };
}

const WHY: Readonly<Record<Exclude<LimitOutcome, 'DONE'>, string>> = {
  CHANGED: 'Someone changed the limit since you opened the page.',
  TOO_MANY: 'There are too many already. Remove one first.',
};

export const refusedChange = (outcome: keyof typeof WHY): PageRefusal =>
  new PageRefusal(409, 'Nothing was changed', `${WHY[outcome]} Nothing was changed.`);
