import { decisionIndexOf } from '../configuration/load-configuration.ts';
import { channelOfProvider } from '../configuration/parts.ts';
import type { GoneFile } from '../evidence/manifest.ts';
import { applyPolicy, decidedOfNothing, refuseDecisions } from '../judge/apply-policy.ts';
import type { Decision } from '../judge/decision.ts';
import type { Finding } from '../judge/finding.ts';
import { findingOfSetAside, findingsOfRemarks } from '../judge/sale-findings.ts';
import { ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import type { Locks } from '../periods/folders.ts';
import { mergedKeys, readKeys } from '../periods/keys.ts';
import { allSales, asidesOf, type Exports } from '../read/shapes.ts';
import { entryOf, nameInChannel, nameOfKey, saleKey } from '../sales/sale-name.ts';
import { nameOf } from './gone.ts';
import { recordName } from './listing.ts';
import type { Strays } from './strays.ts';

const decisionsOfPeriod = (
  configuration: ClosePorts['configuration'],
  { label }: FilingPeriod,
): readonly Decision[] =>
  configuration.decided.filter((one) => one.period === label || one.stated !== undefined);

/** Refuses the same where a period has these records, sales among them. @throws {TieoutError} E_DECISION */
export const refuseAmong = (
  configuration: ClosePorts['configuration'],
  period: FilingPeriod,
  exports: Exports,
): void => {
  const decisions = decisionsOfPeriod(configuration, period);
  if (decisions.length === 0) return;
  const index = decisionIndexOf(configuration);
  refuseDecisions(decisions, index);
  const drafts = asidesOf(exports, period).map(findingOfSetAside);
  for (const sale of allSales(exports, period)) {
    if (sale.findings.length === 0) continue;
    const { origin, id: record, channel, shipTo } = sale;
    drafts.push(...findingsOfRemarks(sale, { origin, record, channel, state: shipTo.state, effect: ZERO }));
  }
  applyPolicy(drafts, [], index, period);
};

/** What a close knows that an answer can be about. */
type Known = {
  readonly locks: Locks;
  readonly exports: Exports;
  readonly strays: Strays;
  readonly gone: readonly GoneFile[];
  /** The bytes of the keys of its entries. */
  readonly keys: () => Buffer;
};

/**
 * Returns a finding for each answer that is bound to what is stated, and names no sale, record or file that the close
 * knows: of its exports, its entries, locked periods, or what it asks about. A known one with another digest asks again.
 * As every line, an answer is judged in the period of its key alone. A locked period is not closed again, so that a line
 * that did its work there stays in the file unblamed. What was to be deleted leaves nothing to know.
 */
export const unmetAnswers = async (
  { configuration }: Pick<ClosePorts, 'configuration'>,
  { label }: Pick<FilingPeriod, 'label'>,
  { locks, exports, strays, gone, keys }: Known,
): Promise<readonly Finding[]> => {
  const answers = configuration.decided.filter(
    ({ stated, period, verdict }) => stated !== undefined && period === label && verdict !== 'delete',
  );
  if (answers.length === 0) return [];
  const inputs = [...exports.inputs, ...locks.periods.flatMap(({ content }) => content.inputs), ...gone];
  const names = new Set([
    ...inputs.map(nameOf),
    ...gone.flatMap(({ records }) => records.map(({ key }) => key)),
    ...[...strays.extras, ...strays.unshown].map(recordName),
  ]);
  const entries = [mergedKeys([keys()]), await readKeys(locks.periods)];
  const channelOf = channelOfProvider(configuration);
  const isKnown = (name: string): boolean => {
    const { channel, kind, id } = nameOfKey(name);
    // A record is named by its provider, and a file that is read otherwise as an order of its channel.
    const sale = { channel: channelOf(channel), kind, id };
    return [name, nameInChannel(channel, id), saleKey(sale.channel, kind, id), entryOf(sale).of].some(
      (key) =>
        names.has(key) ||
        exports.has(key) ||
        entries.some((all) => all.has(key) !== undefined || all.hasNamesakes(key)),
    );
  };
  return answers.flatMap((answer) =>
    answer.records.filter((name) => !isKnown(name)).map((name) => decidedOfNothing(answer, name)),
  );
};
