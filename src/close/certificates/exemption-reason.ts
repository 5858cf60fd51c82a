import type { ExemptionType } from '../../contract/scalars.ts';

/** The exemption types that a certificate can support. */
export type ExemptingType = Extract<ExemptionType, 'wholesale' | 'government' | 'other'>;

/** Exemption reasons of registers, each with the tax service's type for it: the service knows only three. */
const REASONS = {
  resale: 'wholesale',
  government: 'government',
  nonprofit: 'other',
  agriculture: 'other',
  manufacturing: 'other',
  'direct pay': 'other',
  other: 'other',
} as const satisfies Readonly<Record<string, ExemptingType>>;

export type ExemptionReason = keyof typeof REASONS;

/** Synonyms that registers and the uniform state forms use. */
const WORDS: Readonly<Record<ExemptionReason, readonly string[]>> = {
  resale: ['wholesale', 'reseller', 'purchase for resale', 'for resale'],
  government: [
    'federal government',
    'state government',
    'local government',
    'state or local government',
    'us government',
    'federal',
  ],
  nonprofit: [
    'non profit',
    'not for profit',
    'charity',
    'charitable',
    'charitable organization',
    'religious',
    'religious organization',
    'religious or educational organization',
    'educational',
    'educational organization',
    'education',
  ],
  agriculture: ['agricultural', 'agricultural production', 'farm', 'farming'],
  manufacturing: ['industrial production', 'industrial production/manufacturing', 'manufacturer'],
  'direct pay': ['direct pay permit', 'direct payment', 'direct payment permit'],
  other: ['tribal government', 'tribal', 'foreign diplomat', 'diplomat', 'direct mail'],
};

const normal = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();

const byWord = new Map<string, ExemptionReason>(
  (Object.keys(REASONS) as ExemptionReason[]).flatMap((reason) =>
    [reason, ...WORDS[reason]].map((word) => [word, reason] as const),
  ),
);

/** Parse the reason in a register cell; `undefined` if it is unknown. */
export const exemptionReason = (text: string): ExemptionReason | undefined => byWord.get(normal(text));

export const exemptingTypeOf = (reason: ExemptionReason): ExemptingType => REASONS[reason];

/** An exemption type in everyday words, where the tax service has its own name for it. */
export const exemptionWord = (type: string): string => TYPE_WORDS.get(type) ?? type;

const TYPE_WORDS: ReadonlyMap<string, string> = new Map<ExemptionType, string>([
  ['wholesale', 'resale'],
  ['non_exempt', 'taxable'],
]);

/** The reasons that a register may use, listed when a cell has an unknown one. */
export const EXEMPTION_REASONS: readonly string[] = Object.keys(REASONS);

/** Whether an exemption type exempts a sale on the strength of a certificate. `marketplace` does not. */
export const isExempting = (type: ExemptionType | null | undefined): type is ExemptingType =>
  type === 'wholesale' || type === 'government' || type === 'other';
