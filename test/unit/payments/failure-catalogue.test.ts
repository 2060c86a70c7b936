import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FAILURE_CODES,
  FAILURES,
} from '../../../src/domain/payments/failures/failure-catalogue.ts';
import {
  FAILURE_CATEGORIES,
  PARTNER_ACTIONS,
} from '../../../src/domain/payments/failures/failure-categories.ts';
import { renderFailuresPage } from '../../../src/domain/payments/failures/failures-page.ts';
import {
  ISO_RETURN_REASONS,
  ISO_STATUS_REASONS,
} from '../../../src/domain/payments/failures/iso-reasons.ts';
import { NACHA_REASONS } from '../../../src/domain/payments/failures/nacha-reasons.ts';
import { railCodesOf, reasonOf } from '../../../src/domain/payments/failures/rail-reasons.ts';
import { settleByReport } from '../../../src/domain/payments/settle-by-report.ts';
import { isRetryableReason } from '../../../src/domain/payments/transfer-report.ts';
import { ROOT } from '../../support/docs/markdown.ts';
import { FINAL_DUE_AT, NOW, report, standing } from '../../support/payments/settling-payment.ts';

describe('the reason of a bank', () => {
  it.each([
    ['AC04', 'account_closed', 'CORRECT_ACCOUNT'],
    ['AC06', 'account_blocked', 'ASK_BENEFICIARY'],
    ['R03', 'account_not_found', 'CORRECT_ACCOUNT'],
    ['R23', 'beneficiary_refused', 'ASK_BENEFICIARY'],
    ['MD07', 'beneficiary_deceased', 'DO_NOT_RETRY'],
    ['FOCR', 'recalled', 'CONTACT_SUPPORT'],
    ['ACCOUNT_NOT_FOUND', 'account_not_found', 'CORRECT_ACCOUNT'],
    ['BANK_UNAVAILABLE', 'bank_unavailable', 'RETRY_LATER'],
    ['MS03', 'unspecified', 'CONTACT_SUPPORT'],
    ['ZZ99', 'unspecified', 'CONTACT_SUPPORT'],
  ])('%s is told as %s, with what to do next: %s', (railCode, code, action) => {
    expect(reasonOf(railCode, 'RETURNED')).toMatchObject({ code, action, railCode });
  });

  it('means what its own list says, where rejections and returns differ', () => {
    expect(reasonOf('AC14', 'REJECTED').code).toBe('account_not_payable');
    expect(reasonOf('AC14', 'RETURNED').code).toBe('bank_identifier_invalid');
    expect(reasonOf('BE08', 'RETURNED').code).toBe('bank_error');
  });

  it.each(['RR04', 'FRAD', 'FR01', 'AM07', 'NOCM', 'R16', 'SANCTIONS', 'REGULATORY'])(
    '%s leaves as compliance and says no more, not even its own code',
    (railCode) => {
      for (const kind of ['REJECTED', 'RETURNED'] as const) {
        expect(reasonOf(railCode, kind)).toEqual({
          ...{ code: 'compliance_declined', category: 'COMPLIANCE', railCode: null },
          ...{ retryable: false, action: 'DO_NOT_RETRY' },
          message: FAILURES.compliance_declined.message,
        });
      }
    },
  );

  it.each([
    'Ada Sample has moved',
    'ac04',
    'DE89370400440532013000',
    'ACCOUNT-12345678',
    'A'.repeat(36),
    'AC04\nAC05',
    '<B>AC04</B>',
    'ＡＣ０４',
    '',
  ])('%j is no code: nothing of it is told', (said) => {
    expect(reasonOf(said, 'REJECTED')).toMatchObject({ code: 'unspecified', railCode: null });
  });

  it('whatever a bank writes, only what looks like a code is told, and our code is one of the list', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' })), (said) => {
        const { code, railCode } = reasonOf(said, 'RETURNED');
        expect(FAILURE_CODES).toContain(code);
        if (railCode !== null) expect(railCode).toMatch(/^[A-Z0-9_-]{1,35}$/);
      }),
    );
  });

  it('reaches the partner by the one way a payment fails, for every word of every list', () => {
    const words = [
      ...ISO_STATUS_REASONS.keys(),
      ...ISO_RETURN_REASONS.keys(),
      ...NACHA_REASONS.keys(),
    ];
    for (const word of words.filter((one) => !isRetryableReason(one))) {
      const { payment, attempt } = standing({ attempt: { phase: 'ACCEPTED' } });
      const settlement = { payment, attempt, areReturnsDeducted: false, finalDueAt: FINAL_DUE_AT };
      const said = report('REJECTED', { reason: word });
      const { steps } = settleByReport(settlement, said, { kind: 'CALLBACK' }, NOW);
      expect(steps[0]?.change?.failure, word).toEqual(reasonOf(word, 'REJECTED'));
    }
  });
});

