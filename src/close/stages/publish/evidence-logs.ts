import type { TaxResult } from '../../../contract/tax-result.ts';
import { wireSent } from '../../../contract/wire-transaction.ts';
import type { Json } from '../../../kernel/digest.ts';
import { DefectError } from '../../../kernel/errors.ts';
import { withoutExemption } from '../../certificates/settle-exemption.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import { logPiece } from '../../evidence/log-file.ts';
import type { LoggedSubmission, LogPieces } from '../../evidence/logged.ts';
import { postingOf, type Sale } from '../../sales/sale.ts';
import { taxRequestOf } from '../../sales/tax-request-of.ts';
import { transactionOf } from '../../sales/transaction-of.ts';
import { type DetailedSale, figuresText } from '../../workspace/detailed-sales.ts';
import {
  answersFor,
  type CalculatedSale,
  calculatedIn,
  keptAnswers,
  type StoredAnswer,
} from '../../workspace/expectation-of.ts';
import type { SalesPage, StoredSale } from '../../workspace/sale-page.ts';
import type { ClosePorts } from '../close-ports.ts';
import { submittedIn } from '../submit/submission.ts';
import type { RecordedRecord } from './recorded-of-period.ts';

/** Takes the lines of the logs of a period's evidence, in orders that do not depend on when things happened. */
export type EvidenceLogs = { readonly write: (pieces: LogPieces) => Promise<void> };

/** What the logs say about a page of sales. */
export const piecesOfSales = async (
  ports: ClosePorts,
  { slot, sales }: SalesPage<DetailedSale>,
): Promise<LogPieces> => {
  const { workspace } = ports;
  const calculated = await calculatedIn(workspace, slot);
  const posted = sales.filter(isPostedNow);
  const answers = posted.flatMap(({ sale }) => answersFor(calculated.get(sale.key)));
  const kept = await keptAnswers(
    workspace,
    answers.flatMap(({ digest, result }) => (result ? [] : [digest])),
  );
  const sent = await submissionsOf(ports, slot, posted, (key) => {
    const own = calculated.get(key)?.own;
    return own && (own.result ?? kept.get(own.digest)?.result);
  });
  const lines = posted.flatMap(({ sale }) => calculationLines(ports, sale, calculated.get(sale.key), kept));
  return {
    sales: logPiece(
      sales.map((detailed) => {
        const { key } = detailed.sale;
        return saleLine(ports, detailed, calculated.get(key), sent.get(key)?.digest ?? null);
      }),
    ),
    calculations: logPiece(lines),
    submissions: logPiece([...sent.values()].map((submission) => JSON.stringify(submission))),
  };
};

/** What is filed is neither calculated nor sent again. */
const isPostedNow = ({ posting, filed }: StoredSale): boolean => posting === 'posted' && filed === undefined;

/** What was found about a sale is joined as it is stored: parsing it only to print it again would change nothing. */
const saleLine = (
  { configuration }: ClosePorts,
  detailed: DetailedSale,
  calculated: CalculatedSale | undefined,
  submission: string | null,
): string => {
  const { sale, filed, late } = detailed;
  const figures = figuresText(detailed);
  const posting = postingOf(sale);
  // What is filed, or takes back what is filed, stands as it was filed: no calculation of today proves it.
  const isCalculated = posting === 'posted' && filed === undefined && (late?.takesBack ?? null) === null;
  const calculation = isCalculated ? (calculated?.own?.digest ?? null) : null;
  const provider = providerOf(configuration, sale.channel);
  const head = JSON.stringify({ posting, sale, provider, calculation, submission });
  return `${head.slice(0, -1)},"reconciled":${figures === '' ? 'null' : figures}}`;
};

/** The calculations of a sale: its own, those with one thing changed, and what its exemption relieves. */
const calculationLines = (
  ports: ClosePorts,
  sale: Sale,
  row: CalculatedSale | undefined,
  kept: Awaited<ReturnType<typeof keptAnswers>>,
): readonly string[] => {
  if (!row) return [];
  const line = (asked: StoredAnswer, about: Sale, why: { code?: string; what?: string }): string => {
    const { digest } = asked;
    const answer = kept.get(digest);
    const request = asked.request ?? answer?.request ?? taxRequestOf(about, ports.configuration.shipFrom);
    const result = asked.result ?? answer?.result;
    if (!result) throw new DefectError(`the calculation ${digest} is not in the workspace`);
    return JSON.stringify({ key: sale.key, ...why, digest, service: ports.serviceId, request, result });
  };
  const { own, relief, alternatives } = row;
  const isKnown = alternatives.some(({ asked }) => asked.digest === relief?.digest);
  return [
    ...(own ? [line(own, sale, {})] : []),
    ...alternatives.map(({ code, what, asked }) => line(asked, sale, { code, what })),
    ...(relief && !isKnown
      ? [line(relief, withoutExemption(sale), { code: 'R07', what: 'without the exemption' })]
      : []),
  ];
};

/** What was sent for each posted sale, and how it ended, by the key of the sale. */
const submissionsOf = async (
  ports: ClosePorts,
  slot: string,
  posted: readonly StoredSale[],
  resultOf: (key: string) => TaxResult | undefined,
): Promise<ReadonlyMap<string, LoggedSubmission>> => {
  const { configuration } = ports;
  const submissions = await submittedIn(ports, slot);
  return new Map(
    posted.flatMap(({ sale }) => {
      const submission = submissions.get(sale.key);
      if (!submission) return [];
      const { key, state, detail, body: digest } = submission;
      const provider = providerOf(configuration, sale.channel);
      const body = wireSent(transactionOf(sale, provider, configuration.shipFrom, resultOf(key)));
      return [[key, { key, state, detail, digest, body: body as Json }] as const];
    }),
  );
};

/** What the service gave back for the period. */
export const recordedLine = (
  { provider, kind, id, business_date, record }: RecordedRecord,
  channel: string,
): string => JSON.stringify({ channel, provider, kind, id, business_date, record });
