import { describe, expect, it } from 'vitest';
import { readFeesFile } from '../../../src/server/config/fees-file.ts';

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

  it('has fees of networks, in currencies and in assets', () => {
    const network = { type: 'NETWORK', network: 'BASE' };
    const read = readFeesFile({
      fees: [
        { ...network, currency: 'EUR', fixed: '0.30' },
        { ...network, currency: 'USDC', fixed: '0.300001' },
        { type: 'SERVICE', currency: 'USDC', network: 'BASE', bps: 10 },
      ],
    });
    expect(read).toMatchObject({
      ok: true,
      rows: [
        { type: 'NETWORK', currency: 'EUR', rail: 'BASE', fixed: 30n },
        { type: 'NETWORK', currency: 'USDC', rail: 'BASE', fixed: 300_001n },
        { type: 'SERVICE', currency: 'USDC', rail: 'BASE', bps: 10 },
      ],
    });
  });

  it.each([
    [{ currency: 'XXX' }, 'row 2 of fees: currency must be an ISO 4217 code or an asset'],
    [{ network: 'PIGEON' }, 'row 2 of fees: network must be the name of a network'],
    [{ network: 'BASE', rail: 'SEPA' }, 'row 2 of fees: rail must be left out beside a network'],
    [
      { network: 'BASE', country: 'DE' },
      'row 2 of fees: country must be left out beside a network',
    ],
    [{ type: 'NETWORK' }, 'row 2 of fees: network must be there for a NETWORK fee'],
    [
      { type: 'NETWORK', network: 'BASE', bps: 5 },
      'row 2 of fees: bps must be left out of a NETWORK fee, which is fixed',
    ],
    [{ type: 'NETWORK', network: 'BASE', min: '1' }, 'row 2 of fees: min must be left out'],
    [{ currency: 'USDC', fixed: '0.0000001' }, 'with the decimals of USDC at most'],
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
