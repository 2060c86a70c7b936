import iban from 'iban';
import { stdnum } from 'stdnum';
import validator from 'validator';
import { describe, expect, it } from 'vitest';

import { isValidRoutingNumber } from '../../../src/domain/parties/bank-accounts/aba.ts';
import { isValidBic } from '../../../src/domain/parties/bank-accounts/bic.ts';
import { isValidCbu } from '../../../src/domain/parties/bank-accounts/cbu.ts';
import { isValidCci } from '../../../src/domain/parties/bank-accounts/cci.ts';
import { isValidClabe } from '../../../src/domain/parties/bank-accounts/clabe.ts';
import { isValidCnapsCode } from '../../../src/domain/parties/bank-accounts/cnaps.ts';
import { isValidCnpj, isValidCpf } from '../../../src/domain/parties/bank-accounts/cpf-cnpj.ts';
import { exampleIban } from '../../../src/domain/parties/bank-accounts/example-iban.ts';
import { isValidIban } from '../../../src/domain/parties/bank-accounts/iban.ts';
import { hasIbans, ibanHome } from '../../../src/domain/parties/bank-accounts/iban-country.ts';
import { isValidNit } from '../../../src/domain/parties/bank-accounts/nit.ts';
import { isValidNuban } from '../../../src/domain/parties/bank-accounts/nuban.ts';
import { isValidRut } from '../../../src/domain/parties/bank-accounts/rut.ts';
import { isValidThaiId } from '../../../src/domain/parties/bank-accounts/thai-id.ts';
import { countryCodes } from '../../../src/domain/payments/corridors/countries.ts';
import {
  digits,
  mistype,
  pick,
  seededRandom,
  swap,
  type Random,
} from '../../support/parties/mistakes.ts';

const MISTAKES = 3_000;
const SEED = 20_261_122;

const KNOWN_IBANS = countryCodes()
  .filter((country) => hasIbans(country) && ibanHome(country) === country)
  .map(exampleIban);

const POOL = 500;

/** Draws random texts of a form until so many are valid: one in ten or in a hundred is. */
function drawn(isValid: (text: string) => boolean, draw: (random: Random) => string) {
  const pool: string[] = [];
  return (random: Random): string => {
    while (pool.length < POOL) {
      const text = draw(random);
      if (isValid(text)) pool.push(text);
    }
    return pick(random, pool);
  };
}

// Banamex, BBVA, Santander, Banorte and STP in the capital.
const MEXICAN_BRANCHES = ['002180', '012180', '014180', '072180', '646180'];

const ofBank011 = (text: string): boolean => isValidNuban('011', text);

interface Scheme {
  readonly isValid: (text: string) => boolean;
  readonly valid: (random: Random) => string;
  /** Whether every exchange of two digits beside each other is caught; weights decide. */
  readonly catchesSwaps: boolean;
}

const SCHEMES: Readonly<Record<string, Scheme>> = {
  iban: { isValid: isValidIban, valid: (random) => pick(random, KNOWN_IBANS), catchesSwaps: true },
  // 3-7-1 and the like: digits five apart change places unseen.
  aba: scheme(isValidRoutingNumber, (random) => digits(random, 9)),
  clabe: scheme(
    isValidClabe,
    (random) => pick<string>(random, MEXICAN_BRANCHES) + digits(random, 12),
  ),
  cbu: scheme(isValidCbu, (random) => digits(random, 22)),
  nuban: scheme(ofBank011, (random) => digits(random, 10)),
  cci: scheme(isValidCci, (random) => digits(random, 20)),
  cpf: scheme(isValidCpf, (random) => digits(random, 11)),
  cnpj: scheme(isValidCnpj, (random) => digits(random, 14)),
  rut: scheme(
    isValidRut,
    (random) => `${digits(random, 8)}${pick<string>(random, '0123456789K')}`,
    true,
  ),
  nit: scheme(isValidNit, (random) => digits(random, 10)),
  thaiId: scheme(isValidThaiId, (random) => pick<string>(random, '12345678') + digits(random, 12)),
  cnaps: scheme(isValidCnapsCode, (random) => `1${digits(random, 11)}`),
};

function scheme(
  isValid: Scheme['isValid'],
  draw: (random: Random) => string,
  catchesSwaps = false,
): Scheme {
  return { isValid, valid: drawn(isValid, draw), catchesSwaps };
}

/**
 * Standards modulo 11 that write 10 as another digit cannot tell that digit's two meanings apart, and see
 * nothing of a digit whose weight is 11: some mistakes are right by the standard itself. Another package must take the same ones.
 */
const BLIND: Readonly<Record<string, (text: string) => boolean>> = {
  cpf: judgeOf('BR', 'cpf'),
  cnpj: judgeOf('BR', 'cnpj'),
  nit: judgeOf('CO', 'nit'),
  // Of businesses and foreigners it has another function, with the same sum.
  thaiId: (text) => /^[09]/.test(text) || judgeOf('TH', 'idnr')(text),
};

