import { toExceptionPath } from '../../../../../domain/reconciliation/exceptions/exception-path.ts';

export const EXCEPTIONS_PATH = '/reconciliation/exceptions';

/** The page of an exception, or of an unmatched credit that an act has tied to a cover trade. */
export const exceptionHref = (id: string): string =>
  id.startsWith('fc_')
    ? `/reconciliation/credits/${id}`
    : `${EXCEPTIONS_PATH}/${toExceptionPath(id)}`;
