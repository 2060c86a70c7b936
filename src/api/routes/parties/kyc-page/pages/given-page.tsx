import type { GivenKycDocument } from '../../../../../db/parties/kyc-document-store.ts';
import { Card } from '../../../../../web/kit/parts/card.tsx';
import { Gate } from '../../../../../web/kit/parts/gate.tsx';
import { LiveRegion } from '../../../../../web/kit/parts/live-region.tsx';
import { Timeline } from '../../../../../web/kit/parts/timeline.tsx';
import { DOCUMENT_NAMES, timeText } from './document-names.ts';
import { WayBack } from './way-back.tsx';

const EVERY_MS = 10_000;

/** The documents were handed in: what was received, and what comes next. */
export const GivenPage = (props: {
  readonly customerName: string;
  readonly redirectUrl: string | null;
  /** The identity checker's own page. */
  readonly providerUrl: string | null;
  readonly documents: readonly GivenKycDocument[];
}) => {
  const { customerName, documents, providerUrl } = props;
  const sent = documents.at(-1)?.createdAt;
  const isHandedOn = documents.every(({ handedOnAt }) => handedOnAt !== null);
  return (
    <Gate isWide home={null}>
      <h1>Your documents were received</h1>
      <LiveRegion id="standing" everyMs={EVERY_MS} says="Your check has moved on">
        <Timeline
          steps={[
            {
              state: 'done',
              title: 'Received',
              time: sent === undefined ? '' : timeText(sent),
            },
            {
              state: 'now',
              title: 'Being checked',
              detail: isHandedOn ? 'The checker has all of them.' : 'On their way to the checker.',
              time: 'Mostly minutes, at times some days',
            },
            {
              state: 'next',
              title: 'Result',
              detail: `${customerName} tells you, and may ask you for more.`,
              time: '',
            },
          ]}
        />
      </LiveRegion>
      {providerUrl === null ? null : (
        <Card title="One more thing">
          <p>The identity checker has a page of its own, which may ask you for more.</p>
          <p>
            <a href={providerUrl} rel="noreferrer">
              Go to the identity checker
            </a>
          </p>
        </Card>
      )}
      <Card title="What was received">
        <ul class="received">
          {documents.map(({ type, createdAt }) => (
            <li key={`${type} ${createdAt.toISOString()}`}>
              <b>{DOCUMENT_NAMES[type]}</b>
              <span class="muted">{timeText(createdAt)}</span>
            </li>
          ))}
        </ul>
      </Card>
      <WayBack {...props} />
    </Gate>
  );
};
