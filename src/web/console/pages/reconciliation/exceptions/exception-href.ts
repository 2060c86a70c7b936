import { toExceptionPath } from '../../../../../domain/reconciliation/exceptions/exception-path.ts';

export const EXCEPTIONS_PATH = '/reconciliation/exceptions';

/** The page of an exception. */
export const exceptionHref = (id: string): string => `${EXCEPTIONS_PATH}/${toExceptionPath(id)}`;
