import type { ExemptionType } from '../../contract/scalars.ts';

/** The exemption types that a certificate can stand for. */
export type ExemptingType = Extract<ExemptionType, 'wholesale' | 'government' | 'other'>;

/** Why a buyer is exempt, and what the tax service calls it: it knows three kinds, registers know more. */
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

/** Other words that registers, and the uniform forms of the states, use for the same. */
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

/** The reason that a cell of a register means; `undefined` when it is none that is known. */
export const exemptionReason = (text: string): ExemptionReason | undefined => byWord.get(normal(text));

export const exemptingTypeOf = (reason: ExemptionReason): ExemptingType => REASONS[reason];

/** An exemption type as people say it: the tax service has names of its own for some. */
export const exemptionWord = (type: string): string => TYPE_WORDS.get(type) ?? type;

const TYPE_WORDS: ReadonlyMap<string, string> = new Map<ExemptionType, string>([
  ['wholesale', 'resale'],
  ['non_exempt', 'taxable'],
]);

/** The reasons as a register may write them, for anyone who wrote another one. */
export const EXEMPTION_REASONS: readonly string[] = Object.keys(REASONS);

/** Whether an exemption type frees a sale and is a matter of certificates. A marketplace's sale is none. */
export const isExempting = (type: ExemptionType | null | undefined): type is ExemptingType =>
  type === 'wholesale' || type === 'government' || type === 'other';