describe.each(Object.entries(SCHEMES))('%s', (name, { isValid, valid, catchesSwaps }) => {
  it(`none of ${String(MISTAKES)} single wrong digits is taken for right`, () => {
    const random = seededRandom(SEED);
    const byTheStandard = BLIND[name] ?? (() => false);
    let passed = 0;
    for (let i = 0; i < MISTAKES; i += 1) {
      const right = valid(random);
      const wrong = mistype(random, right);
      if (!isValid(right)) throw new Error(`${right} is not valid`);
      if (!isValid(wrong)) continue;
      passed += 1;
      if (!byTheStandard(wrong)) throw new Error(`${right} -> ${wrong} is taken for right`);
    }
    expect(passed).toBeLessThan(name in BLIND ? MISTAKES / 10 : 1);
  });

  if (!catchesSwaps) return;
  it(`none of ${String(MISTAKES)} exchanged neighbours is`, () => {
    const random = seededRandom(SEED);
    for (let i = 0; i < MISTAKES; i += 1) {
      const right = valid(random);
      const wrong = swap(random, right);
      if (wrong !== null && isValid(wrong)) throw new Error(`${right} -> ${wrong} is valid`);
    }
  });
});

/** Random texts, half of them with a check digit that fits. */
function* samples(name: string, count: number): Generator<string> {
  const { valid } = SCHEMES[name] ?? {};
  const random = seededRandom(SEED);
  for (let i = 0; i < count; i += 1) {
    const right = valid?.(random) ?? '';
    yield right;
    yield mistype(random, right);
    const swapped = swap(random, right);
    if (swapped !== null) yield swapped;
  }
}

interface Oracle {
  readonly scheme: string;
  readonly by: string;
  readonly judge: (text: string) => boolean;
  /** What the other package has no opinion on, or a wrong one. */
  readonly isLeftOut?: (text: string) => boolean;
}

const ORACLES: readonly Oracle[] = [
  {
    scheme: 'iban',
    by: 'iban',
    judge: (text) => iban.isValid(text),
    isLeftOut: (text) => isOtherwise(text, (one) => iban.isValid(one)),
  },
  {
    scheme: 'iban',
    by: 'validator',
    judge: (text) => validator.isIBAN(text),
    isLeftOut: (text) => isOtherwise(text, (one) => validator.isIBAN(one)),
  },
  { scheme: 'aba', by: 'validator', judge: (text) => validator.isAbaRouting(text) },
  {
    scheme: 'clabe',
    by: 'stdnum',
    judge: judgeOf('MX', 'clabe'),
    // It knows lists of banks and of places.
    isLeftOut: (text) => !MEXICAN_BRANCHES.includes(text.slice(0, 6)),
  },
  {
    scheme: 'cbu',
    by: 'stdnum',
    judge: judgeOf('AR', 'cbu'),
    // It writes a check digit of zero as "10" and refuses it.
    isLeftOut: (text) => text[7] === '0' || text[21] === '0',
  },
  { scheme: 'cpf', by: 'stdnum', judge: judgeOf('BR', 'cpf') },
  { scheme: 'cnpj', by: 'stdnum', judge: judgeOf('BR', 'cnpj') },
  { scheme: 'rut', by: 'stdnum', judge: judgeOf('CL', 'rut') },
  {
    scheme: 'nit',
    by: 'stdnum',
    judge: judgeOf('CO', 'nit'),
    // No number is given out that begins so.
    isLeftOut: (text) => text.startsWith('0'),
  },
  {
    scheme: 'thaiId',
    by: 'stdnum',
    judge: judgeOf('TH', 'idnr'),
    // Of businesses (0) and foreigners (0, 9) it has another function, with the same sum.
    isLeftOut: (text) => /^[09]/.test(text),
  },
];

describe('an independent package', () => {
  it.each(ORACLES)('judges each $scheme as we do: $by', ({ scheme: name, judge, isLeftOut }) => {
    const { isValid } = SCHEMES[name] ?? {};
    const differing = new Set<string>();
    let valid = 0;
    for (const text of samples(name, 1_000)) {
      if (isLeftOut?.(text) === true) continue;
      if (isValid?.(text) !== judge(text)) differing.add(text);
      else if (judge(text)) valid += 1;
    }
    expect([...differing].slice(0, 5)).toEqual([]);
    expect(valid).toBeGreaterThan(500);
  });

  it('judges each BIC as we do, but for countries that it does not know', () => {
    const random = seededRandom(SEED);
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
    const differing: string[] = [];
    for (let i = 0; i < 2_000; i += 1) {
      const draw = (length: number, from: string) =>
        Array.from({ length }, () => pick<string>(random, from)).join('');
      const country = pick(random, countryCodes());
      const tail = pick(random, ['', draw(3, letters + '0123456789')]);
      const bic = draw(4, letters) + country + draw(2, letters + '0123456789') + tail;
      const isKnown = country === 'XK' || validator.isBIC(bic);
      if (!isValidBic(bic) || !isKnown) differing.push(bic);
    }
    expect(differing).toEqual([]);
  });
});

/** Whether another package has other IBANs for the country: it refuses the registry's own example. */
function isOtherwise(text: string, judge: (iban: string) => boolean): boolean {
  const example = KNOWN_IBANS.find((one) => one.startsWith(text.slice(0, 2)));
  return example === undefined || !judge(example);
}

/** How the other package judges a national number. */
function judgeOf(country: string, kind: string): (text: string) => boolean {
  const national = stdnum as unknown as Record<string, Record<string, Validator | undefined>>;
  const found = national[country]?.[kind];
  if (found === undefined) throw new Error(`the other package knows no ${kind}`);
  return (text) => found.validate(text).isValid;
}

interface Validator {
  validate(text: string): { readonly isValid: boolean };
}
