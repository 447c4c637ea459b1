import { personType } from '../../contract/core/codes/school.ts'
import { thresholdApi } from '../../contract/outcomes/thresholds/thresholds.calls.ts'
import { addDays } from '../core/base/clock.ts'
import { newId } from '../core/base/ids.ts'
import { systemContext } from '../core/request/system.ts'
import { recalculateSchool } from '../outcomes/thresholds/recalculate.service.ts'
import { grantRecord, oneClass, type TestStudent } from './ledger.ts'
import { newSchool, type TestSchool } from './school.ts'

/** The year whose students are in their third term now: the first checkpoints of all tests have passed. */
const thirdTermGrade = (now: string): string => {
  const [year, rest] = [Number(now.slice(0, 4)), now.slice(5, 10)]
  return String((rest >= '08-16' ? year : year - 1) - (rest >= '02-15' && rest < '08-16' ? 0 : 1))
}

/** A class of the third term and its students; the rule of terms without hours is off unless a test is about it. */
export async function thresholdWorld({ zero = false } = {}) {
  const school = await newSchool()
  await school.rules({ warnZeroTerm: zero ? '1' : '0' })
  const grade = thirdTermGrade(school.clock.now())
  const place = await oneClass(school)
  const students = async (count: number): Promise<TestStudent[]> => {
    const made = await place.students(count)
    await school.services.db
      .updateTable('person')
      .set({ suiGrade: grade })
      .where('schoolId', '=', school.schoolId)
      .where('suiType', '=', personType.student)
      .execute()
    return made
  }
  const recalculate = () => recalculateSchool(systemContext(school.services, school.schoolId))
  const hours = (student: TestStudent, amount: number, module = 'CXCY') =>
    grantRecord(school, student, {
      name: `活动${newId().slice(-6)}`,
      module,
      on: addDays(school.clock.now().slice(0, 10), -1),
      hours: amount,
    })
  const level = async ({ suId }: TestStudent) =>
    (await school.admin.send(thresholdApi.detail, { suId })).warning.warnLevel
  return { school, grade, ...place, students, recalculate, hours, level }
}

export const base = (checkpointTerm: number, required: string, warn: [string, string, string], lsId?: string) => ({
  tbTarget: lsId ? ('module' as const) : ('total' as const),
  ...(lsId && { lsId }),
  checkpointTerm,
  required,
  warn1: warn[0],
  warn2: warn[1],
  warn3: warn[2],
})
export const save = (school: TestSchool, grade: string, rows: ReturnType<typeof base>[], version = 0) =>
  school.admin.send(thresholdApi.save, { grade, version, rows })
