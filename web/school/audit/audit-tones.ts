/** The colours of what became of an action. */
export const resultTones = { ok: 'finished', refused: 'refused' } as const
