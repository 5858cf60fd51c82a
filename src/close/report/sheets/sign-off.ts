import { parseInstant } from '../../../kernel/calendar.ts';
import { defineSheet } from '../../workbook/sheet.ts';
import type { SignOff } from '../period-report.ts';

export type SignOffRow = {
  readonly role: 'preparer' | 'reviewer';
  readonly name: string;
  readonly at: string;
  readonly contentDigest: string;
};

/** One row per role, signed or not. */
export const signOffRows = ({ contentDigest, signatures }: SignOff): readonly SignOffRow[] =>
  (['preparer', 'reviewer'] as const).map((role) => {
    const signature = signatures.find((each) => each.role === role);
    return { role, name: signature?.name ?? '', at: signature?.at ?? '', contentDigest };
  });

/** Who vouches for the period, and for exactly which content of it. */
export const SIGN_OFF = defineSheet<SignOffRow>({
  name: 'Sign-off',
  table: 'Sign_off',
  title: 'Sign-off',
  note: 'A signature stands under the digest of the content in evidence/manifest.json. When a figure changes, the digest does, and the signature is gone.',
  columns: [
    { title: 'Role', width: 12, format: 'status', value: ({ role }) => role },
    { title: 'Signed by', width: 30, format: 'text', value: ({ name }) => name },
    {
      title: 'Signed at (UTC)',
      width: 20,
      format: 'datetime',
      value: ({ at }) => (at === '' ? undefined : parseInstant(at)),
    },
    {
      title: 'Status',
      width: 12,
      format: 'status',
      value: ({ name }) => (name === '' ? 'not signed' : 'signed'),
      flag: ({ name }) => (name === '' ? undefined : 'good'),
    },
    { title: 'Content digest', width: 36, format: 'text', value: ({ contentDigest }) => contentDigest },
  ],
});
