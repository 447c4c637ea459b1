import type { Insertable } from 'kysely'
import type { Input } from '../../contract/core/call.ts'
import { applyWay } from '../../contract/core/codes/programme.ts'
import type { lessonApi } from '../../contract/programme/lessons/lessons.calls.ts'
import { addDays } from '../core/base/clock.ts'
import { newId } from '../core/base/ids.ts'
import type { DB } from '../core/database/tables.ts'
import { unique, type TestSchool } from './school.ts'

/**
 * Puts a course straight into the database, for tests of what is about courses but not theirs; `lsPath` decides its
 * module. Returns its id.
 */
export async function storeLesson(
  { schoolId, services, curriculum, adminId }: Pick<TestSchool, 'schoolId' | 'services' | 'curriculum' | 'adminId'>,
  { lsPath = [curriculum['SXCL']!], ...more }: Partial<Insertable<DB['lesson']>> & { lsPath?: string[] } = {},
): Promise<string> {
  const row = {
    schoolId,
    liId: newId(),
    liNo: unique(),
    liName: '课程',
    lsId: lsPath.at(-1)!,
    lsPath,
    liLevel: '5',
    liPrincipalId: adminId,
    quota: 10,
    startTime: '2030-01-01 08:00:00',
    endTime: '2030-01-01 10:00:00',
    ...more,
  }
  await services.db.insertInto('lesson').values(row).execute()
  return row.liId
}

/** The form of a course in ten days, as a teacher of a school fills it in. */
export function lessonForm(
  { clock, curriculum }: Pick<TestSchool, 'clock' | 'curriculum'>,
  liPrincipalId: string,
  more: Partial<Input<typeof lessonApi.save>> = {},
): Input<typeof lessonApi.save> {
  const day = addDays(clock.now().slice(0, 10), 10)
  return {
    liName: `课程${unique()}`,
    lsId: curriculum['SXCL/主题教育']!,
    liLevel: '5',
    liIntro: '简介',
    liPrincipalId,
    placeText: '报告厅',
    applyWay: applyWay.importedList,
    quota: 50,
    startTime: `${day} 09:00:00`,
    endTime: `${day} 11:00:00`,
    ...more,
  }
}

/** Switches on which forms a school offers beyond the standard one. */
export const offerForms = ({ ctx, schoolId }: TestSchool, features: { isGydx?: boolean; isYkdx?: boolean }) =>
  ctx.db
    .updateTable('school')
    .set({ features: JSON.stringify(features) })
    .where('schoolId', '=', schoolId)
    .execute()
