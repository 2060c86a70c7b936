import type { RequestOptions } from '../call-options.ts';
import type { FailureCode, Network } from '../generated/schemas.ts';
import type { List } from '../list.ts';
import type { Answer, Item, Query } from '../operation-types.ts';
import { Resource } from './resource.ts';

/** `causeway.corridors`: where money can go, over which rails, within which limits. */
export class Corridors extends Resource {
  list(filters?: Query<'listCorridors'>, options?: RequestOptions): List<Item<'listCorridors'>> {
    return this.api.list('listCorridors', { query: filters }, options);
  }
}

/** `causeway.networks`: over which tokens go, and which. */
export class Networks extends Resource {
  list(filters?: Query<'listNetworks'>, options?: RequestOptions): List<Network> {
    return this.api.list('listNetworks', { query: filters }, options);
  }
}

/** `causeway.errors`: every code of an error. */
export class Errors extends Resource {
  list(filters?: Query<'listErrors'>, options?: RequestOptions): List<Item<'listErrors'>> {
    return this.api.list('listErrors', { query: filters }, options);
  }
}

/** `causeway.failureCodes`: why payments fail or come back. */
export class FailureCodes extends Resource {
  list(filters?: Query<'listFailureCodes'>, options?: RequestOptions): List<FailureCode> {
    return this.api.list('listFailureCodes', { query: filters }, options);
  }
}

/** `causeway.service`: how the installation does. */
export class Service extends Resource {
  /** Whether it answers at all. */
  health(options?: RequestOptions): Promise<Answer<'getHealth'>> {
    return this.api.send('getHealth', {}, options);
  }

  /** Whether it can do its work; 503 where it cannot. */
  ready(options?: RequestOptions): Promise<Answer<'getReady'>> {
    return this.api.send('getReady', {}, options);
  }

  /** The API's own OpenAPI document. */
  openApi(options?: RequestOptions): Promise<Answer<'getOpenApi'>> {
    return this.api.send('getOpenApi', {}, options);
  }
}
