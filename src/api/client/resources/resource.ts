import type { Api } from '../api.ts';

/** What the resources of the client have in common. */
export abstract class Resource {
  /** For the client's own use. */
  protected readonly api: Api;

  constructor(api: Api) {
    this.api = api;
  }
}
