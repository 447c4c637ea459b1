import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'

interface CollegeEntry {
  scId: string
  scName: string
  scCode: string
}
interface MajorEntry {
  smId: string
  smName: string
  smCode: string
  scId: string
}
interface ClassEntry {
  scClassId: string
  scClassName: string
  scClassCode: string
  scClassGrade: string
  smId: string
  scId: string
}

/** Finds places of the school by what a sheet says of them: a name, or the code. */
export interface PlaceIndex {
  colleges: readonly CollegeEntry[]
  majors: readonly MajorEntry[]
  classes: readonly ClassEntry[]
  college(nameOrCode: string): CollegeEntry | undefined
  major(scId: string, nameOrCode: string): MajorEntry | undefined
  class(smId: string, grade: string, nameOrCode: string): ClassEntry | undefined
}

/**
 * All colleges, majors and classes of the school, whoever may see them: three statements. What may be used is asked of
 * the scope.
 */
export async function placeIndex(ctx: Pick<Context, 'db' | 'actor'>): Promise<PlaceIndex> {
  const [colleges, majors, classes] = await Promise.all([
    from(ctx, 'college').select(['scId', 'scName', 'scCode']).orderBy('scSort').orderBy('scName').execute(),
    from(ctx, 'major').select(['smId', 'smName', 'smCode', 'scId']).orderBy('scSort').orderBy('smName').execute(),
    from(ctx, 'schoolClass')
      .select(['scClassId', 'scClassName', 'scClassCode', 'scClassGrade', 'smId', 'scId'])
      .orderBy('scClassGrade', 'desc')
      .orderBy('scClassName')
      .execute(),
  ])
  // codes first, so that where a name of one is the code of another the name wins
  const byCollege = new Map([
    ...colleges.map((one) => [one.scCode, one] as const),
    ...colleges.map((one) => [one.scName, one] as const),
  ])
  const byMajor = new Map([
    ...majors.map((one) => [key(one.scId, one.smCode), one] as const),
    ...majors.map((one) => [key(one.scId, one.smName), one] as const),
  ])
  const byClass = new Map([
    ...classes.map((one) => [key(one.smId, one.scClassGrade, one.scClassCode), one] as const),
    ...classes.map((one) => [key(one.smId, one.scClassGrade, one.scClassName), one] as const),
  ])
  return {
    colleges,
    majors,
    classes,
    college: (name) => (name ? byCollege.get(name) : undefined),
    major: (scId, name) => (name ? byMajor.get(key(scId, name)) : undefined),
    class: (smId, grade, name) => (name ? byClass.get(key(smId, grade, name)) : undefined),
  }
}

const key = (...parts: string[]) => parts.join('\u001f')

/** `2023级` -> `2023`; null for what is no year of entry. */
export const gradeIn = (text: string): string | null => /^((?:19|20)\d\d)\s*(级|年)?$/.exec(text)?.[1] ?? null
