/** The colours of what became of an act. */
export const resultTones = { ok: 'finished', refused: 'refused' } as const
