import type { LoggedSales } from '../../evidence/logged.ts';
import type { FoundSale } from '../../workspace/detailed-sales.ts';
import { digestOfPage, type SalesPage } from '../../workspace/sale-page.ts';
import type { SettledSale } from '../../workspace/settled-sale.ts';
import { keepBytes, keepPage, pageHead, readBytes, readPage } from '../../workspace/stage-pages.ts';
import { type ClosePorts, isEmbedded } from '../close-ports.ts';
import { pageInput } from '../page-input.ts';
import { reconciledFrom } from '../reconcile/reconciled-from.ts';
import { foundOfPage, logSales } from './log-sales.ts';

/** Beside the lines of the sales, which are kept as the evidence has them. */
type Beside = Pick<LoggedSales, 'questions' | 'records' | 'recorded'>;

/** What the logs say about a page of sales: as it was kept, where nothing of it has changed. */
export const loggedPage = async (ports: ClosePorts, page: SalesPage<FoundSale>): Promise<LoggedSales> => {
  const { workspace } = ports;
  const { slot, sales } = page;
  const input = isKept(ports, page) ? await inputOf(ports, page) : undefined;
  const head = input === undefined ? undefined : await pageHead(workspace, 'logged', slot);
  if (head && head.input === input) {
    const beside = await readPage<Beside>(workspace, 'logged beside', slot);
    const [found] = beside?.input === input ? beside.rows : [];
    if (found)
      return { sales: { records: head.rows, member: await readBytes(workspace, 'logged', head) }, ...found };
  }
  const logged = await logSales(ports, sales, await foundOfPage(ports, slot));
  if (input !== undefined) await keepLogged(ports, slot, input, logged);
  return logged;
};

/** Have what the logs say about a page kept, while what it follows from is at hand. */
export const logPage = async (
  ports: ClosePorts,
  page: SalesPage<SettledSale>,
  logged: () => Promise<LoggedSales>,
): Promise<void> => {
  if (!isKept(ports, page)) return;
  await keepLogged(ports, page.slot, await inputOf(ports, page), await logged());
};

const keepLogged = async (
  { workspace }: ClosePorts,
  slot: string,
  input: string,
  { sales: { records: rows, member: body }, ...beside }: LoggedSales,
): Promise<void> => {
  await keepPage<Beside>(workspace, 'logged beside', slot, { input, open: 0, rows: [beside] });
  await keepBytes(workspace, 'logged', slot, { input, rows, body });
};

/** Answers of a remote service lie beside the pages and may be asked for again; filed sales are seldom reported again. */
const isKept = (ports: ClosePorts, { sales }: SalesPage): boolean =>
  isEmbedded(ports) && sales.every(({ filed }) => filed === undefined);

/** Digest of everything that the lines of a page follow from. */
const inputOf = async (ports: ClosePorts, page: SalesPage<SettledSale>): Promise<string> => {
  const stages = [...reconciledFrom(ports), 'reconciled'] as const;
  const heads: (string | null)[] = [];
  for (const stage of stages) heads.push((await pageHead(ports.workspace, stage, page.slot))?.digest ?? null);
  return pageInput(ports, 'log', {
    sales: digestOfPage(page),
    // The lines name where each sale stands, which moves when the export is taken again.
    origins: page.sales.map(({ sale }) => [{ ...sale.origin }, sale.rows]),
    heads,
  });
};
