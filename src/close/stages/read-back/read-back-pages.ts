import type { Refund } from '../../../contract/transaction.ts';
import { utcDateOf } from '../../../kernel/calendar.ts';
import { isWithin } from '../../../kernel/period.ts';
import { rollingWindow } from '../../../runtime/rolling-window.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import {
  type RecordedSale,
  type RecordName,
  recordedInput,
  recordedStage,
} from '../../period-sales/recorded-sale.ts';
import type { NamesPage } from '../../period-sales/sale-names.ts';
import { adjustmentsOf } from '../../workspace/sent-records.ts';
import { keepPage, pageHead } from '../../workspace/stage-pages.ts';
import { dayMarks, isAsRead } from '../listing/day-marks.ts';
import type { Advanced, ClosePorts } from '../run/close-ports.ts';
import { allAnswers, inLists } from '../run/service-lists.ts';

export type ReadFigures = { readonly read: number };

const PAGES_AT_ONCE = 3;

/**
 * Read the service's records for the sales of these pages, with the adjustments of refunds, and store them. A page is
 * skipped if all its records were read before and the service's marks for their days have not changed.
 */
export const readBackPages = async (
  ports: ClosePorts,
  pages: AsyncIterable<NamesPage>,
  advanced: Advanced,
): Promise<ReadFigures> => {
  const lists = inLists(ports);
  let read = 0;
  const stage = recordedStage(ports);
  const marks = dayMarks(ports);
  await rollingWindow(pages, PAGES_AT_ONCE, async ({ slot, content, sales }) => {
    // The marks are read before the records, so a change between the two is found by the next close.
    const marked = await marks(slot);
    const keys = sales.map(({ key }) => key);
    const adjusted = await adjustmentsOf(ports, keys);
    const names = sales.map(({ key, channel, kind, id }): readonly RecordName[] => {
      const provider = providerOf(ports.configuration, channel);
      return [id, ...(adjusted.get(key) ?? [])].map((each) => ({ provider, kind, id: each }));
    });
    const wanted = names.flat();
    const asked = wanted.map(({ provider, kind, id }) => `${provider}/${kind}/${id}`);
    const input = recordedInput({ keys, content }, marked && { asked, mark: marked.mark });
    const known = marked && (await pageHead(ports.workspace, stage, slot));
    if (known?.input === input && (await isAsRead(known, marks))) {
      read += wanted.length;
      advanced(read);
      return;
    }
    const shown = allAnswers(await lists(wanted, (list) => ports.service.showMany(list)));
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
    // Another program may have recorded a date that differs from that of the sale.
    const isMarked =
      marked && shown.every((record) => record && isWithin(marked, utcDateOf(record.transaction_date)));
    await keepPage(ports.workspace, stage, slot, {
      input: isMarked ? input : recordedInput({ keys, content }),
      open,
      rows,
    });
    advanced(read);
  });
  return { read };
};
