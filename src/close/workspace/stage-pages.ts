import type { Database } from '../../database/database.ts';
import type { Json } from '../../kernel/digest.ts';
import { sha256 } from '../../kernel/digest.ts';
import { packJson, unpackJson } from '../../kernel/packed-json.ts';
import { pageBytes, pageText } from './page-bytes.ts';
import type { PageRow } from './tables.ts';
import type { Workspace } from './workspace.ts';

/**
 * A kind of results for the sales of a page. A stage stores one or several kinds. The `submitted` and `recorded` kinds
 * belong to one service each.
 */
export type PageKind =
  | 'calculated'
  | 'variances'
  | 'gaps'
  | 'done'
  | `submitted ${string}`
  | `recorded ${string}`
  | 'reconciled'
  | 'evidence'
  | 'sums'
  | 'detail';

/** The results of a stage for one page of sales. Each row is about a single sale and has its key. */
export type StagePage<Row> = {
  /** Digest of everything that the rows were made from. While it is unchanged, the rows are valid. */
  readonly input: string;
  /** The number of rows that the stage processes again in every run, or that a later step has to explain. */
  readonly open: number;
  readonly rows: readonly Row[];
};

/** A page without its rows. */
export type PageHead = Pick<PageRow, 'slot' | 'input' | 'digest' | 'rows' | 'open'>;

const HEAD = ['slot', 'input', 'digest', 'rows', 'open'] as const;

/** Returns the results of a stage for a page; `undefined` when it has not processed the page yet. */
export const readPage = async <Row>(
  workspace: Workspace,
  kind: PageKind,
  slot: string,
): Promise<StagePage<Row> | undefined> => {
  const row = await workspace.tables
    .selectFrom('page')
    .selectAll()
    .where('entity', '=', workspace.entity)
    .where('stage', '=', kind)
    .where('slot', '=', slot)
    .executeTakeFirst();
  return row && { input: row.input, open: row.open, rows: rowsOf<Row>(workspace, row) };
};

/** Returns the pages of a stage whose slots begin like this, ordered by slot; `wanted` selects slots. */
export const pagesBeginning = async <Row>(
  workspace: Workspace,
  kind: PageKind,
  beginning: string,
  wanted: (slot: string) => boolean = () => true,
): Promise<readonly StagePage<Row>[]> => {
  const pages: StagePage<Row>[] = [];
  for (const { slot } of await pageHeads(workspace, kind, { first: beginning, last: beginning })) {
    if (!wanted(slot)) continue;
    const page = await readPage<Row>(workspace, kind, slot);
    if (page) pages.push(page);
  }
  return pages;
};

/** Returns the head of the page in a slot, without its rows; `undefined` when there is none. */
export const pageHead = async (
  { tables, entity }: Workspace,
  kind: PageKind,
  slot: string,
): Promise<PageHead | undefined> =>
  tables
    .selectFrom('page')
    .select(HEAD)
    .where('entity', '=', entity)
    .where('stage', '=', kind)
    .where('slot', '=', slot)
    .executeTakeFirst();

/** Returns the digests of the pages of these stages in a slot; `null` for a stage without one. */
export const pageDigests = async (
  { tables, entity }: Workspace,
  kinds: readonly PageKind[],
  slot: string,
): Promise<readonly (string | null)[]> => {
  const heads = await tables
    .selectFrom('page')
    .select(['stage', 'digest'])
    .where('entity', '=', entity)
    .where('stage', 'in', kinds)
    .where('slot', '=', slot)
    .execute();
  return kinds.map((wanted) => heads.find(({ stage }) => stage === wanted)?.digest ?? null);
};

/** Returns the heads of the pages of a stage from the first of these slot prefixes to the last. */
export const pageHeads = async (
  { tables, entity }: Workspace,
  kind: PageKind,
  { first, last }: { readonly first: string; readonly last: string },
): Promise<readonly PageHead[]> =>
  tables
    .selectFrom('page')
    .select(HEAD)
    .where('entity', '=', entity)
    .where('stage', '=', kind)
    .where('slot', '>=', first)
    .where('slot', '<', `${last}\uffff`)
    .orderBy('slot')
    .execute();

/**
 * Store the results of a stage for a page, replacing its earlier ones. Pages are compressed in parallel and written one
 * after the other, in the order in which they were given. The stage can compute its results again, except an intent:
 * when this resolves, the intent and everything written before it are on the disk.
 */
export const keepPage = async <Row extends object>(
  workspace: Workspace,
  kind: PageKind,
  slot: string,
  { input, open, rows }: StagePage<Row>,
  isIntent = false,
): Promise<void> => {
  const text = packJson(rows as unknown as Json);
  const body = pageBytes(text);
  await keep(workspace, kind, slot, { input, digest: sha256(text), rows: rows.length, open, body }, isIntent);
};

/** Store bytes as the page of a stage. They are read unchanged and checked against their digest. */
export const keepBytes = (
  workspace: Workspace,
  kind: PageKind,
  slot: string,
  { input, rows, body }: Pick<PageRow, 'input' | 'rows' | 'body'>,
): Promise<void> =>
  keep(workspace, kind, slot, { input, digest: sha256(body), rows, open: 0, body: Promise.resolve(body) });

const keep = async (
  { database, entity, tables, derived }: Workspace,
  kind: PageKind,
  slot: string,
  {
    body,
    ...page
  }: Omit<PageRow, 'entity' | 'stage' | 'slot' | 'body'> & { readonly body: Promise<Uint8Array> },
  isIntent = false,
): Promise<void> => {
  const written = (lastWritten.get(database) ?? Promise.resolve()).then(async () => {
    const found = { ...page, body: await body };
    await (isIntent ? tables : derived)
      .insertInto('page')
      .values({ entity, stage: kind, slot, ...found })
      .onConflict((conflict) => conflict.columns(['entity', 'stage', 'slot']).doUpdateSet(found))
      .execute();
  });
  lastWritten.set(
    database,
    written.catch(() => {}),
  );
  await written;
};

/** For each database, resolves when its most recently given page is written. */
const lastWritten = new WeakMap<Database, Promise<void>>();

export const dropPages = async (
  { tables, entity }: Workspace,
  kind: PageKind,
  slots: readonly string[],
): Promise<void> => {
  if (slots.length === 0) return;
  await tables
    .deleteFrom('page')
    .where('entity', '=', entity)
    .where('stage', '=', kind)
    .where('slot', 'in', slots)
    .execute();
};

const rowsOf = <Row>({ database }: Workspace, { slot, stage, body }: PageRow): readonly Row[] =>
  unpackJson<Row[]>(pageText(database, body, nameOf({ slot, stage })));

const nameOf = ({ slot, stage }: Pick<PageRow, 'slot' | 'stage'>): string =>
  `the page ${slot} of the stage ${stage}`;
