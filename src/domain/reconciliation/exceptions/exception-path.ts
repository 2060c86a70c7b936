/** The id of an exception as one segment of a URL: `12-3` for `12/3`. */
export const toExceptionPath = (id: string): string => id.replace('/', '-');

/** The id that such a segment stands for. An id as commands take it is itself. */
export const fromExceptionPath = (path: string): string => path.replace('-', '/');
