import type { Clock } from '../../domain/clock.ts';
import type { Forwarder } from './forward.ts';
import { judgeWebhook } from './judge-webhook.ts';
import type { IncomingWebhook, WebhookAnswer } from './receiver.ts';
import type { Rendering } from './render-webhook.ts';

interface TakerDeps {
  readonly clock: Clock;
  readonly rendering: Rendering;
  readonly print: (text: string) => void;
  /** Null where webhooks are only shown. */
  readonly forwarder: Forwarder | null;
}

/**
 * Takes webhooks: judges, shows and hands on what is genuine, and answers the engine what the target answered. What comes
 * before the secret is known waits for it. What is not genuine is answered 401 and handed on to no one.
 */
export function createTaker({ clock, rendering, print, forwarder }: TakerDeps) {
  let trust: (secret: string) => void = () => undefined;
  const trusted = new Promise<string>((resolve) => (trust = resolve));
  let isOpen = false;
  const show = (text: string | null) => {
    if (text !== null) print(text);
  };
  return {
    /** Hands over the endpoint's secret. */
    trust: (secret: string) => trust(secret),
    /** From now on a ping is a webhook like others; before, it is the proof that webhooks arrive. */
    open: () => {
      isOpen = true;
    },
    async take(webhook: IncomingWebhook): Promise<WebhookAnswer> {
      const receivedAt = clock.now();
      const judged = judgeWebhook(await trusted, webhook, receivedAt);
      if (judged.isGenuine && judged.event.type === 'ping' && !isOpen) return { status: 204 };
      show(rendering.arrived(judged));
      if (!judged.isGenuine || forwarder === null) {
        show(rendering.answered(judged, null));
        return { status: judged.isGenuine ? 204 : 401 };
      }
      const { forwarded, answer } = await forwarder.forward(webhook);
      show(rendering.answered(judged, forwarded));
      return answer;
    },
  };
}
