import type { Refund } from '../../../contract/transaction.ts';
import { rollingWindow } from '../../../runtime/rolling-window.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import type { NamesPage } from '../../workspace/sale-names.ts';
import { keepPage } from '../../workspace/stage-pages.ts';
import type { Advanced, ClosePorts } from '../close-ports.ts';
import { allAnswers, inLists } from '../service-lists.ts';
import { keysDigest, type RecordedSale, type RecordName, recordedStage } from './recorded-sale.ts';

export type ReadFigures = { readonly read: number };

const PAGES_AT_ONCE = 3;

/** Read what the service holds of the sales of these pages, with the adjustments of refunds, and keep it. */
export const readBackPages = async (
  ports: ClosePorts,
  pages: AsyncIterable<NamesPage>,
  advanced: Advanced,
): Promise<ReadFigures> => {
  const lists = inLists(ports);
  let read = 0;
  await rollingWindow(pages, PAGES_AT_ONCE, async ({ slot, sales }) => {
    const keys = sales.map(({ key }) => key);
    const adjusted = await adjustmentsOf(ports, keys);
    const names = sales.map(({ key, channel, kind, id }): readonly RecordName[] => {
      const provider = providerOf(ports.configuration, channel);
      return [id, ...(adjusted.get(key) ?? [])].map((each) => ({ provider, kind, id: each }));
    });
    const shown = allAnswers(await lists(names.flat(), (list) => ports.service.showMany(list)));
    let next = 0;
    const rows = keys.flatMap((key, index): RecordedSale[] => {
      const count = names[index]?.length ?? 0;
      const [record, ...others] = shown.slice(next, next + count);
      next += count;
      if (!record) return [];
      const adjustments = others.filter((each): each is Refund => each !== undefined);
      return [{ key, record, ...(adjustments.length > 0 && { adjustments }) }];
    });
    read += shown.filter((record) => record !== undefined).length;
    const open = sales.length - rows.length;
    await keepPage(ports.workspace, recordedStage(ports), slot, { input: keysDigest(keys), open, rows });
    advanced(read);
  });
  return { read };
};

/** The ids of the adjustments of refunds, by the key of the refund. */
const adjustmentsOf = async (
  { workspace, serviceName }: ClosePorts,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  if (keys.length === 0) return new Map();
  const rows = await workspace.tables
    .selectFrom('refund_adjustment')
    .select(['key', 'id'])
    .where('entity', '=', workspace.entity)
    .where('service', '=', serviceName)
    .where('key', 'in', keys)
    .orderBy('id')
    .execute();
  const ids = new Map<string, string[]>();
  for (const { key, id } of rows) ids.set(key, [...(ids.get(key) ?? []), id]);
  return ids;
};
