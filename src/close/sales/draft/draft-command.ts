/** The command that drafts a profile for an export, beside which `init` then finds it. */
export const draftCommand = (file: string): string =>
  `tieout profile init ${file} --output ${file.replace(/(\.\w+)?(\.gz)?$/, '')}.yaml`;
