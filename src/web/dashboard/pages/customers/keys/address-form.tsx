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
        title={isLive ? 'Propose an IP address' : 'Add an IP address'}
        trail={{ href: `${path}/${apiKey.id}`, text: apiKey.name, here: 'addresses' }}
        about={
          isLive
            ? 'Two operators have to approve it. Until then, requests from this address are refused.'
            : 'It takes effect at once. Requests from addresses that are not on the list are refused.'
        }
      />
      <Card title={apiKey.name}>
        <Form {...{ action, token, problems }} submit={isLive ? 'Propose' : 'Add'}>
          <TextField
            {...{ name: 'range', label: 'IP address or range', value: values.range, problems }}
            hint="For example 203.0.113.7, 203.0.113.0/24, or 2001:db8::/48. The largest ranges are /16 (IPv4) and /32 (IPv6)."
            isRequired
          />
          <TextField
            {...{ name: 'label', label: 'Label', value: values.label, problems }}
            hint="For example “payout server”. Optional."
          />
        </Form>
      </Card>
    </>
  );
};
