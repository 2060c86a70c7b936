import { styleText } from 'node:util';
import { escapeUnprintable } from './escape-unprintable.ts';
import type { Forwarded } from './forward.ts';
import type { JudgedWebhook } from './judge-webhook.ts';

const ID_LENGTH_MAX = 80;

type Style = Parameters<typeof styleText>[0];

/** How a webhook is shown. */
export interface Rendering {
  /** As it arrives. */
  readonly arrived: (webhook: JudgedWebhook) => string | null;
  /** Once it has been handed on, or was not: `forwarded` is null then. */
  readonly answered: (webhook: JudgedWebhook, forwarded: Forwarded | null) => string | null;
}

/** One line of JSON for each webhook, once all is known of it. */
export const JSON_LINES: Rendering = {
  arrived: () => null,
  answered: (webhook, forwarded) => {
    const { receivedAt, bytes, isGenuine } = webhook;
    const common = { receivedAt: receivedAt.toISOString(), verified: isGenuine, bytes };
    const told = isGenuine
      ? { ...common, delayMs: webhook.delayMs, event: webhook.event, forwarded }
      : { ...common, reason: webhook.reason, id: shorten(webhook.id) };
    return escapeUnprintable(JSON.stringify(told));
  },
};

/** For a person. Colours only where the terminal has them. */
export function textFor({ isColoured }: { readonly isColoured: boolean }): Rendering {
  const paint = (style: Style, text: string) =>
    isColoured ? styleText(style, text, { validateStream: false }) : text;
  return {
    arrived: (webhook) => {
      const at = paint('dim', webhook.receivedAt.toISOString());
      if (!webhook.isGenuine) {
        const id = escapeUnprintable(shorten(webhook.id) ?? 'no id').replaceAll('\n', ' ');
        const refused = paint('red', `REFUSED ${webhook.reason}`);
        return `${at}  ${refused}  ${id}, ${String(webhook.bytes)} bytes`;
      }
      const { event, delayMs } = webhook;
      const { id, version } = event.resource;
      const head = escapeUnprintable(
        `${event.type}  ${id} v${String(version)}  ${event.id}  after ${String(delayMs)} ms`,
      );
      const data = indent(escapeUnprintable(JSON.stringify(event.data, null, 2)));
      return `${at}  ${paint('green', 'verified')}  ${head}\n${data}`;
    },
    answered: (webhook, forwarded) => {
      if (forwarded === null || webhook.id === null) return null;
      const { status, error, durationMs } = forwarded;
      const isTaken = status !== null && status >= 200 && status < 300;
      const said = status === null ? `no answer (${error ?? ''})` : String(status);
      const about = escapeUnprintable(webhook.id);
      return `  ${paint(isTaken ? 'green' : 'red', `-> ${said}`)} in ${String(durationMs)} ms  ${about}`;
    },
  };
}

const shorten = (id: string | null): string | null => id?.slice(0, ID_LENGTH_MAX) ?? null;

const indent = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
