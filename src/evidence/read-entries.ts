import { join } from 'node:path';
import { recordDifferences } from '../judge/compare-record.ts';
import { orderKeyOf } from '../judge/refund-link.ts';
import { leviedBy } from '../judge/tax-model.ts';
import { canonicalJson, digestOf, type Json } from '../kernel/json.ts';
import { moneyOfPrice, subtract, sum } from '../kernel/money.ts';
import { postingOf } from '../sales/sale.ts';
import { type Entry, providerIn, readEntry, requestMark, sentOf, signedFor } from './entry.ts';
import { logPath, readLines, readLog } from './log-file.ts';
import type { Derivation, Problem } from './manifest.ts';

/** The path of the log of entries. */
export const ENTRIES = logPath('entries');

/** Yields the entries of a folder in the order of their log. */
export async function* readEntries(folder: string): AsyncGenerator<Entry> {
  for await (const line of readLog(join(folder, ENTRIES))) yield readEntry(line);
}

/** Counts the lines of a log. The keys of the orders that its refunds belong to are added to `refunded`. */
export const countLines = async (folder: string, path: string, refunded: Set<string>): Promise<number> => {
  let count = 0;
  for await (const line of readLines(join(folder, path))) {
    count += 1;
    if (path !== ENTRIES || !line.includes('/refund/')) continue;
    const { channel, reference } = (JSON.parse(line) as Entry).sale;
    refunded.add(orderKeyOf({ channel, order: reference ?? '' }));
  }
  return count;
};

/**
 * Checks that an entry is consistent: request and body were built from its sale, its figures follow from its answer and
 * its record, its reasons add up to its variance, and its levels to its tax.
 *
 * @param strays the records of no sale, by provider, kind and id
 */
export const entryProblem = (entry: Entry, derivation: Derivation, strays: ReadonlySet<string>): Problem =>
  answerProblem(entry, derivation) ??
  questionProblem(entry) ??
  sentProblem(entry) ??
  figuresProblem(entry) ??
  recordProblem(entry, derivation, strays);

const answerProblem = ({ sale, answer, figures, filed }: Entry, derivation: Derivation): Problem => {
  if (!answer) return figures?.hasNexus && !filed ? 'its calculation is not in the log' : undefined;
  const { request, result } = answer;
  if (requestMark(sale, derivation) !== request) return 'its calculation was asked for another sale';
  if (!figures || figures.expected === null) return undefined;
  const signed = signedFor(sale);
  if (signed(result.amount_to_collect) !== figures.expected)
    return 'its expected tax is not what its calculation answered';
  const levied = leviedBy(result).every(({ level, name, rate, taxable, tax }, index) => {
    const own = figures.levels[index];
    return (
      own?.level === level &&
      own.name === name &&
      own.rate === rate &&
      own.taxable === signed(taxable) &&
      own.tax === signed(tax)
    );
  });
  return levied &&
    signed(result.taxable_amount) === figures.taxable &&
    result.has_nexus === figures.hasNexus &&
    result.tax_source === figures.taxSource &&
    result.freight_taxable === figures.freightTaxable
    ? undefined
    : 'its figures are not those of its calculation';
};

const questionProblem = ({ asked = [] }: Entry): Problem =>
  asked.some(({ digest, service, request }) => digestOf({ service, request } as Json) !== digest)
    ? 'a question about it was changed'
    : undefined;

const sentProblem = ({ sent, recorded, figures, filed }: Entry): Problem => {
  if (figures === undefined && (sent || (recorded && !filed))) return 'it is recorded and not posted';
  if (sent?.state === 'missing' && recorded) return 'it is called missing, and its record is in the log';
  return figures === undefined || sent || recorded
    ? undefined
    : 'what the service has of it is not in the log';
};

const figuresProblem = ({ sale, figures }: Entry): Problem => {
  if (postingOf(sale) !== 'posted')
    return figures === undefined ? undefined : 'it has figures and is not posted';
  if (figures === undefined) return 'the log has no figures of it';
  if (figures === null) return undefined;
  const { expected, reasons, levels } = figures;
  const collected = signedFor(sale)(sale.salesTax);
  if (levels.length > 0 && sum(levels.map((level) => level.collected)) !== collected)
    return 'its jurisdictions do not add up to its collected tax';
  if (expected === null) return undefined;
  if (sum(reasons.map(({ amount }) => amount)) !== subtract(collected, expected))
    return 'its reasons do not add up to its variance';
  return levels.length > 0 && sum(levels.map(({ tax }) => tax)) !== expected
    ? 'its jurisdictions do not add up to its expected tax'
    : undefined;
};

const recordProblem = (entry: Entry, derivation: Derivation, strays: ReadonlySet<string>): Problem => {
  const { sale, figures, filed, recorded } = entry;
  const provider = providerIn(derivation, sale);
  // A record that is held now may have been posted before.
  if (postingOf(sale) === 'posted' && strays.has(`${provider}/${sale.kind}/${sale.id}`))
    return 'its record stands among those that are of no sale';
  if (!figures || filed) return undefined;
  if (!recorded) return figures.recorded === null ? undefined : 'its recorded tax is not what was read back';
  const { record } = recorded;
  const further = (recorded.further ?? []).map((each) => each.record);
  if (sum([record, ...further].map(({ sales_tax }) => moneyOfPrice(sales_tax))) !== figures.recorded)
    return 'its recorded tax is not what was read back';
  const sent = { kind: sale.kind, transaction: sentOf(entry, derivation) };
  const differences = recordDifferences(sent, record, further);
  return canonicalJson(differences as Json) === canonicalJson(figures.differences as Json)
    ? undefined
    : 'its differences are not those of what was read back';
};
