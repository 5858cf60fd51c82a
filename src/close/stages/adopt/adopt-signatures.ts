import { type Instant, parseInstant } from '../../../kernel/calendar.ts';
import type { SignatureEntry } from '../../evidence/manifest.ts';
import { keepSignature, signaturesOf } from '../../workspace/signatures.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { adoptionRefused } from './adopt-errors.ts';

/** Take back the signatures that a folder carries. @returns how many the workspace did not hold */
export const adoptSignatures = async (
  workspace: Workspace,
  folder: string,
  period: string,
  signatures: readonly SignatureEntry[],
): Promise<number> => {
  const known = await signaturesOf(workspace, period);
  const lacking = signatures.filter((signature) => {
    const { role, name, at, contentDigest, signature: key } = signature;
    const own = known.find((each) => each.role === role && each.contentDigest === contentDigest);
    if (own && (own.name !== name || own.at !== at || own.signature !== key))
      throw adoptionRefused(
        folder,
        `${name} signed it as ${role} on ${at}, and the workspace has ${own.name} as ${role} on ${own.at}`,
      );
    return own === undefined;
  });
  for (const { at, ...signature } of lacking)
    await keepSignature(workspace, period, { ...signature, at: instantOf(folder, at) });
  return lacking.length;
};

const instantOf = (folder: string, text: string): Instant => {
  const at = parseInstant(text);
  if (at === undefined) throw adoptionRefused(folder, `"${text}" is not a time at which somebody signed`);
  return at;
};
