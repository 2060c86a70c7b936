import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { startBankHarness } from '../../support/sandbox/bank-harness.ts';
import type { BankHarness } from '../../support/sandbox/bank-harness.ts';

const XSD_DIR = process.env['ISO20022_XSD_DIR'];
if (XSD_DIR === undefined) {
  console.warn('ISO20022_XSD_DIR is unset: statements are not validated against the schema');
}

interface StatementRow {
  id: string;
  sequence: number;
  account: string;
  from: string;
  to: string;
}

let harness: BankHarness;
beforeEach(async () => {
  harness = await startBankHarness();
});
afterEach(() => harness.close());

async function list(after = 0): Promise<StatementRow[]> {
  return ((await harness.json(`/statements?after=${after}`)) as { data: StatementRow[] }).data;
}

async function xmlOf(id: string): Promise<string> {
  return (await harness.get(`/statements/${id}`)).text();
}

const capture = (xml: string, pattern: RegExp) => [...xml.matchAll(pattern)].map((one) => one[1]);

/** In minor units: opening and closing balance, and the lines with their sign. */
function readStatement(xml: string): { opening: bigint; closing: bigint; lines: bigint[] } {
  const signed = (amount: string, direction: string) =>
    BigInt(amount.replace('.', '')) * (direction === 'DBIT' ? -1n : 1n);
  const balance = (code: string) => {
    const found = new RegExp(
      `<Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="[A-Z]{3}">([0-9.]+)</Amt><CdtDbtInd>(DBIT|CRDT)`,
    ).exec(xml);
    return signed(found?.[1] ?? '', found?.[2] ?? '');
  };
  const entries =
    /<Ntry><NtryRef>[^<]+<\/NtryRef><Amt Ccy="[A-Z]{3}">([0-9.]+)<\/Amt><CdtDbtInd>(DBIT|CRDT)/g;
  const lines = [...xml.matchAll(entries)].map((one) => signed(one[1] ?? '', one[2] ?? ''));
  return { opening: balance('OPBD'), closing: balance('CLBD'), lines };
}

async function moveMoney(): Promise<void> {
  await harness.put('CWA', '10.00');
  await harness.put('CWB', '20.02');
  await harness.put('CWC', '1500', { currency: 'JPY', rail: 'SWIFT' });
  await harness.put('CWD', '1.234', { currency: 'KWD', rail: 'SWIFT' });
  await expect.poll(() => harness.bank().countMoney('CWB').returned.count).toBe(1);
}

describe('statements', () => {
  it('are cut by themselves, and only where money has moved', async () => {
    await harness.put('CW0', '5.00');
    await harness.restart({ statementEveryMs: 20 });
    await expect.poll(() => list()).toHaveLength(1);
    await harness.put('CW1', '5.00');
    await expect.poll(() => list()).toHaveLength(2);
  });

  it('are numbered without gaps over all accounts, one currency each', async () => {
    await moveMoney();
    expect(await harness.bank().cutStatements()).toBe(3);
    expect(await harness.bank().cutStatements()).toBe(0);
    await harness.put('CWE', '7.00');
    expect(await harness.bank().cutStatements()).toBe(1);
    const rows = await list();
    expect(rows.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(new Set(rows.map(({ account }) => account)).size).toBe(3);
    expect((await list(3)).map(({ sequence }) => sequence)).toEqual([4]);
    expect(await list(4)).toEqual([]);
    for (const { id } of rows) {
      expect(new Set(capture(await xmlOf(id), /Ccy="([A-Z]{3})"/g)).size).toBe(1);
    }
  });

  it('add up: opening and lines give closing, which opens the next one, over a restart', async () => {
    await moveMoney();
    await harness.bank().cutStatements();
    await harness.restart();
    await harness.put('CWE', '7.00');
    await harness.bank().cutStatements();
    const euro = (await list()).filter(({ account }) => account === 'NOSTRO-EUR');
    const [first, second] = await Promise.all(euro.map(async ({ id }) => xmlOf(id)));
    const statements = [readStatement(first ?? ''), readStatement(second ?? '')];
    for (const { opening, closing, lines } of statements) {
      expect(opening + lines.reduce((sum, line) => sum + line, 0n)).toBe(closing);
    }
    expect(statements[0]?.lines).toEqual([-1000n, -2002n, 2002n]);
    expect(statements[1]?.lines).toEqual([-700n]);
    expect(statements[1]?.opening).toBe(statements[0]?.closing);
    expect(euro[1]?.from).toBe(euro[0]?.to);
  });

  it('show a return as a credit with the original reference and a reason', async () => {
    await harness.put('CWB', '20.02');
    await expect.poll(() => harness.bank().countMoney('CWB').returned.count).toBe(1);
    await harness.bank().cutStatements();
    const xml = await xmlOf('STMT-EUR-1');
    const [, payout, back] = xml.split('<Ntry>');
    const { bankReference } = (await harness.json('/transfers/CWB')) as { bankReference: string };
    expect(payout).toContain('<CdtDbtInd>DBIT</CdtDbtInd>');
    expect(payout).toContain(`<AcctSvcrRef>${bankReference}</AcctSvcrRef>`);
    expect(payout).toContain('<EndToEndId>CWB</EndToEndId>');
    expect(back).toContain('<CdtDbtInd>CRDT</CdtDbtInd>');
    expect(back).toContain('<EndToEndId>CWB</EndToEndId>');
    expect(back).toContain('<RtrInf><Rsn><Cd>AC04</Cd></Rsn>');
  });

  it('write exactly the decimals of their currency', async () => {
    await moveMoney();
    await harness.bank().cutStatements();
    const amounts = await Promise.all(
      (await list()).map(async ({ id }) => capture(await xmlOf(id), /<Ntry>.*?<Amt[^>]*>([^<]+)/g)),
    );
    expect(amounts).toEqual([['10.00', '20.02', '20.02'], ['1500'], ['1.234']]);
  });

  it('are not there under a wrong id, and refuse a wrong sequence', async () => {
    expect((await harness.get('/statements/STMT-EUR-1')).status).toBe(404);
    expect((await harness.get('/statements?after=x')).status).toBe(400);
  });

  it.skipIf(XSD_DIR === undefined)('are valid camt.053.001.08', async () => {
    await moveMoney();
    await harness.bank().cutStatements();
    const schema = await readFile(join(XSD_DIR ?? '', 'camt.053.001.08.xsd'), 'utf8');
    const rows = await list();
    expect(rows).toHaveLength(3);
    for (const { id } of rows) {
      const result = await validateXML({
        xml: [{ fileName: `${id}.xml`, contents: await xmlOf(id) }],
        schema: [schema],
      });
      expect(result.errors).toEqual([]);
      expect(result.valid).toBe(true);
    }
  });
});