describe('the catalogue', () => {
  it('makes this service try again for no more reasons than before', () => {
    const known = FAILURE_CODES.flatMap(railCodesOf);
    expect(known.filter(isRetryableReason).sort()).toEqual([
      ...['AB05', 'AB06', 'AB07', 'AB08'],
      ...['BANK_UNAVAILABLE', 'RAIL_UNAVAILABLE', 'TEMPORARILY_UNAVAILABLE'],
    ]);
  });

  it('calls only that retryable for a partner which may pass by itself', () => {
    for (const code of FAILURE_CODES) {
      const { retryable, action } = FAILURES[code];
      expect(retryable, code).toBe(action === 'RETRY_LATER');
    }
  });

  it('has a known category and action, a message and a next step for every code', () => {
    for (const code of FAILURE_CODES) {
      const entry = FAILURES[code];
      expect(code).toMatch(/^[a-z][a-z_]{2,39}$/);
      expect(FAILURE_CATEGORIES).toContain(entry.category);
      expect(PARTNER_ACTIONS).toContain(entry.action);
      expect(entry.message.length).toBeGreaterThan(10);
      expect(entry.nextStep.length).toBeGreaterThan(10);
    }
  });

  it.each([
    ['rejections of ISO 20022', ISO_STATUS_REASONS, /^[A-Z][A-Z0-9]{3}$/, 120],
    ['returns of ISO 20022', ISO_RETURN_REASONS, /^[A-Z][A-Z0-9]{3}$/, 70],
    ['returns of Nacha', NACHA_REASONS, /^R[0-9]{2}$/, 60],
  ])('%s: every code once, in the form of its list', (_name, table, form, countMin) => {
    expect(table.size).toBeGreaterThanOrEqual(countMin);
    for (const railCode of table.keys()) expect(railCode).toMatch(form);
  });

  it('holds no rail code twice in one list', () => {
    const source = ['iso-reasons', 'nacha-reasons', 'bank-words'].map((name) =>
      readFileSync(join(ROOT, `src/domain/payments/failures/${name}.ts`), 'utf8'),
    );
    const tables = source.flatMap((text) => text.split('reasonTable({').slice(1));
    expect(tables).toHaveLength(4);
    for (const text of tables) {
      const words = [...text.matchAll(/'([A-Z][A-Z0-9_ ]+)'/g)].flatMap(([, line]) =>
        (line ?? '').split(' '),
      );
      expect(words.length).toBeGreaterThan(15);
      expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
    }
  });

  it('is what docs/reference/failures.md says', () => {
    const page = readFileSync(join(ROOT, 'docs/reference/failures.md'), 'utf8');
    expect(renderFailuresPage(page)).toBe(page);
    for (const code of FAILURE_CODES) expect(page).toContain(`### ${code}\n`);
  });

  it('names the kind of every rail code that stands under two reasons', () => {
    const page = readFileSync(join(ROOT, 'docs/reference/failures.md'), 'utf8');
    const lines = page.split('\n').filter((line) => line.startsWith('- rail codes: '));
    const listed = lines.flatMap((line) => line.slice('- rail codes: '.length).split(', '));
    expect(listed.filter((code, index) => listed.indexOf(code) !== index)).toEqual([]);
    expect(listed).toEqual(expect.arrayContaining(['`AC14` (rejected)', '`AC14` (returned)']));
  });
});
