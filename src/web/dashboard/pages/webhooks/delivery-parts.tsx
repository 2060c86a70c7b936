import type { Environment } from '../../../../domain/scope.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { Chip } from '../../../kit/parts/chip.tsx';
import { CodeBlock } from '../../../kit/parts/code-block.tsx';
import { Facts } from '../../../kit/parts/facts.tsx';
import { Table } from '../../../kit/parts/table.tsx';
import type { TimeText } from '../../../kit/time-text.ts';
import type { renderDeliveryInFull } from '../../../../modules/webhooks/delivery-view.ts';
import { answerWord, deliveryWord, durationWord } from '../../words/webhook-words.ts';

type Delivery = ReturnType<typeof renderDeliveryInFull>;
type Attempt = Delivery['attemptHistory'][number];

/** Answers that are shown in full: those of the newest attempts. */
const ANSWERS_SHOWN = 3;

export const AttemptsCard = (props: {
  readonly attempts: readonly Attempt[];
  readonly times: TimeText;
}) => {
  const { attempts, times } = props;
  const answers = attempts.filter(({ answer }) => answer !== null).slice(0, ANSWERS_SHOWN);
  return (
    <Card title="Attempts" isFlush>
      {attempts.length === 0 ? (
        <p class="nothing">It has not been sent yet.</p>
      ) : (
        <Table
          label="Attempts"
          rows={attempts}
          keyOf={({ at, number }) => `${String(number)} ${at}`}
          columns={[
            { title: 'Nr', cell: ({ number }: Attempt) => String(number) },
            {
              title: 'Answer',
              cell: ({ statusCode, error }) => (
                <Chip tone={error === null ? 'ok' : 'bad'} text={answerWord(statusCode, error)} />
              ),
            },
            { title: 'Took', isNumber: true, cell: ({ durationMs }) => durationWord(durationMs) },
            {
              title: `Time (${times.zone})`,
              isMuted: true,
              cell: ({ at }) => times.moment(new Date(at)),
            },
          ]}
        />
      )}
      {answers.map(({ at, number, answer }, index) => (
        <div key={at} class="answer">
          <p class="muted">What it answered to attempt {String(number)}</p>
          <CodeBlock id={`answer-${String(index)}`} text={answer ?? ''} />
        </div>
      ))}
    </Card>
  );
};

export const DeliveryCard = (props: {
  readonly delivery: Delivery;
  readonly environment: Environment;
  readonly times: TimeText;
}) => {
  const { delivery, environment, times } = props;
  const { resource, nextAttemptAt, createdAt } = delivery;
  const isPayment = resource.type === 'payment';
  return (
    <Card title="Delivery" aside={<Chip {...deliveryWord(delivery)} />}>
      <Facts
        facts={[
          ['Event', <code key="event">{delivery.eventId}</code>],
          [
            'About',
            isPayment ? (
              <a key="about" href={`/${environment}/payments/${resource.id}`}>
                <code>{resource.id}</code>
              </a>
            ) : (
              <code key="about">{resource.id}</code>
            ),
          ],
          ['Version', String(resource.version)],
          ['Attempts', String(delivery.attempts)],
          ['Happened', times.moment(new Date(createdAt))],
          [
            'Next attempt',
            nextAttemptAt === null ? 'not again' : times.moment(new Date(nextAttemptAt)),
          ],
        ]}
      />
    </Card>
  );
};
