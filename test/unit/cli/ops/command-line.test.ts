import { describe, expect, it } from 'vitest';
import { createProgressLine } from '../../../../src/cli/ops/progress-line.ts';
import { runCommandLine } from '../../../../src/cli/ops/run-command-line.ts';

/** Runs a command line that must end before anything is opened. */
async function refuse(args: readonly string[], defaultOperator?: string) {
  const written = { out: '', error: '' };
  const code = await runCommandLine(args, {
    defaultOperator,
    readEnv: () => {
      throw new Error('read');
    },
    open: () => {
      throw new Error('opened');
    },
    output: {
      out: (text) => (written.out += text),
      error: (text) => (written.error += text),
    },
  });
  return { code, ...written };
}

const RETRY = ['payments', 'retry', 'pay_x'];
const KEY = ['keys', 'add', '--name', 'demo', '--customer', 'cus_x'];

describe('a command line that is wrong', () => {
  it.each([
    [[...RETRY], "'--reason <text>'"],
    [[...RETRY, '--reason', ' '], "'--reason <text>'"],
    [[...RETRY, '--reason', 'x'.repeat(501)], "'--reason <text>'"],
    [[...RETRY, '--reason', 'cleared\u001b[2J'], "'--reason <text>'"],
    [[...RETRY, '--reason', 'bank is back'], "'--operator <name>'"],
    [[...RETRY, '--reason', 'bank is back', '--operator', ''], "'--operator <name>'"],
    [['payments', 'retry', 'pay_x', '--reason', 'bank is back'], "'--operator <name>'"],
    [['payments', 'retry', '--reason', 'bank is back', '--operator', 'ada'], "'id'"],
    [['payments', 'stuck', '--limit', '0'], "'--limit <count>'"],
    [['payments', 'stuck', '--limit', '1001'], "'--limit <count>'"],
    [['payments', 'stuck', '--limt', '5'], "'--limt'"],
    [['payments', 'show', 'pay_x', 'pay_y'], "'show'"],
    [['payments', 'pay'], "'pay'"],
    [['customers', 'add'], "'--name <text>'"],
    [[...KEY, '--environment', 'prod', '--operator', 'ada'], "'--environment <name>'"],
    [[...KEY, '--environment', 'live'], "'--operator <name>'"],
  ])('%j is refused by the name of what is wrong, with exit code 2', async (args, name) => {
    const { code, out, error } = await refuse(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain(name);
    expect(error).toContain('--help');
  });

  it('a command without a verb shows what there is', async () => {
    expect(await refuse([])).toMatchObject({
      code: 2,
      error: expect.stringContaining('payments') as string,
    });
    expect(await refuse(['payments'])).toMatchObject({
      code: 2,
      error: expect.stringMatching(/show.*stuck.*retry/s) as string,
    });
  });
});

describe('help', () => {
  it('is made of the definitions and ends with exit code 0', async () => {
    const { code, out, error } = await refuse(['payments', 'retry', '--help']);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    for (const word of ['retry', '<id>', '--reason', '--operator']) expect(out).toContain(word);
  });
});

describe('who decides', () => {
  it('a local run takes the login, so the command is run', async () => {
    await expect(refuse([...RETRY, '--reason', 'bank is back'], 'ada')).rejects.toThrow('opened');
  });
});

describe('the progress line', () => {
  const written = (isTTY: boolean): string => {
    let text = '';
    const show = createProgressLine({
      isTTY,
      columns: 12,
      write: (part) => (text += part),
    });
    show('1 of 2 payments');
    show('');
    return text;
  };

  it('overwrites itself on a terminal, is never wider than it, and is gone at the end', () => {
    expect(written(true)).toBe('\r\u001b[2K1 of 2 paym\r\u001b[2K');
  });

  it('is silent where the output is no terminal', () => {
    expect(written(false)).toBe('');
  });

  it('is explained without settings that can be used', async () => {
    const { code, out } = await refuse(['payments', '--help']);
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining('retry') as string,
    });
  });
});
