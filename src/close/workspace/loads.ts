/** The name under which files and loads are stored that do not belong to any channel. */
export const NO_CHANNEL = '';
