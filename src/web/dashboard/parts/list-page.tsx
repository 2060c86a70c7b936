import type { ScopedTransaction } from '../../../db/client/database.ts';
import type { User } from '../../../domain/customers/access/person.ts';
import type { UserRight } from '../../../domain/customers/access/user-rights.ts';
import type { Page, PageRequest } from '../../../domain/lists.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { FieldProblem, FieldRule } from '../../kit/forms/form-rules.ts';
import type { FormValues } from '../../kit/forms/read-form.ts';
import { readQuery } from '../../kit/forms/read-query.ts';
import { listPage, pagesAround } from '../../kit/list-pages.ts';
import { EmptyState } from '../../kit/parts/empty-state.tsx';
import { ErrorSummary } from '../../kit/parts/error-summary.tsx';
import { SelectField, TextField } from '../../kit/parts/field.tsx';
import { Filters } from '../../kit/parts/filters.tsx';
import { PageHead } from '../../kit/parts/page-head.tsx';
import { Pager } from '../../kit/parts/pager.tsx';
import { Table, type Column } from '../../kit/parts/table.tsx';
import type { Children } from '../../kit/parts/types.ts';
import { timeText, type TimeText } from '../../kit/time-text.ts';
import type { WebApp } from '../../kit/web-deps.ts';
import type { DashboardDeps } from '../dashboard-deps.ts';
import { openPlace } from '../environment.tsx';
import { sendDashboardPage } from './dashboard-page.tsx';

/** Filters by name, each one text, and the cursor. */
type FilterRules = Readonly<Record<string, FieldRule>> & { readonly cursor: FieldRule };
type Query = Readonly<Record<string, string>>;

/** How a filter is chosen: from options, or as text. */
interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly type?: 'search' | 'date';
  readonly options?: readonly { readonly value: string; readonly text: string }[];
}

/** What a list finds. Days are of the reader's time zone. */
export interface ListSearch<Values> {
  readonly scope: Scope;
  readonly values: Values;
  readonly zone: string;
  readonly page: PageRequest;
}

/** A list of one environment with filters, newest first. */
export interface ListPage<Rules extends FilterRules, Row> {
  /** Its path below the environment, and what its cursors are called. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly right: UserRight;
  readonly filters: Rules;
  readonly fields: readonly FilterField[];
  readonly find: (
    tx: ScopedTransaction,
    search: ListSearch<FormValues<Rules>>,
  ) => Promise<Page<Row>>;
  readonly columns: (times: TimeText) => readonly Column<Row>[];
  /** Said where nothing fits the filters. */
  readonly noneFits: string;
  /** Shown where there is nothing yet. */
  readonly empty: {
    readonly title: string;
    readonly about: string;
    /** What the link to the documentation says. */
    readonly docs: string;
    readonly command: (apiUrl: string) => string;
  };
  /** Shown beside the title where rows are found. */
  readonly aside?: (at: {
    readonly user: User;
    readonly path: string;
    readonly query: Query;
  }) => Children;
}

/** Registers GET /{env}/{name}. A filter that cannot be read is answered with 422 and no rows. */
export function registerListPage<Rules extends FilterRules, Row extends { readonly id: string }>(
  app: WebApp,
  { db, apiUrl }: Pick<DashboardDeps, 'db' | 'apiUrl'>,
  list: ListPage<Rules, Row>,
): void {
  const { name, title, right } = list;
  app.get(`/:env/${name}`, { config: { right } }, async (request, reply) => {
    const place = await openPlace(request, reply, { title, current: `/${name}` });
    if (place === null) return reply;
    const { user, scope, environment } = place;
    const { values, problems } = readQuery(list.filters, request.query);
    const { cursor = '', ...query } = values as Query;
    const path = `/${environment}/${name}`;
    const times = timeText(user.timeZone);
    const page: Page<Row> =
      problems.length > 0
        ? { items: [], next: null }
        : await db.list(scope, (tx) =>
            list.find(tx, { scope, values, zone: times.zone, page: listPage(cursor, name) }),
          );
    const { items } = page;
    const isFirst =
      items.length === 0 && Object.values(values as Query).every((text) => text === '');
    return sendDashboardPage(request, reply.code(problems.length > 0 ? 422 : 200), {
      ...{ title, environment, current: path },
      body: (
        <>
          <PageHead title={title} about={list.about}>
            {items.length === 0 ? null : list.aside?.({ user, path, query })}
          </PageHead>
          <ErrorSummary problems={problems} />
          {isFirst ? (
            <EmptyState
              title={list.empty.title}
              action={{ href: `${apiUrl}/docs`, text: list.empty.docs }}
              command={list.empty.command(apiUrl)}
            >
              {list.empty.about}
            </EmptyState>
          ) : (
            <div class="card card-flush">
              <ListFilters {...{ path, query, problems }} fields={list.fields} />
              {items.length === 0 ? (
                <p class="nothing">
                  {list.noneFits} <a href={path}>Show all</a>
                </p>
              ) : (
                <Table
                  label={title}
                  rows={items}
                  keyOf={({ id }) => id}
                  hrefOf={({ id }) => `${path}/${id}`}
                  columns={list.columns(times)}
                />
              )}
              <Pager {...pagesAround({ path, query }, cursor, page, name)} />
            </div>
          )}
        </>
      ),
    });
  });
}

const ListFilters = (props: {
  readonly path: string;
  readonly query: Query;
  readonly problems: readonly FieldProblem[];
  readonly fields: readonly FilterField[];
}) => (
  <Filters action={props.path}>
    {props.fields.map(({ options, ...field }) => {
      const given = { ...field, value: props.query[field.name] ?? '', problems: props.problems };
      return options === undefined ? (
        <TextField key={field.name} {...given} />
      ) : (
        <SelectField key={field.name} {...given} options={options} />
      );
    })}
  </Filters>
);
