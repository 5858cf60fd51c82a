import { quoted } from '../../../kernel/text.ts';

/** The command that drafts a profile for an export, next to the file, where `init` then finds it. */
export const draftCommand = (file: string): string =>
  `tieout profile init ${quoted(file)} --output ${quoted(`${file.replace(/(\.\w+)?(\.gz)?$/, '')}.yaml`)}`;
