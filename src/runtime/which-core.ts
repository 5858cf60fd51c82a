/** Whether a process still closes with the workspace: only tests that wait to be moved over set this, and it goes with them. */
export const isOldCore = (): boolean => process.env['TIEOUT_CORE'] === 'pages';
