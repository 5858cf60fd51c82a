/** The command that drafts a profile for an export, beside which `init` then finds it. */
export const draftCommand = (file: string, command = 'tieout'): string =>
  `${command} profile init ${file} --output ${file.replace(/(\.\w+)?(\.gz)?$/, '')}.yaml`;
