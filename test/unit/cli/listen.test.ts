import { describe, expect, it } from 'vitest';
import { escapeUnprintable } from '../../../src/cli/listen/escape-unprintable.ts';
import {
  describeListener,
  isLeftBehind,
  thisListener,
} from '../../../src/cli/listen/left-behind.ts';
import { textFor, JSON_LINES } from '../../../src/cli/listen/render-webhook.ts';

const OWN = thisListener(4070);
const isAlive = (pid: number) => pid === 7;

describe('an endpoint of a listener', () => {
  it.each([
    ['whose process is gone', { ...OWN, port: 1, pid: 8 }, true],
    ['whose port is ours now, whatever has its process id', { ...OWN, pid: 7 }, true],
    ['that runs beside us', { ...OWN, port: 1, pid: 7 }, false],
    ['on another machine', { ...OWN, machine: '0'.repeat(12), pid: 8 }, false],
  ])('%s: left behind is %j', (_which, listener, expected) => {
    expect(isLeftBehind(describeListener(listener), OWN, isAlive)).toBe(expected);
  });

  it.each([null, '', 'Payment updates', `${describeListener({ ...OWN, pid: 8 })} `])(
    'is not what is described as %j',
    (description) => {
      expect(isLeftBehind(description, OWN, isAlive)).toBe(false);
    },
  );

  it("has a description that the API takes and that holds no machine's name", () => {
    expect(describeListener(OWN)).toMatch(
      /^npm run listen \(machine [0-9a-f]{12}, port 4070, process \d+\)$/,
    );
  });
});

describe('what a terminal is shown', () => {
  it('holds nothing that steers it, and is the same JSON', () => {
    const text = '\u001b[31m \u009b2J \u202e \u2028 \u{e0041} \u007f é 東京 😀';
    const shown = escapeUnprintable(JSON.stringify({ text }));
    expect(shown).toMatch(/^[^\p{Cc}\p{Cf}\u2028\u2029]+$/u);
    expect(JSON.parse(shown)).toEqual({ text });
    expect(shown).toContain('é 東京 😀');
  });

  it('shows of a forged webhook its reason and its id on one line, cut short', () => {
    const forged = {
      ...{ receivedAt: new Date(0), id: `a\r\nb${'x'.repeat(500)}`, bytes: 12 },
      ...{ isGenuine: false as const, reason: 'signature_mismatch' as const },
    };
    const shown = textFor({ isColoured: false }).arrived(forged) ?? '';
    expect(shown).toMatch(
      /^1970-01-01T00:00:00\.000Z {2}REFUSED signature_mismatch {2}a\\u000d bx{75,76}, 12 bytes$/,
    );
    expect(JSON_LINES.answered(forged, null)?.length).toBeLessThan(300);
  });

  it('has colours only where it is told so', () => {
    const event = {
      ...{ id: 'evt_1', type: 'ping', timestamp: '1970-01-01T00:00:00Z', data: { id: 'a' } },
      resource: { type: 'payment', id: 'pay_1', version: 1 },
    };
    const webhook = {
      ...{ receivedAt: new Date(1_500), id: 'evt_1', bytes: 9, isGenuine: true as const, event },
      delayMs: 1_500,
    };
    const plain = textFor({ isColoured: false }).arrived(webhook);
    expect(plain).toBe(
      '1970-01-01T00:00:01.500Z  verified  ping  pay_1 v1  evt_1  after 1500 ms\n  {\n    "id": "a"\n  }',
    );
    const coloured = textFor({ isColoured: true }).arrived(webhook);
    expect(coloured).toContain('\u001b[32mverified\u001b[39m');
    const forwarded = { status: null, error: 'ECONNREFUSED', durationMs: 3 };
    expect(textFor({ isColoured: false }).answered(webhook, forwarded)).toBe(
      '  -> no answer (ECONNREFUSED) in 3 ms  evt_1',
    );
  });
});
