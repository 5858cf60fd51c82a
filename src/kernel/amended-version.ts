import { type FilingPeriod, parsePeriod, periodBefore } from './period.ts';

const SUFFIX = /-amended-(\d+)$/;

/** Return the label of the amended version of a period with this number: `2026-10-amended-1`. */
export const amendedLabel = (period: string, number: number): string => `${period}-amended-${number}`;

/** Whether this is the label of an amended version of a period. */
export const isAmendmentLabel = (label: string): boolean => SUFFIX.test(label);

/** Return the number of an amended version, from 1; 0 for a period itself. */
export const amendmentNumber = (label: string): number => Number(SUFFIX.exec(label)?.[1] ?? 0);

/** Return the label of the period that a version amends; the label of a period is returned as it is. */
export const amendedPeriod = (label: string): string => label.replace(SUFFIX, '');

/** Read the label of a period or of an amended version, and keep it as the label. `undefined` for other text. */
export const parseVersion = (text: string): FilingPeriod | undefined => {
  const period = parsePeriod(amendedPeriod(text));
  return period && { ...period, label: text };
};

/** Return the previous period; for an amended version, the one before the period that it amends. */
export const versionBefore = (period: FilingPeriod): FilingPeriod | undefined =>
  periodBefore({ ...period, label: amendedPeriod(period.label) });
