import { type FilingPeriod, parsePeriod, periodBefore } from './period.ts';

const SUFFIX = /-amended-\d+$/;

/** What the amended version of a period with this number is called: `2026-10-amended-1`. */
export const amendedLabel = (period: string, number: number): string => `${period}-amended-${number}`;

/** Whether this names an amended version of a period. */
export const isAmendmentLabel = (label: string): boolean => SUFFIX.test(label);

/** The period that a version amends; of a period, itself. */
export const amendedPeriod = (label: string): string => label.replace(SUFFIX, '');

/** A period or an amended version of one, under its own label; `undefined` when the text is neither. */
export const parseVersion = (text: string): FilingPeriod | undefined => {
  const period = parsePeriod(amendedPeriod(text));
  return period && { ...period, label: text };
};

/** The period before a period; before an amended version, the one before the period that it amends. */
export const versionBefore = (period: FilingPeriod): FilingPeriod | undefined =>
  periodBefore({ ...period, label: amendedPeriod(period.label) });
