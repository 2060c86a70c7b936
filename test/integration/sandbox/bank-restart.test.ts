import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startBankHarness } from '../../support/sandbox/bank-harness.ts';
import type { BankHarness } from '../../support/sandbox/bank-harness.ts';

let harness: BankHarness;
beforeEach(async () => {
  harness = await startBankHarness();
});
afterEach(() => harness.close());

describe('a bank that starts again on its journal', () => {
  it('knows every transfer, repeats its answers and moves nothing twice', async () => {
    const before = await (await harness.put('CW1', '10.00')).json();
    await harness.restart();
    const repeat = await harness.put('CW1', '10.00');
    expect(repeat.status).toBe(200);
    expect(await repeat.json()).toEqual(before);
    expect((await harness.put('CW1', '11.00')).status).toBe(409);
    expect(harness.bank().countMoney('CW1').executed.count).toBe(1);
  });

  it('makes the changes that were still to come', async () => {
    await harness.restart({ decideAfterMs: 600_000, returnAfterMs: 600_000 });
    await harness.put('CW1', '10.01');
    await harness.put('CW2', '10.02');
    await harness.restart();
    await expect
      .poll(() =>
        harness.receiver.accepted.map(({ body }) => [body.reference, body.status].join(' ')),
      )
      .toEqual(expect.arrayContaining(['CW1 REJECTED', 'CW2 RETURNED']));
    expect(harness.receiver.accepted).toHaveLength(2);
  });

  it('sends the callbacks that it still owes, under the same id', async () => {
    await harness.restart({
      callbacks: { triesMax: 3, firstRetryMs: 600_000, retryMaxMs: 600_000, timeoutMs: 2_000 },
    });
    harness.receiver.refuseNext(1);
    await harness.put('CW1', '10.00', { rail: 'ACH' });
    await expect.poll(() => harness.receiver.refused).toHaveLength(1);
    await harness.restart();
    await expect.poll(() => harness.receiver.accepted).toHaveLength(1);
    expect(harness.receiver.accepted[0]?.id).toBe(harness.receiver.refused[0]);
  });

  it('does not repeat a callback that was taken', async () => {
    await harness.put('CW1', '10.00', { rail: 'ACH' });
    await expect.poll(() => readFile(harness.journalFile, 'utf8')).toContain('CALLBACK_SENT');
    await harness.restart();
    await harness.put('CW2', '10.00', { rail: 'ACH' });
    await expect.poll(() => harness.receiver.accepted.at(-1)?.body.reference).toBe('CW2');
    expect(harness.receiver.accepted.map(({ body }) => body.reference)).toEqual(['CW1', 'CW2']);
  });

  it('cuts off a line that a killed process left unfinished', async () => {
    await harness.put('CW1', '10.00');
    const whole = await readFile(harness.journalFile, 'utf8');
    await appendFile(harness.journalFile, '{"fact":"EXECUTED","at":"2026-01-0');
    await harness.restart();
    expect(await readFile(harness.journalFile, 'utf8')).toBe(whole);
    expect((await harness.put('CW2', '10.00')).status).toBe(201);
    expect((await harness.put('CW1', '10.00')).status).toBe(200);
  });

  it('executes a transfer of which only the receipt reached the disk', async () => {
    await harness.put('CW1', '10.00');
    const [received = ''] = (await readFile(harness.journalFile, 'utf8')).split('\n');
    await writeFile(harness.journalFile, `${received}\n`);
    await harness.restart();
    await expect.poll(() => harness.bank().countMoney('CW1').executed.count).toBe(1);
  });

  it('refuses to start on a journal that is damaged before its end', async () => {
    await harness.put('CW1', '10.00');
    const whole = await readFile(harness.journalFile, 'utf8');
    await writeFile(harness.journalFile, `not a fact\n${whole}`);
    await expect(harness.restart()).rejects.toThrow(/damaged at byte 0/);
  });

  it('keeps no name, account number or remittance', async () => {
    await harness.put('CW1', '10.02');
    await expect.poll(() => harness.receiver.accepted).toHaveLength(1);
    const journal = await readFile(harness.journalFile, 'utf8');
    for (const planted of ['Ada', 'Sample', 'DE893704', 'Invoice']) {
      expect(journal).not.toContain(planted);
    }
  });
});
