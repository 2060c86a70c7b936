import { describe, expect, it } from 'vitest';
import {
  linesOf,
  readAll,
  statementXml,
} from '../../../support/adapters/iso20022/statement-reading.ts';

interface Overrides {
  amount: string;
  direction?: string;
  code?: string;
  batch?: string;
  transactions: string[];
}

const codeXml = (code: string): string =>
  `<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>${code}</SubFmlyCd></Fmly></Domn></BkTxCd>`;
const entry = ({ amount, direction = 'DBIT', code, batch = '', transactions }: Overrides): string =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts>BOOK</Sts>` +
  `${code === undefined ? '' : codeXml(code)}<NtryDtls>${batch}` +
  `${transactions.map((inner) => `<TxDtls>${inner}</TxDtls>`).join('')}</NtryDtls></Ntry>`;
const named = (reference: string): string => `<Refs><EndToEndId>${reference}</EndToEndId></Refs>`;
const amountOf = (element: string, amount: string, currency = 'EUR'): string =>
  `<AmtDtls><${element}><Amt Ccy="${currency}">${amount}</Amt></${element}></AmtDtls>`;

async function read(...overrideSets: Overrides[]) {
  const parts = await readAll(statementXml(overrideSets.map(entry).join('')));
  return {
    lines: linesOf(parts).map((line) => [
      line.endToEndId,
      line.amount,
      line.currency,
      line.direction,
    ]),
    sums: parts.flatMap((part) => (part.kind === 'batch' ? [part.transactionsTotal] : [])),
    problems: parts.filter((part) => part.kind === 'problem'),
  };
}

describe('a transaction alone in its entry', () => {
  it('moved what the entry says, and one that says otherwise is shown beside it', async () => {
    const inner = named('CW1') + amountOf('TxAmt', '100.00');
    const { lines, sums } = await read({ amount: '1000.00', transactions: [inner] });
    expect(lines).toEqual([['CW1', '1000.00', 'EUR', 'DBIT']]);
    expect(sums).toEqual(['100']);
  });

  it('came back less what the bank deducted, not as it was told before that', async () => {
    const inner = named('CW1') + '<Amt Ccy="EUR">100.00</Amt>';
    const overrides = { amount: '95.00', direction: 'CRDT', transactions: [inner] };
    expect((await read(overrides)).lines).toEqual([['CW1', '95.00', 'EUR', 'CRDT']]);
  });

  it('moved the way of its entry, whatever it says of the operation it undoes', async () => {
    const inner = named('CW1') + '<Amt Ccy="EUR">10.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>';
    const { lines, sums } = await read({ amount: '10.00', transactions: [inner] });
    expect(lines).toEqual([['CW1', '10.00', 'EUR', 'DBIT']]);
    expect(sums).toEqual(['-10']);
  });

  it('agrees with its entry in any number of zeros, and differs not by what was instructed', async () => {
    const same = named('CW1') + amountOf('TxAmt', '10.000');
    const instructed = named('CW2') + amountOf('InstdAmt', '12.00');
    const silent = named('CW3');
    const found = await read(
      ...[same, instructed, silent].map((one) => ({ amount: '10.00', transactions: [one] })),
    );
    expect(found.lines.map(([, amount]) => amount)).toEqual(['10.00', '10.00', '10.00']);
    expect(found.sums).toEqual([]);
  });

  it('of a batch that the bank itemises in part is not taken for the whole batch', async () => {
    const inner = named('CW1') + '<Amt Ccy="EUR">10.00</Amt>';
    const batch = '<Btch><NbOfTxs>3</NbOfTxs></Btch>';
    const { lines, sums } = await read({ amount: '30.00', batch, transactions: [inner] });
    expect(lines).toEqual([['CW1', '10.00', 'EUR', 'DBIT']]);
    expect(sums).toEqual(['10']);
  });
});

describe('transactions of a batch', () => {
  it.each(['InstdAmt', 'TxAmt', 'CntrValAmt'])(
    'may tell their amounts as %s only',
    async (name) => {
      const transactions = ['CW1', 'CW2'].map((one) => named(one) + amountOf(name, '10.00'));
      const { lines, sums, problems } = await read({ amount: '20.00', transactions });
      expect(lines.map(([reference, amount]) => [reference, amount])).toEqual([
        ['CW1', '10.00'],
        ['CW2', '10.00'],
      ]);
      expect(sums).toEqual(['20']);
      expect(problems).toEqual([]);
    },
  );

  it('are counted in the currency of the account, not in the instructed one', async () => {
    const inner =
      '<AmtDtls><InstdAmt><Amt Ccy="USD">11.00</Amt></InstdAmt><TxAmt><Amt Ccy="USD">11.00</Amt></TxAmt>' +
      '<CntrValAmt><Amt Ccy="EUR">10.00</Amt></CntrValAmt></AmtDtls>';
    const { lines, sums } = await read({ amount: '20.00', transactions: [inner, inner] });
    expect(lines.map(([, amount, currency]) => [amount, currency])).toEqual([
      ['10.00', 'EUR'],
      ['10.00', 'EUR'],
    ]);
    expect(sums).toEqual(['20']);
  });
});

describe('references', () => {
  it.each(['CHRG', 'COMM', 'FEES', 'INTR', 'TAXE'])(
    'a fee (%s) booked under the reference of a payment is no part of that payment',
    async (code) => {
      const fee = named('CW1') + '<Amt Ccy="EUR">1.00</Amt>';
      const alone = { amount: '1.00', code, transactions: [fee] };
      expect((await read(alone)).lines).toEqual([[null, '1.00', 'EUR', 'DBIT']]);
      const transactions = [named('CW1') + '<Amt Ccy="EUR">9.00</Amt>', fee + codeXml(code)];
      const { lines } = await read({ amount: '10.00', code: 'ESCT', transactions });
      expect(lines.map(([reference]) => reference)).toEqual(['CW1', null]);
    },
  );

  it('the instruction is named where the bank has no end-to-end reference, and only there', async () => {
    const both = (endToEnd: string) =>
      `<Refs><InstrId>INSTR-1</InstrId><EndToEndId>${endToEnd}</EndToEndId></Refs>`;
    const { lines } = await read(
      { amount: '1.00', transactions: [both('NOTPROVIDED')] },
      { amount: '1.00', transactions: ['<Refs><InstrId>INSTR-1</InstrId></Refs>'] },
      { amount: '1.00', transactions: [both('CW1')] },
    );
    expect(lines.map(([reference]) => reference)).toEqual(['INSTR-1', 'INSTR-1', 'CW1']);
  });
});

describe('the name of the format', () => {
  const named = (namespace: string) =>
    readAll(statementXml('').replace('urn:iso:std:iso:20022:tech:xsd:camt.053.001.08', namespace));

  it.each([
    'urn:iso:std:iso:20022:tech:xsd:camt.053.001.13',
    'urn:swift:xsd:camt.053.001.02',
    'ISO:camt.053.001.02:APC:STUZZA:payments:003',
    'http://www.six-interbank-clearing.com/de/camt.053.001.04.ch.02.xsd',
  ])('%s is a statement', async (namespace) => {
    expect(await named(namespace)).toHaveLength(2);
  });

  it.each(['urn:iso:std:iso:20022:tech:xsd:camt.053.001.083', 'urn:x:xcamt.053.001.08'])(
    '%s is not',
    async (namespace) => {
      await expect(named(namespace)).rejects.toMatchObject({ problem: 'NOT_CAMT053' });
    },
  );
});
