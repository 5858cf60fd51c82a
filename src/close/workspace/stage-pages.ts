import type { Database } from '../../database/database.ts';
import type { Json } from '../../kernel/digest.ts';
import { sha256 } from '../../kernel/digest.ts';
import { packJson, unpackJson } from '../../kernel/packed-json.ts';
import { damagedPage, pageBytes, pageText } from './page-bytes.ts';
import type { PageRow } from './tables.ts';
import type { Workspace } from './workspace.ts';

/**
 * What is found about the sales of a page: a stage keeps one kind of page or several. What is sent to a service
 * and read back from it is about that service.
 */
export type PageKind =
  | 'calculated'
  | 'variances'
  | 'explained'
  | 'cities'
  | 'gaps'
  | 'done'
  | `submitted ${string}`
  | `recorded ${string}`
  | 'reconciled'
  | 'evidence'
  | 'sums'
  | 'detail';

/** What a stage found about the sales of one page. Rows are about single sales and carry their keys. */
export type StagePage<Row> = {
  /** Digest of everything that the rows were made from: while it is the same, they are. */
  readonly input: string;
  /** Rows that the stage looks at again in every run, or that a later step has to explain. */
  readonly open: number;
  readonly rows: readonly Row[];
};

/** A page without its rows. */
export type PageHead = Pick<PageRow, 'slot' | 'input' | 'digest' | 'rows' | 'open'>;

const HEAD = ['slot', 'input', 'digest', 'rows', 'open'] as const;

/** What a stage found about the sales of a page; `undefined` when it has not looked yet. */
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

/** The pages of a stage whose slots begin like this, in the order of their slots; of `wanted` slots only. */
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

/** The page of a slot without its rows; `undefined` when there is none. */
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

/** The digests of the pages that these stages have of a slot; `null` where one has none. */
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

/** The pages of a stage from the first of these beginnings of slots to the last, without their rows. */
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
 * Keep what a stage found about the sales of a page, in the place of what it found before. Pages are compressed side by side
 * and written one after the other, in the order in which they were given. A stage can find all of it again, but for an
 * intent: the disk has that, and all before it, when this resolves.
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

/** Keep bytes as the page of a stage: they are read as they are, and checked against their digest. */
export const keepBytes = (
  workspace: Workspace,
  kind: PageKind,
  slot: string,
  { input, rows, body }: Pick<PageRow, 'input' | 'rows' | 'body'>,
): Promise<void> =>
  keep(workspace, kind, slot, { input, digest: sha256(body), rows, open: 0, body: Promise.resolve(body) });

/**
 * The bytes that were kept under this digest.
 *
 * @throws {TieoutError} `E_DATABASE_DAMAGED` when they are not what they were
 */
export const readBytes = async (
  { database, tables, entity }: Workspace,
  kind: PageKind,
  { slot, digest }: Pick<PageHead, 'slot' | 'digest'>,
): Promise<Uint8Array> => {
  const { body } = await tables
    .selectFrom('page')
    .select('body')
    .where('entity', '=', entity)
    .where('stage', '=', kind)
    .where('slot', '=', slot)
    .executeTakeFirstOrThrow();
  if (sha256(body) !== digest) throw damagedPage(database, nameOf({ slot, stage: kind }));
  return body;
};

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

/** By database: when the page that was given last is written. */
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
