export const draftProfile = async (_file: unknown): Promise<string> => '';
