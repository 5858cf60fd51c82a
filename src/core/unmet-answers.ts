import { channelOfProvider } from '../close/configuration/parts.ts';
import type { GoneFile } from '../close/evidence/manifest.ts';
import { decidedOfNothing } from '../close/reconcile/apply-policy.ts';
import type { Finding } from '../close/reconcile/finding.ts';
import { entryOf, nameInChannel, nameOfKey, saleKey } from '../close/sales/sale-name.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import type { Locks } from '../periods/folders.ts';
import { mergedKeys, readKeys } from '../periods/keys.ts';
import type { Exports } from '../read/shapes.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { nameOf } from './gone.ts';
import { recordName } from './listing.ts';
import type { Strays } from './strays.ts';

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
  const answers = configuration.decided.decisions.filter(
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
