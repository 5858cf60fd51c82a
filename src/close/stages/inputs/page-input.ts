import { digestOf, type Json } from '../../../kernel/digest.ts';
import { type WorkPart, workParts } from '../../configuration/parts.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** What the pages of a stage depend on, beside what the stage has read. */
const DEPENDS_ON = {
  recompute: ['program', 'service', 'shipFrom', 'buyerUse', 'registrations'],
  explain: ['program', 'service', 'configuration', 'opinion'],
  submit: ['program', 'shipFrom', 'providers'],
  reconcile: ['program', 'configuration', 'opinion'],
  book: ['program', 'service', 'configuration'],
} as const satisfies Readonly<Record<string, readonly WorkPart[]>>;

/** The `input` of a page: the digest of the parts that it depends on, and that of what was read. */
export const pageInput = (ports: ClosePorts, stage: keyof typeof DEPENDS_ON, read: Json): string => {
  const parts = workParts(ports);
  return `${digestOf(DEPENDS_ON[stage].map((name) => parts[name]))} ${digestOf(read)}`;
};

/** Whether two pages depend on the same parts, whatever they have read. */
export const isOfSameParts = (one: string, other: string): boolean =>
  one.split(' ', 1)[0] === other.split(' ', 1)[0];
