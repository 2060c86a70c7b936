/** Where the current time comes from. Passed in, so that a rule can be tried at any moment. */
export interface Clock {
  now(): Date;
}
