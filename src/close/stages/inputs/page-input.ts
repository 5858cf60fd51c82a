import { digestOf, type Json } from '../../../kernel/digest.ts';
import { type WorkPart, workParts } from '../../configuration/parts.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** The inputs of a stage's pages, in addition to what the stage has read. */
const DEPENDS_ON = {
  recompute: ['program', 'service', 'shipFrom', 'buyerUse', 'registrations'],
  explain: ['program', 'service', 'configuration', 'opinion'],
  submit: ['program', 'shipFrom', 'providers'],
  reconcile: ['program', 'configuration', 'opinion'],
  book: ['program', 'service', 'configuration'],
} as const satisfies Readonly<Record<string, readonly WorkPart[]>>;

/** Returns the `input` of a page: a digest of the parts that it depends on, and a digest of what was read. */
export const pageInput = (ports: ClosePorts, stage: keyof typeof DEPENDS_ON, read: Json): string => {
  const parts = workParts(ports);
  return `${digestOf(DEPENDS_ON[stage].map((name) => parts[name]))} ${digestOf(read)}`;
};

/** Whether two pages depend on the same parts, whatever they have read. */
export const isOfSameParts = (one: string, other: string): boolean =>
  one.split(' ', 1)[0] === other.split(' ', 1)[0];
