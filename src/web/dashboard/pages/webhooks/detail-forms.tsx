import type { WebhookEndpointRow } from '../../../../db/webhooks/webhook-endpoint-store.ts';
import { EVENT_TYPES } from '../../../../domain/webhooks/event-types.ts';
import { keysInForce } from '../../../../domain/webhooks/public-key.ts';
import type { FieldProblem } from '../../../kit/forms/form-rules.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { CheckFields } from '../../../kit/parts/check-fields.tsx';
import { ErrorSummary } from '../../../kit/parts/error-summary.tsx';
import { CodeBlock } from '../../../kit/parts/code-block.tsx';
import { Facts } from '../../../kit/parts/facts.tsx';
import { SelectField } from '../../../kit/parts/field.tsx';
import { Form } from '../../../kit/parts/form.tsx';
import type { TimeText } from '../../../kit/time-text.ts';
import { OVERLAPS, SPANS } from './choices.ts';

interface EndpointForms {
  readonly path: string;
  readonly endpoint: WebhookEndpointRow;
  readonly newForm: (path: string) => string;
  readonly problems: readonly FieldProblem[];
}

const only = (problems: readonly FieldProblem[], names: readonly string[]) =>
  problems.filter(({ field }) => names.includes(field));

export const EndpointFacts = (props: {
  readonly endpoint: WebhookEndpointRow;
  readonly now: Date;
  readonly times: TimeText;
}) => {
  const { endpoint, now, times } = props;
  const keys = keysInForce(endpoint.publicKeys, now);
  return (
    <Card title="Endpoint">
      <Facts
        facts={[
          ['URL', endpoint.url],
          ['Events', endpoint.types.join(', ')],
          ['Sent', endpoint.isThin ? 'IDs only' : 'Events in full'],
          ['Signed with', keys.length === 0 ? 'Secret' : 'Secret and key pair'],
          ['Created', times.moment(endpoint.createdAt)],
          ['Changed', `${times.moment(endpoint.updatedAt)}, version ${String(endpoint.version)}`],
        ]}
      />
      {keys.map(({ publicKey, expiresAt }, index) => (
        <div key={publicKey} class="public-key">
          <p class="muted">
            {expiresAt === null
              ? 'Public key'
              : `Public key until ${times.moment(new Date(expiresAt))}`}
          </p>
          <CodeBlock id={`public-key-${String(index)}`} text={publicKey} />
        </div>
      ))}
    </Card>
  );
};

export const TestCard = ({ path, newForm, problems }: EndpointForms) => (
  <Card title="Send a test">
    <Form
      action={`${path}/test`}
      token={newForm(`${path}/test`)}
      submit="Send it now"
      problems={only(problems, ['type'])}
    >
      <SelectField
        name="type"
        label="Event"
        value="ping"
        hint="A signed sample event. It is sent once and does not appear in the list of deliveries."
        options={EVENT_TYPES.map((value) => ({ value, text: value }))}
        problems={problems}
      />
    </Form>
  </Card>
);

export const ReplayCard = ({ path, newForm, problems, endpoint }: EndpointForms) => (
  <Card title="Send events again">
    {endpoint.status === 'DISABLED' ? (
      <>
        <ErrorSummary problems={only(problems, ['span'])} />
        <p id="span" tabIndex={-1}>
          A disabled endpoint receives no events. When you enable it, it receives the events that it
          missed.
        </p>
      </>
    ) : (
      <Form
        action={`${path}/replay`}
        token={newForm(`${path}/replay`)}
        submit="Send again"
        problems={only(problems, ['span', 'failed'])}
      >
        <SelectField
          name="span"
          label="Events of the last"
          options={SPANS.map(({ value, text }) => ({ value, text }))}
          problems={problems}
        />
        <CheckFields
          name="failed"
          legend="Events"
          options={[{ value: 'only', text: 'Only events that were not delivered' }]}
          ticked={['only']}
          problems={problems}
        />
      </Form>
    )}
  </Card>
);

const Version = ({ endpoint }: Pick<EndpointForms, 'endpoint'>) => (
  <input type="hidden" name="version" value={String(endpoint.version)} />
);

export const RotateCard = ({ path, newForm, problems, endpoint }: EndpointForms) => (
  <Card title="Replace the secret">
    <Form
      action={`${path}/rotate-secret`}
      token={newForm(`${path}/rotate-secret`)}
      submit="Create a new secret"
      problems={only(problems, ['overlap'])}
    >
      <Version endpoint={endpoint} />
      <SelectField
        name="overlap"
        label="The old secret also signs for"
        value="24"
        options={OVERLAPS.map(({ value, text }) => ({ value, text }))}
        problems={problems}
      />
    </Form>
  </Card>
);

export const DangerCard = ({ path, newForm, endpoint }: EndpointForms) => {
  const turn = endpoint.status === 'ENABLED' ? 'disable' : 'enable';
  return (
    <Card title="Disable or delete">
      <div class="forms">
        <Form
          action={`${path}/${turn}`}
          token={newForm(`${path}/${turn}`)}
          submit={turn === 'enable' ? 'Enable' : 'Disable'}
        >
          <Version endpoint={endpoint} />
        </Form>
        <Form
          action={`${path}/delete`}
          token={newForm(`${path}/delete`)}
          submit="Delete"
          isDangerous
        >
          <Version endpoint={endpoint} />
        </Form>
      </div>
    </Card>
  );
};
