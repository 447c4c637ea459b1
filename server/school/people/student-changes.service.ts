import type { Checked, Output } from '../../../contract/core/call.ts'
import { messageType } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { studentApi } from '../../../contract/school/people/students.calls.ts'
import { addDays } from '../../core/base/clock.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { asPage, countOf, offsetOf } from '../../core/database/paging.ts'
import { from, ofWorkingSchool, withinSchool } from '../../core/database/tenant.ts'
import type { JobHandlers } from '../../core/jobs/job-runner.ts'
import type { Context } from '../../core/request/context.ts'
import { systemContext, type JobServices } from '../../core/request/system.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { notify } from '../../platform/notifications/notify.service.ts'
import { visibleStudents } from './students.service.ts'
import { tutorsOf } from './tutors.service.ts'

type Row = Output<typeof studentApi.changes>['records'][number]

/** What became of a student's standing and place, newest first. */
export async function studentChanges(ctx: Context, input: Checked<typeof studentApi.changes>) {
  const student = await visibleStudents(ctx)
    .select('person.suId')
    .where('person.suId', '=', input.suId)
    .executeTakeFirst()
  if (!student) throw new Failure('not-found')
  const query = from(ctx, 'studentChange').where('suId', '=', input.suId)
  const [rows, total] = await Promise.all([
    query
      .select(['chId', 'changeKind', 'changeCause', 'wasState', 'newState', 'operatorName', 'createTime'])
      .orderBy('createTime', 'desc')
      .orderBy('chId', 'desc')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  return asPage(rows as unknown as Row[], total, input)
}

/** Who looks after a class is told each minute whom it got. */
export const studentChangeJobs = (services: JobServices): JobHandlers => ({
  'student:welcome': { every: 60, run: () => welcomeStudents(services) },
})

/** Names that a message lists. */
const maxNames = 10

/**
 * Tells counsellors and head teachers which students their classes got since the last time: one message each, however
 * many came. What is older than a day is not told any more. @returns how many were told
 */
export async function welcomeStudents(services: JobServices): Promise<number> {
  const since = addDays(services.clock.now().slice(0, 10), -1)
  const schools = await services.db
    .selectFrom('studentChange')
    .select('schoolId')
    .distinct()
    .where('isTold', '=', false)
    .where('createTime', '>=', since)
    .where(ofWorkingSchool('studentChange'))
    .execute()
  let told = 0
  for (const { schoolId } of schools) told += await welcomeIn(systemContext(services, schoolId), since)
  return told
}

const welcomeIn = (ctx: Context, since: string): Promise<number> =>
  inTransaction(ctx, async (tx) => {
    const rows = await from(tx, 'studentChange')
      .innerJoin('person', withinSchool('person.suId', 'studentChange.suId'))
      .select(['chId', 'studentChange.suId', 'changeKind', 'wasState', 'newState', 'suiName', 'scClassId'])
      .where('isTold', '=', false)
      .where('studentChange.createTime', '>=', since)
      .orderBy('studentChange.createTime')
      .limit(5000)
      .forUpdate('studentChange')
      .execute()
    if (rows.length === 0) return 0
    await tx.db
      .updateTable('studentChange')
      .set({ isTold: true })
      .where('schoolId', '=', tx.actor.schoolId)
      .where(
        anyOf(
          'chId',
          rows.map(({ chId }) => chId),
        ),
      )
      .execute()
    const moved = movedIn(rows)
    const tutors = await tutorsOf(tx, [...moved.keys()])
    const studentsOf = new Map<string, string[]>()
    for (const [suId, ids] of tutors)
      for (const id of ids) studentsOf.set(id, [...(studentsOf.get(id) ?? []), moved.get(suId)!])
    for (const [tutor, names] of studentsOf)
      await notify(tx, {
        suIds: [tutor],
        title: `有 ${names.length} 名学生转入您的班级`,
        content: `${names.slice(0, maxNames).join('、')}${names.length > maxNames ? ' 等' : ''}。其报名、补录与审批随学生保留，已开始的审批仍由原审批人办理。`,
        type: messageType.system,
        bizType: 'person',
        link: '/personnelAdmin/studentAdmin',
      })
    return studentsOf.size
  })

interface UntoldChange {
  suId: string
  suiName: string
  changeKind: string
  wasState: unknown
  newState: unknown
  /** The class they are in now. */
  scClassId: string | null
}

/**
 * The students, by id, whom a transfer has brought into the class that they are in now and were not in before: one that
 * was undone or made good again has brought nobody anywhere.
 * @param rows what is untold of them, the earliest first
 */
function movedIn(rows: readonly UntoldChange[]): Map<string, string> {
  const classOf = (state: unknown) => (state as Row['newState']).classId
  const before = new Map<string, string | null>()
  const moved = new Map<string, string>()
  for (const { suId, suiName, changeKind, wasState, newState, scClassId } of rows) {
    if (!before.has(suId)) before.set(suId, classOf(wasState))
    if (changeKind.startsWith('transfer') && classOf(newState) === scClassId && before.get(suId) !== scClassId)
      moved.set(suId, suiName)
  }
  return moved
}
