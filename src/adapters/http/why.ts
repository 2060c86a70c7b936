/** Why something is not known: a closed set of codes, never a foreign message. */
export type Why =
  | 'CONNECT_TIMEOUT'
  | 'CONNECT_FAILED'
  | 'DNS_FAILED'
  | 'TLS_FAILED'
  | 'TIMEOUT'
  | 'RESET'
  | 'GARBAGE'
  | 'TOO_LARGE'
  | `HTTP_${number}`;
