import type { Actor } from './context.ts'

/**
 * What a student can do about what is their own: what the record allows, and nothing once they have graduated, for the
 * door would refuse it (decision 128).
 */
export const ownActs = <T extends string>({ isGraduate = false }: Pick<Actor, 'isGraduate'>, can: T[]): T[] =>
  isGraduate ? [] : can
