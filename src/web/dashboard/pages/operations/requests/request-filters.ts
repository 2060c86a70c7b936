import type { ApiRequestFilter } from '../../../../../db/customers/api-request-store.ts';
import { ID_PREFIXES, isId } from '../../../../../domain/ids.ts';
import type { FormValues } from '../../../../kit/forms/read-form.ts';
import { oneOf } from '../../../../kit/forms/filter-rules.ts';

export const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
export const STATUS_CLASSES = ['2', '3', '4', '5'] as const;

const common = { isOptional: true, lengthMax: 200 } as const;

export const REQUEST_FILTERS = {
  key: { what: 'a key', ...common },
  status: { what: 'a status', isOptional: true, ...oneOf(STATUS_CLASSES) },
  method: { what: 'a method', isOptional: true, ...oneOf(METHODS) },
  route: { what: 'a part of the route', ...common },
  payment: {
    ...{ what: 'the id of a payment', ...common },
    check: (text: string) =>
      isId(ID_PREFIXES.payment, text) ? null : 'Enter a payment ID, for example pay_….',
  },
  request: {
    ...{ what: 'a request id', ...common },
    check: (text: string) =>
      isId(ID_PREFIXES.request, text) ? null : 'Enter a request ID, for example req_….',
  },
  cursor: { what: 'a cursor', ...common },
} as const;

type Filters = FormValues<typeof REQUEST_FILTERS>;

export const filterOf = ({
  key,
  status,
  method,
  route,
  payment,
  request,
}: Filters): ApiRequestFilter => ({
  ...(key !== '' && { apiKeyId: key }),
  ...(status !== '' && { statusClass: Number(status) }),
  ...(method !== '' && { method }),
  ...(route !== '' && { route }),
  ...(payment !== '' && { paymentId: payment }),
  ...(request !== '' && { requestId: request }),
});
