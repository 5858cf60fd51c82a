import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { FIGURES } from '../../src/filing/return-figures.ts';
import { LINE_ROLES, ReturnForm } from '../../src/filing/return-form.ts';

const PAGE = readFileSync(new URL('../../docs/returns.md', import.meta.url), 'utf8');

type Form = {
  readonly properties?: Readonly<Record<string, Form>>;
  readonly items?: Form;
  readonly anyOf?: readonly Form[];
};

const keysIn = ({ properties, items, anyOf }: Form): readonly string[] => [
  ...Object.entries(properties ?? {}).flatMap(([key, value]) => [key, ...keysIn(value)]),
  ...(items ? keysIn(items) : []),
  ...(anyOf ?? []).flatMap(keysIn),
];

describe('docs/returns.md', () => {
  test('names every key of a form, every role and every figure', () => {
    const keys = keysIn(z.toJSONSchema(ReturnForm, { io: 'input', unrepresentable: 'any' }) as Form);
    expect(keys).toContain('discountBase');
    const missing = [...keys, ...LINE_ROLES, ...Object.keys(FIGURES)].filter(
      (word) => !PAGE.includes(`\`${word}\``),
    );
    expect(missing).toEqual([]);
  });
});
