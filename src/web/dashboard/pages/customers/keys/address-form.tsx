import type { ApiKeyRow } from '../../../../../db/customers/api-key-list-store.ts';
import type { Environment } from '../../../../../domain/scope.ts';
import type { FieldProblem } from '../../../../kit/forms/form-rules.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { TextField } from '../../../../kit/parts/field.tsx';
import { Form } from '../../../../kit/parts/form.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';

/** An address that a key is to be used from: its form, as it was filled in where it was sent. */
export const AddressForm = (props: {
  readonly path: string;
  readonly action: string;
  readonly token: string;
  readonly environment: Environment;
  readonly apiKey: ApiKeyRow;
  readonly values: { readonly range: string; readonly label: string };
  readonly problems: readonly FieldProblem[];
}) => {
  const { path, action, token, apiKey, values, problems } = props;
  const isLive = props.environment === 'live';
  return (
    <>
      <PageHead
        title={isLive ? 'Propose an address' : 'Add an address'}
        trail={{ href: `${path}/${apiKey.id}`, text: apiKey.name, here: 'addresses' }}
        about={
          isLive
            ? 'Two operators look at it. Until both have approved it, requests from there are refused.'
            : 'It holds at once: from then on requests are taken from the addresses on the list alone.'
        }
      />
      <Card title={apiKey.name}>
        <Form {...{ action, token, problems }} submit={isLive ? 'Propose it' : 'Add it'}>
          <TextField
            {...{ name: 'range', label: 'IP address or range', value: values.range, problems }}
            hint="As 203.0.113.7, 203.0.113.0/24 or 2001:db8::/48. At most /16 of IPv4 and /32 of IPv6."
            isRequired
          />
          <TextField
            {...{ name: 'label', label: 'Label', value: values.label, problems }}
            hint="What is there, as “payout server”. May be left empty."
          />
        </Form>
      </Card>
    </>
  );
};
