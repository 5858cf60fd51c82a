import type { NewTransaction, TransactionName } from '../../../contract/transaction.ts';
import { wireSent } from '../../../contract/wire-transaction.ts';
import { versionDigest } from '../../../kernel/digest.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import { expectationsIn } from '../../period-sales/expectation-of.ts';
import {
  type SubmittedSale,
  submittedByKey,
  submittedIn,
  submittedStage,
} from '../../period-sales/submitted-sale.ts';
import { transactionOf } from '../../sales/transaction-of.ts';
import {
  beginningOf,
  digestOfPage,
  openSlotOf,
  overlaps,
  type SalesPage,
  type StoredSale,
} from '../../workspace/sale-page.ts';
import { keepPage, pageHead, pagesBeginning } from '../../workspace/stage-pages.ts';
import { pageInput } from '../inputs/page-input.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** A sale in the form in which it is recorded, ready to be sent. */
export type Submission = {
  readonly stored: StoredSale;
  readonly sent: NewTransaction;
  /** Digest of the body that is sent. */
  readonly digest: string;
};

/** Returns the name of the record. */
export const recordName = ({ sent: { kind, transaction } }: Submission): TransactionName => ({
  kind,
  id: transaction.transaction_id,
  provider: transaction.provider,
});

/** The submissions of a page, with those that the service does not hold in their present form. */
export type PendingSubmissions = {
  /** Digest of all inputs of the bodies. */
  readonly input: string;
  readonly pending: readonly Submission[];
  /** The known rows of the page, by key. */
  readonly rows: ReadonlyMap<string, SubmittedSale>;
  /** Posted sales of the page. */
  readonly count: number;
};

/** Returns the digest of all inputs of a page's bodies, and the number of its sales if all are held as they are now. */
const knownOf = async (ports: ClosePorts, page: SalesPage) => {
  const { workspace } = ports;
  const calculated = (await pageHead(workspace, 'calculated', page.slot))?.digest ?? null;
  const input = pageInput(ports, 'submit', [digestOfPage(page), calculated]);
  const head = await pageHead(workspace, submittedStage(ports), page.slot);
  return { input, held: head?.input === input && head.open === 0 ? head.rows : undefined };
};

/** Returns which posted sales of a page the service does not hold in their present form. */
export const pendingSubmissions = async (ports: ClosePorts, page: SalesPage): Promise<PendingSubmissions> => {
  const { workspace, configuration } = ports;
  const { slot } = page;
  const { input, held } = await knownOf(ports, page);
  if (held !== undefined) return { input, pending: [], rows: new Map(), count: held };
  const { sales } = page;
  if (sales.length === 0) return { input, pending: [], rows: new Map(), count: 0 };
  const rows = await rowsFor(ports, page);
  const expectations = await expectationsIn(workspace, slot);
  const pending = sales
    .map((stored): Submission => {
      const expectation = expectations.get(stored.sale.key);
      const result = expectation && expectation.basis !== 'refused' ? expectation.result : undefined;
      const provider = providerOf(configuration, stored.sale.channel);
      const transaction = transactionOf(stored.sale, provider, configuration.shipFrom, result);
      const sent = { kind: stored.sale.kind, transaction };
      return { stored, sent, digest: versionDigest(JSON.stringify(wireSent(transaction))) };
    })
    .filter(({ stored, digest }) => {
      const row = rows.get(stored.sale.key);
      return row?.body !== digest || row.state !== 'held';
    });
  return { input, pending, rows, count: sales.length };
};

/**
 * Returns the known rows of a page's sales. If pages were cut differently before, a row may be on another page of the
 * day that overlaps this one.
 */
const rowsFor = async (
  ports: ClosePorts,
  { slot, sales }: SalesPage,
): Promise<ReadonlyMap<string, SubmittedSale>> => {
  const own = await submittedIn(ports, slot);
  const day = openSlotOf(slot)?.day;
  if (day === undefined || sales.every(({ sale }) => own.has(sale.key))) return own;
  const pages = await pagesBeginning<SubmittedSale>(
    ports.workspace,
    submittedStage(ports),
    beginningOf(day),
    (other) => other !== slot && overlaps(other, slot),
  );
  const known = submittedByKey(pages.flatMap(({ rows }) => rows));
  return new Map([...known, ...own]);
};

/** Store the submission states of the sales of a page. With `isIntent`, they are on the disk when this resolves. */
export const keepSubmitted = (
  ports: ClosePorts,
  { slot, sales }: SalesPage,
  input: string,
  rows: ReadonlyMap<string, SubmittedSale>,
  isIntent = false,
): Promise<void> => {
  const kept = sales.flatMap(({ sale }) => rows.get(sale.key) ?? []);
  const open = kept.filter(({ state }) => state !== 'held').length + sales.length - kept.length;
  return keepPage(ports.workspace, submittedStage(ports), slot, { input, open, rows: kept }, isIntent);
};
