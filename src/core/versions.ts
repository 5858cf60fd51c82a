import { TieoutError } from '../kernel/errors.ts';
import { amendedLabel, amendedPeriod, amendmentNumber, type FilingPeriod } from '../kernel/period.ts';
import { amendedTogether } from '../periods/corrections.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import type { StageRunner } from '../runtime/pipeline.ts';
import { readStage } from './close.ts';
import { inEffect } from './frozen.ts';
import { takeLocks } from './locked.ts';

/**
 * Returns the label of the amended version that follows the one in effect.
 *
 * @throws {TieoutError} E_PERIOD_NOT_LOCKED for a period that is not locked
 */
export const nextVersion = async (
  ports: Pick<ClosePorts, 'configuration' | 'output'>,
  { label }: FilingPeriod,
): Promise<string> => {
  const own = inEffect(await takeLocks(ports), label);
  if (own) return amendedLabel(own.label, own.version + 1);
  const period = amendedPeriod(label);
  throw new TieoutError({
    code: 'E_PERIOD_NOT_LOCKED',
    message: `${period} cannot be amended: it is not locked`,
    nextStep: `What is not locked is closed again: \`tieout close ${period}\`.`,
  });
};

/** Returns the versions that are locked with one: a sale that moved between two locked periods amends both. */
export const versionsWith = async (
  run: StageRunner,
  ports: ClosePorts,
  { label }: FilingPeriod,
): Promise<readonly string[]> => {
  if (amendmentNumber(label) === 0) return [label];
  const { locks, late } = await readStage(run, ports, await takeLocks(ports));
  return amendedTogether(late.corrections, amendedPeriod(label)).map((each) =>
    amendedLabel(each, (inEffect(locks, each)?.version ?? 0) + 1),
  );
};
