import { pagesBy } from '../../database/pages.ts';
import { postingOf, type Sale } from '../sales/sale.ts';
import { filedByKey } from '../workspace/filed-pages.ts';
import type { Lock } from '../workspace/locks.ts';
import { salesByKey } from '../workspace/put-sales.ts';
import { salesOfDays } from '../workspace/sales-of-days.ts';
import { BATCH_ROWS, type Workspace } from '../workspace/workspace.ts';
import { unpostedKey } from './freeze-sales.ts';
import type { LateItem } from './late-item.ts';
import { filedRecord, standingRecords } from './standing-records.ts';
import { NOTHING_STATED, statedDigest } from './stated-digest.ts';

/** A record that may be late, with the digest of what the exports say of it now, if it is a sale at all. */
type Candidate = { readonly key: string; readonly digest: string | null };

/**
 * The late items of a locked period that no one has decided yet: what the exports say now against what was filed. A
 * record that is not in the newest exports is not an item, because nothing is ever gone for that.
 */
export const findLate = async (
  workspace: Workspace,
  lock: Lock,
  locks: readonly Lock[],
): Promise<readonly LateItem[]> => {
  const items: LateItem[] = [];
  const labels = locks.filter(({ period, state }) => period === lock.period && state === 'locked');
  const sources = [
    datedIn(workspace, lock),
    filedWith(
      workspace,
      labels.map(({ label }) => label),
    ),
    carriedFrom(workspace, lock.period),
  ];
  const seen = new Set<string>();
  for (const source of sources) {
    for await (const page of source) {
      const fresh = page.filter(({ key }) => !seen.has(key));
      for (const { key } of fresh) seen.add(key);
      items.push(...(await undecided(workspace, lock, fresh)));
    }
  }
  return items.sort((left, right) => (left.key < right.key ? -1 : 1));
};

/** Sales dated in the locked period that no lock holds. */
const datedIn = (workspace: Workspace, lock: Lock): AsyncGenerator<readonly Candidate[]> =>
  pagesBy(
    salesOfDays(workspace, lock)
      .select(['key', 'digest'])
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('filed_sale')
              .select('filed_sale.key')
              .whereRef('filed_sale.entity', '=', 'sale.entity')
              .whereRef('filed_sale.key', '=', 'sale.key'),
          ),
        ),
      ),
    ['key'],
    BATCH_ROWS,
  );

/** Records of its own that the lock holds, and of which the exports say something else now, or nothing at all. */
const filedWith = (
  { tables, entity }: Workspace,
  labels: readonly string[],
): AsyncGenerator<readonly Candidate[]> =>
  pagesBy(
    tables
      .selectFrom('filed_sale')
      .leftJoin('sale', (join) =>
        join.onRef('sale.entity', '=', 'filed_sale.entity').onRef('sale.key', '=', 'filed_sale.key'),
      )
      .select(['filed_sale.filed_on', 'filed_sale.key', 'sale.digest'])
      .where('filed_sale.entity', '=', entity)
      .where('filed_sale.label', 'in', labels)
      .where('filed_sale.posting', '=', 'posted')
      .where('filed_sale.corrects', '=', '')
      .where(({ or, eb }) =>
        or([eb('sale.key', 'is', null), eb('sale.digest', '<>', eb.ref('filed_sale.digest'))]),
      ),
    // The order of the pages in which their texts lie.
    ['filed_sale.filed_on', 'filed_sale.key'],
    BATCH_ROWS,
  );

/** Records of which something was carried, whether that is filed by now or not: the exports may say again what the lock holds. */
const carriedFrom = ({ tables, entity }: Workspace, period: string): AsyncGenerator<readonly Candidate[]> =>
  pagesBy(
    tables
      .selectFrom('carried_sale')
      .leftJoin('sale', (join) =>
        join.onRef('sale.entity', '=', 'carried_sale.entity').onRef('sale.key', '=', 'carried_sale.corrects'),
      )
      .distinct()
      .select(['carried_sale.corrects', 'carried_sale.corrects as key', 'sale.digest'])
      .where('carried_sale.entity', '=', entity)
      .where('carried_sale.source', '=', period),
    ['carried_sale.corrects'],
    BATCH_ROWS,
  );

const undecided = async (
  workspace: Workspace,
  lock: Lock,
  page: readonly Candidate[],
): Promise<readonly LateItem[]> => {
  const keys = page.map(({ key }) => key);
  const standing = await standingRecords(workspace, keys);
  const unposted = await unpostedStatements(workspace, lock, keys);
  const decisions = await decisionsOf(workspace, keys);
  const sales = await salesByKey(workspace, keys);
  const carried = await carriedAndOpen(
    workspace,
    keys.filter((key) => !sales.has(key) && !standing.has(key)),
  );
  return page.flatMap(({ key, digest }): LateItem[] => {
    const sale = sales.get(key);
    const stated = sale ? statedDigest(sale) : NOTHING_STATED;
    const filed = standing.get(key)?.record;
    const known = decisions.get(key)?.stated ?? (filed ? statedDigest(filed.sale) : unposted.get(key));
    if (stated === (known ?? NOTHING_STATED)) return [];
    // What was shown and not filed may change as long as it is not filed.
    if (!filed && unposted.has(key) && sale && postingOf(sale) !== 'posted') return [];
    const kind = sale === undefined ? 'withdrawn' : filed || decisions.has(key) ? 'changed' : 'new';
    const { period: label, first, last } = lock;
    return [
      {
        period: { label, first, last },
        key,
        kind,
        sale,
        digest: digest ?? '',
        filed,
        carried: carried.get(key),
        stated,
      },
    ];
  });
};

/** What the locked period shows of records that were not posted. */
const unpostedStatements = async (
  workspace: Workspace,
  { period }: Lock,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const filed = await filedByKey(
    workspace,
    keys.map((key) => unpostedKey(period, key)),
  );
  return new Map([...filed.values()].map(filedRecord).map(({ sale }) => [sale.key, statedDigest(sale)]));
};

/** The sales that were carried under these keys and are not filed yet. */
const carriedAndOpen = async (
  { tables, entity }: Workspace,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Sale>> => {
  if (keys.length === 0) return new Map();
  const rows = await tables
    .selectFrom('carried_sale')
    .select(['key', 'body'])
    .where('entity', '=', entity)
    .where('key', 'in', keys)
    .execute();
  return new Map(rows.map(({ key, body }) => [key, JSON.parse(body) as Sale]));
};

/** What was decided last of a record, and by which statement of it. */
export type Decided = { readonly choice: string; readonly destination: string; readonly stated: string };

/** The decisions that hold, by the keys of their records; one that was revoked holds no more. */
const decisionsOf = async (
  { tables, entity }: Workspace,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Decided>> => {
  if (keys.length === 0) return new Map();
  const rows = await tables
    .selectFrom('late_decision')
    .select(['key', 'choice', 'destination', 'content as stated'])
    .where('entity', '=', entity)
    .where('key', 'in', keys)
    .orderBy('number')
    .execute();
  const last = new Map(rows.map((row) => [row.key, row]));
  return new Map([...last].filter(([, { choice }]) => choice !== 'revoked'));
};
