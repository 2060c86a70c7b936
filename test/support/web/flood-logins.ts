import { randomBytes } from 'node:crypto';
import { FORM_FIELD, issueFormToken } from '../../../src/web/kit/forms/form-token.ts';
import type { Site } from './site.ts';

interface Flood {
  readonly perSecond: number;
  /** Each a /24, in turns. */
  readonly networks: number;
  /** What every second request asks for; the others each ask for an address that nobody has. */
  readonly address: string;
}

const TICK_MS = 50;
/** Requests without an answer: more would measure the sender, which shares the processor with the site. */
const OPEN_MAX = 200;

const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1_000;

const networkAt = (at: number): string => `10.${String(at >> 8)}.${String(at & 255)}.7`;

/**
 * Sends requests for login codes at a steady pace, each from a browser of its own. Where the machine cannot keep that
 * pace, fewer are sent. `stop` waits for the answers, and counts them by status.
 */
export function floodLogins(site: Site, surface: 'dashboard' | 'console', flood: Flood) {
  const answers = new Map<number, number>();
  const open = new Set<Promise<void>>();
  let sent = 0;

  async function ask(at: number): Promise<void> {
    const visitor = randomBytes(32).toString('base64url');
    const binding = { surface, session: `visitor:${visitor}`, path: '/login' };
    const fields = new URLSearchParams({
      [FORM_FIELD]: issueFormToken(site.vault, binding, site.clock.now()),
      address: at % 2 === 0 ? flood.address : `nobody-${String(at)}@unknown.example`,
      next: '/',
    });
    const { status } = await site.ask(
      '/login',
      {
        ...{ cookie: `__Host-visitor=${visitor}`, origin: site.origin },
        ...{ 'sec-fetch-site': 'same-origin', 'x-forwarded-for': networkAt(at % flood.networks) },
        'content-type': 'application/x-www-form-urlencoded',
      },
      fields.toString(),
    );
    answers.set(status, (answers.get(status) ?? 0) + 1);
  }

  const startedAt = performance.now();
  const timer = setInterval(() => {
    // What a late tick missed is sent with the next one.
    const due = secondsSince(startedAt) * flood.perSecond;
    for (; sent < due && open.size < OPEN_MAX; sent += 1) {
      const asked = ask(sent).finally(() => open.delete(asked));
      open.add(asked);
    }
  }, TICK_MS);

  return {
    async stop() {
      clearInterval(timer);
      const perSecond = Math.round(sent / secondsSince(startedAt));
      await Promise.all(open);
      return { sent, perSecond, answers: Object.fromEntries(answers) };
    },
  };
}
