import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { circleApplyType, circleAuthStatus, circleStatus } from '../../../contract/core/codes/programme.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit, changedFields } from '../../core/audit/audit.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { newId } from '../../core/base/ids.ts'
import { updatedColumns, createdColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { from } from '../../core/database/tenant.ts'
import { lockSchool } from '../../core/request/advisory-lock.ts'
import { replaceFiles, useFiles } from '../../platform/files/file-use.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { openApplication } from './applications.service.ts'
import { foundingFaults, isStudent, recordFaults, refuseFaults } from './circle-checks.ts'
import { circleTeachers, holdsOver } from './circles.service.ts'
import { handOver, putInCharge } from './hand-over.service.ts'
import { enterMembers, leaveCircle, lockedCircle, presidentRole } from './members.service.ts'
import { settleLeadRole } from './lead-role.service.ts'

type Form = Checked<typeof circleApi.add>

/**
 * Adds a circle. Who audits circles of its place founds it at once; for everybody else it is an application (kind 1)
 * and the circle waits for it. Founders, teachers, unit and charter are what the school's settings ask for.
 */
export const addCircle = (ctx: Context, form: Form) =>
  inTransaction(ctx, async (tx) => {
    // names and numbers are judged against all circles of the school
    await lockSchool(tx, 'circle-save')
    const persons = personsOf(form)
    const { faults, people } = await recordFaults(tx, { ...form, persons })
    const founding = {
      founders: persons.filter((suId) => isStudent(people, suId)).length,
      teachers: new Set(form.teacherIds).size,
      guideUnitId: form.guideUnitId ?? null,
      charterFile: form.charterFile ?? null,
    }
    refuseFaults([...faults, ...foundingFaults(founding, await schoolSettings(tx, tx.actor.schoolId))])
    await assertNameFree(tx, form.ciName)
    const columns = columnsOf(form)
    const isFounded = holdsOver(tx.actor, 'circle:audit', columns)
    const row = {
      ...createdColumns(tx),
      ciId: newId(),
      ciNo: await nextNumber(tx),
      ...columns,
      foundDate: columns.foundDate ?? (isFounded ? dayOf(tx.clock.now()) : null),
      ciAuthStatus: isFounded ? circleAuthStatus.passed : circleAuthStatus.pending,
      ciStatus: isFounded ? circleStatus.enabled : circleStatus.disabled,
    }
    await tx.db.insertInto('circle').values(row).execute()
    await useFiles(tx, [...form.imgList, form.charterFile])
    await writeTeachers(tx, row.ciId, form.teacherIds)
    await enterMembers(
      tx,
      persons.map((suId) => ({ ciId: row.ciId, suId, ...(suId === form.cpiPersonId && { cmRole: presidentRole }) })),
    )
    await audit(tx, {
      action: '新增圈子',
      bizType: 'circle',
      bizId: row.ciId,
      bizName: row.ciName,
      after: { ...form, ciNo: row.ciNo },
    })
    if (isFounded) await settleLeadRole(tx, [row.cpiPersonId])
    else
      await openApplication(tx, {
        caType: circleApplyType.founding,
        ciId: row.ciId,
        ciName: row.ciName,
        cpiPersonId: row.cpiPersonId,
        applyReason: '申请成立圈子',
      })
    return { ciId: row.ciId, ciAuthStatus: row.ciAuthStatus }
  })

/**
 * Changes a circle. One that was refused or withdrawn goes before those who decide again. Another person in charge, and
 * another place, are for those who audit circles.
 */
export const updateCircle = (ctx: Context, { ciId, version, ...form }: Checked<typeof circleApi.update>) =>
  inTransaction(ctx, async (tx) => {
    await lockSchool(tx, 'circle-save')
    const circle = await lockedCircle(tx, ciId)
    assertVersion(tx, circle, version)
    if (circle.ciStatus === circleStatus.dissolved || circle.ciAuthStatus === circleAuthStatus.pending)
      throw new Failure('wrong-state', { act: '编辑' })
    const [before, teachers] = [await membersOf(tx, ciId), await circleTeachers(tx, ciId)]
    const persons = form.personIds ? personsOf(form) : [...new Set([form.cpiPersonId, ...before])]
    const { faults, people } = await recordFaults(
      tx,
      { ...form, persons },
      new Set([...before, ...teachers, circle.cpiPersonId]),
    )
    const columns = columnsOf(form)
    const audits = holdsOver(tx.actor, 'circle:audit', circle) && holdsOver(tx.actor, 'circle:audit', columns)
    const isFounded = circle.ciAuthStatus === circleAuthStatus.passed
    const founding = {
      founders: persons.filter((suId) => isStudent(people, suId)).length,
      teachers: new Set(form.teacherIds).size,
      guideUnitId: columns.guideUnitId,
      charterFile: columns.charterFile,
    }
    refuseFaults([
      ...faults,
      ...(isFounded ? [] : foundingFaults(founding, await schoolSettings(tx, tx.actor.schoolId))),
    ])
    if (isFounded && !audits) assertNotReserved(circle, columns)
    await assertNameFree(tx, form.ciName, ciId)
    const ciAuthStatus = isFounded || audits ? circleAuthStatus.passed : circleAuthStatus.pending
    const ciStatus = isFounded ? circle.ciStatus : ciAuthStatus
    const { foundDate, cpiPersonId, ...plain } = columns
    await tx.db
      .updateTable('circle')
      .set({
        ...plain,
        foundDate: foundDate ?? circle.foundDate,
        ciAuthStatus,
        ciStatus,
        ...(isFounded ? {} : { reason: '' }),
        ...updatedColumns(tx),
      })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('ciId', '=', ciId)
      .execute()
    await replaceFiles(tx, [...circle.imgList, circle.charterFile], [...form.imgList, form.charterFile])
    await writeTeachers(tx, ciId, form.teacherIds)
    await enterMembers(
      tx,
      persons.filter((suId) => !before.includes(suId)).map((suId) => ({ ciId, suId })),
    )
    await leaveCircle(
      tx,
      ciId,
      before.filter((suId) => !persons.includes(suId)),
    )
    if (cpiPersonId !== circle.cpiPersonId)
      await (isFounded ? handOver : putInCharge)(tx, [{ ciId, from: circle.cpiPersonId, to: cpiPersonId }])
    const was = { ...pickForm(circle), teacherIds: teachers, personIds: before.toSorted() }
    await audit(tx, {
      action: '编辑圈子',
      bizType: 'circle',
      bizId: ciId,
      bizName: form.ciName,
      ...changedFields<Record<string, unknown>>(was, {
        ...columns,
        teacherIds: form.teacherIds.toSorted(),
        personIds: persons.toSorted(),
      }),
    })
    if (!isFounded && ciAuthStatus === circleAuthStatus.pending)
      await openApplication(tx, {
        caType: circleApplyType.founding,
        ciId,
        ciName: form.ciName,
        cpiPersonId,
        applyReason: '修改后重新申请成立',
      })
    if (!isFounded && ciAuthStatus === circleAuthStatus.passed) await settleLeadRole(tx, [cpiPersonId])
    return { affected: 1, ciAuthStatus }
  })

/** The members as the form means them: whoever is in charge is one of them. */
const personsOf = ({ cpiPersonId, personIds = [] }: Pick<Form, 'cpiPersonId' | 'personIds'>): string[] => [
  ...new Set([cpiPersonId, ...personIds]),
]

const columnsOf = ({ teacherIds: _, personIds: __, ...form }: Omit<Form, 'teacherIds'> & { teacherIds?: unknown }) => ({
  ciName: form.ciName,
  ciClass: form.ciClass,
  ciLevel: form.ciLevel,
  ciCollegeId: form.ciCollegeId ?? null,
  guideUnitId: form.guideUnitId ?? null,
  ciDesc: form.ciDesc ?? '',
  imgList: form.imgList,
  charterFile: form.charterFile ?? null,
  cpiPersonId: form.cpiPersonId,
  foundDate: form.foundDate ?? null,
  memberMax: form.memberMax ?? null,
  joinMode: form.joinMode,
})
type Columns = Omit<ReturnType<typeof columnsOf>, 'ciLevel' | 'joinMode'> & { ciLevel: string; joinMode: string }
const pickForm = (circle: Columns): Columns => ({
  ciName: circle.ciName,
  ciClass: circle.ciClass,
  ciLevel: circle.ciLevel,
  ciCollegeId: circle.ciCollegeId,
  guideUnitId: circle.guideUnitId,
  ciDesc: circle.ciDesc,
  imgList: circle.imgList,
  charterFile: circle.charterFile,
  cpiPersonId: circle.cpiPersonId,
  foundDate: circle.foundDate,
  memberMax: circle.memberMax,
  joinMode: circle.joinMode,
})

/** What a circle's own people cannot change by themselves: who is in charge, and under whom it stands. */
function assertNotReserved(circle: Columns, columns: Columns): void {
  if (circle.cpiPersonId !== columns.cpiPersonId) throw new Failure('circle-leader-by-apply')
  if (circle.ciCollegeId !== columns.ciCollegeId)
    throw invalidInput([{ field: 'ciCollegeId', msg: '挂靠学院由圈子管理部门调整' }])
  if (circle.guideUnitId !== columns.guideUnitId)
    throw invalidInput([{ field: 'guideUnitId', msg: '业务指导单位由圈子管理部门调整' }])
}

async function assertNameFree(ctx: Context, ciName: string, except?: string): Promise<void> {
  let query = from(ctx, 'circle')
    .select('ciId')
    .where('ciName', '=', ciName)
    .where('ciStatus', '<>', circleStatus.dissolved)
  if (except) query = query.where('ciId', '<>', except)
  if (await query.executeTakeFirst()) throw new Failure('name-taken', { what: '圈子', name: ciName })
}

/**
 * `QZ{yyyy}-{n}`, counted within the year, deleted circles included; the lock taken before keeps two saves from getting
 * one number.
 */
async function nextNumber({ db, actor, clock }: Context): Promise<string> {
  const head = `QZ${clock.now().slice(0, 4)}-`
  const { last } = await from({ db, actor }, 'circle', { withDeleted: true })
    .select(sql<number>`coalesce(max(substring("ciNo" from 8)::int), 0)`.as('last'))
    .where('ciNo', 'like', `${head}%`)
    .where(sql<boolean>`"ciNo" ~ '^QZ[0-9]{4}-[0-9]{1,9}$'`)
    .executeTakeFirstOrThrow()
  return head + String(last + 1).padStart(3, '0')
}

async function writeTeachers({ db, actor }: Context, ciId: string, teacherIds: readonly string[]): Promise<void> {
  const wanted = [...new Set(teacherIds)]
  await db
    .deleteFrom('circleTeacher')
    .where('schoolId', '=', actor.schoolId)
    .where('ciId', '=', ciId)
    .where(sql<boolean>`not (${anyOf('suId', wanted)})`)
    .execute()
  if (wanted.length > 0)
    await db
      .insertInto('circleTeacher')
      .values(wanted.map((suId) => ({ schoolId: actor.schoolId, ciId, suId })))
      .onConflict((on) => on.doNothing())
      .execute()
}

const membersOf = async (ctx: Context, ciId: string): Promise<string[]> =>
  (await from(ctx, 'circleMember').select('suId').where('ciId', '=', ciId).where('quitTime', 'is', null).execute()).map(
    ({ suId }) => suId,
  )
