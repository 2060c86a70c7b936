import { describe, expect, it } from 'vitest';
import { readFeesFile } from '../../src/config/fees-file.ts';

const lines = (...fees: object[]) => {
  const read = readFeesFile({ fees });
  return read.ok ? [] : read.lines;
};
const row = { type: 'SERVICE', currency: 'EUR', fixed: '0.20' };

describe("an operator's file of fees", () => {
  it('is read into minor units, with any and no bound where nothing is said', () => {
    const read = readFeesFile({
      fees: [
        {
          ...row,
          environment: 'live',
          rail: 'SEPA',
          country: 'DE',
          bps: 30,
          min: '0.5',
          max: '10',
        },
        { type: 'RAIL', currency: 'KWD', fixed: '0.005' },
        { type: 'RAIL', currency: 'JPY', fixed: '0' },
      ],
    });
    expect(read).toEqual({
      ok: true,
      rows: [
        {
          ...{ type: 'SERVICE', currency: 'EUR', environment: 'live', rail: 'SEPA', country: 'DE' },
          ...{ fixed: 20n, bps: 30, min: 50n, max: 1_000n },
        },
        {
          ...{ type: 'RAIL', currency: 'KWD', environment: null, rail: null, country: null },
          ...{ fixed: 5n, bps: 0, min: null, max: null },
        },
        {
          ...{ type: 'RAIL', currency: 'JPY', environment: null, rail: null, country: null },
          ...{ fixed: 0n, bps: 0, min: null, max: null },
        },
      ],
    });
  });

  it.each([
    [{ currency: 'XXX' }, 'row 2 of fees: currency must be an ISO 4217 code'],
    [{ fixed: '0.201' }, 'row 2 of fees: fixed must be an amount with the decimals of EUR at most'],
    [{ fixed: '-1' }, 'row 2 of fees: fixed must be'],
    [{ min: '1e3' }, 'row 2 of fees: min must be'],
    [{ max: '9999999999' }, 'row 2 of fees: max must be'],
    [{ min: '2', max: '1' }, 'row 2 of fees: max must be no less than min'],
    [{ rail: 'PIGEON' }, 'row 2 of fees: rail must be the name of a rail'],
    [{ country: 'XX' }, 'row 2 of fees: country must be an ISO 3166-1 alpha-2 code'],
    [{ bps: 5_001 }, 'row 2 of fees: bps'],
    [{ bps: 0.5 }, 'row 2 of fees: bps'],
    [{ type: 'GIFT' }, 'row 2 of fees: type'],
    [{ fixed: 1 }, 'row 2 of fees: fixed'],
    [{ extra: true }, 'row 2 of fees: extra is no known field'],
  ])('with %j is told by row and field', (more, said) => {
    const other = { type: 'RAIL', currency: 'EUR' };
    expect(lines(other, { ...row, ...more })).toEqual([expect.stringContaining(said)]);
  });

  it('with two rows for the same is told', () => {
    expect(lines(row, { ...row, fixed: '1' })).toEqual([
      expect.stringContaining('row 2 of fees: type must be'),
    ]);
  });

  it.each([[null], [[]], [{}], [{ fees: {} }], ['fees']])(
    'that is %j is no file of fees',
    (json) => {
      expect(readFeesFile(json).ok).toBe(false);
    },
  );
});
