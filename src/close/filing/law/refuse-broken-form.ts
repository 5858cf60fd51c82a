import type * as z from 'zod';
import { dimensionOf, type Expression, partsOf } from '../expression/expression.ts';
import { FIGURES } from '../return/figures.ts';
import type { Formula } from './formula-field.ts';

type Parts = {
  readonly lines: readonly {
    readonly line: string;
    readonly formula: Formula;
    readonly role?: string | undefined;
  }[];
  readonly schedules: readonly { readonly name: string }[];
  readonly rates: readonly { readonly name: string }[];
  readonly discountBase?: Formula | undefined;
};

/** A form must only speak of what it has: a misspelt line or rate must fail when it is loaded, not on the 20th. */
export const refuseBrokenForm = (form: Parts, context: z.core.$RefinementCtx): void => {
  const refuse = (message: string): void => context.addIssue({ code: 'custom', path: ['lines'], message });
  const lines = form.lines.map(({ line }) => line);
  for (const line of lines.filter((each, index) => lines.indexOf(each) !== index))
    refuse(`there are two lines ${line}`);
  for (const { line, formula } of form.lines) {
    if (dimensionOf(formula.expression) !== 'amount') refuse(`line ${line} is a rate, not an amount`);
    for (const part of partsOf(formula.expression)) {
      const unknown = unknownIn(part, form);
      if (unknown !== undefined) refuse(`line ${line} speaks of ${unknown}, which there is not`);
    }
  }
  for (const part of form.discountBase ? partsOf(form.discountBase.expression) : []) {
    const unknown = unknownIn(part, form);
    if (unknown !== undefined) refuse(`the discount's base speaks of ${unknown}, which there is not`);
  }
  for (const role of ['tax', 'due']) {
    const count = form.lines.filter((line) => line.role === role).length;
    if (count !== 1) refuse(`${count} lines have the role ${role}: one must`);
  }
  const circle = circleIn(form);
  if (circle !== undefined) refuse(`line ${circle} depends on itself`);
};

const unknownIn = (part: Expression, form: Parts): string | undefined => {
  switch (part.kind) {
    case 'line':
      return form.lines.some(({ line }) => line === part.line) ? undefined : `line ${part.line}`;
    case 'figure':
      return Object.hasOwn(FIGURES, part.name) ? undefined : `the figure ${part.name}`;
    case 'rate':
      return form.rates.some(({ name }) => name === part.name) ? undefined : `the rate ${part.name}`;
    case 'taxable-at':
      return form.rates.some(({ name }) => name === part.rate) ? undefined : `the rate ${part.rate}`;
    case 'schedule':
      return form.schedules.some(({ name }) => name === part.schedule)
        ? undefined
        : `the schedule ${part.schedule}`;
    default:
      return undefined;
  }
};

/** The lines a line is made of. The discount is a figure that depends on the lines of its base. */
const dependenciesOf = (line: string, form: Parts): readonly string[] => {
  const formula = form.lines.find((each) => each.line === line)?.formula;
  const parts = formula ? [...partsOf(formula.expression)] : [];
  const usesDiscount = parts.some((part) => part.kind === 'figure' && part.name === 'discount');
  const base = usesDiscount && form.discountBase ? [...partsOf(form.discountBase.expression)] : [];
  return [...parts, ...base].flatMap((part) => (part.kind === 'line' ? [part.line] : []));
};

const circleIn = (form: Parts): string | undefined => {
  const settled = new Set<string>();
  const visit = (line: string, path: readonly string[]): string | undefined => {
    if (path.includes(line)) return line;
    if (settled.has(line)) return undefined;
    for (const next of dependenciesOf(line, form)) {
      const found = visit(next, [...path, line]);
      if (found !== undefined) return found;
    }
    settled.add(line);
    return undefined;
  };
  for (const { line } of form.lines) {
    const found = visit(line, []);
    if (found !== undefined) return found;
  }
  return undefined;
};
