import { sql, type Insertable } from 'kysely'
import type { Checked } from '../../contract/core/call.ts'
import { Failure, invalidInput, type FieldFault } from '../../contract/core/failure.ts'
import { lessonApi } from '../../contract/lessons/lessons.calls.ts'
import type { SchoolSettings } from '../../contract/school/settings.ts'
import { audit, changedFields } from '../core/audit.ts'
import { addSeconds, dayEnd, dayOf, dayStart } from '../core/clock.ts'
import type { Context } from '../core/context.ts'
import { mustBeCurrent } from '../core/covers.ts'
import type { Tables } from '../core/database/pool.ts'
import { newId } from '../core/ids.ts'
import { changed, created } from '../core/stamps.ts'
import { inTransaction } from '../core/transaction.ts'
import { takeTurn } from '../core/turn.ts'
import { replaceFiles, useFiles } from '../files/file-use.service.ts'
import { startPublishApproval } from './lesson-approval.service.ts'
import { termOf } from '../school/calendar.service.ts'
import { schoolSettings } from '../school/settings.service.ts'
import { frameOf, hourFaults, peopleByIds, sponsorOf } from './lesson-checks.ts'
import { materialChanges, type GivenValues, type LessonValues } from './lesson-form.ts'
import { valuesOf, writePeople, writeSessions } from './lesson-parts.service.ts'
import { lessonFor, type ReachedLesson } from './lessons.queries.ts'
import { promoteWaiting } from './registration-write.ts'

type Form = Checked<typeof lessonApi.save>

/** Adds a course, or changes one; with `submit` it goes into approval at once. */
export function saveLesson(ctx: Context, { liId, version, submit, ...values }: Form) {
  return inTransaction(ctx, async (tx) => {
    // numbers, names and double clicks are judged against all courses of the school, so one save at a time
    await takeTurn(tx, 'lesson-save')
    const saved = liId ? await changeLesson(tx, liId, version, values) : await addLesson(tx, values)
    if (submit && ['0', '11'].includes(saved.liStatus)) {
      const lesson = await lessonFor(tx, 'submit', saved.liId)
      const liStatus = await startPublishApproval(tx, lesson)
      return tx.db.updateTable('lesson').set({ liStatus, ...changed(tx) }).where('schoolId', '=', tx.actor.schoolId).where('liId', '=', saved.liId).returning(['liId', 'liNo', 'liStatus', 'version']).executeTakeFirstOrThrow()
    }
    return saved
  })
}

async function addLesson(ctx: Context, given: GivenValues) {
  const twin = await twinOf(ctx, given)
  if (twin) return twin
  const rules = await schoolSettings(ctx, ctx.actor.schoolId)
  const values: LessonValues = { ...given, lateMinutes: given.lateMinutes ?? rules.signLateMinutes, publictyDays: given.publictyDays ?? rules.publictyDefault }
  const { columns, sessions } = await columnsOf(ctx, values)
  const now = ctx.clock.now()
  const row = { ...created(ctx), liId: newId(), liNo: await nextNumber(ctx, now), ...columns, liStatus: '0', version: 0 }
  await ctx.db.insertInto('lesson').values(row).execute()
  await useFiles(ctx, filesOf(values))
  await writePeople(ctx, row.liId, values)
  await writeSessions(ctx, row.liId, sessions)
  await audit(ctx, { action: '新增课程', bizType: 'lesson', bizId: row.liId, bizName: row.liName, after: { ...values, liNo: row.liNo } })
  return { liId: row.liId, liNo: row.liNo, liStatus: row.liStatus, version: row.version }
}

async function changeLesson(ctx: Context, liId: string, version: number | undefined, given: GivenValues) {
  const lesson = await lessonFor(ctx, 'edit', liId)
  mustBeCurrent(lesson, version)
  const before = await valuesOf(ctx, lesson)
  const values: LessonValues = { ...given, lateMinutes: given.lateMinutes ?? before.lateMinutes, publictyDays: given.publictyDays ?? before.publictyDays }
  const { columns, sessions } = await columnsOf(ctx, values, { lesson, before })
  const material = materialChanges(before, { ...values, liHours: columns.liHours, liCollegeId: columns.liCollegeId ?? undefined, liDepartmentId: columns.liDepartmentId ?? undefined })
  if (lesson.liStatus === '30' && material.length > 0) throw new Failure('material-after-publish', { fields: material.map(({ field }) => field).join('、') })
  if (values.quota < lesson.passCount) throw invalidInput([{ field: 'quota', msg: `名额不能少于已录取的 ${lesson.passCount} 人` }])
  // what was approved has changed before it was published: it is approved again (DOMAIN 1.3)
  const liStatus = lesson.liStatus === '20' && material.length > 0 ? await startPublishApproval(ctx, { ...lesson, ...columns }, material) : lesson.liStatus
  const saved = await ctx.db
    .updateTable('lesson').set({ ...columns, liStatus, ...changed(ctx) })
    .where('schoolId', '=', ctx.actor.schoolId).where('liId', '=', liId).returning(['liId', 'liNo', 'liStatus', 'version']).executeTakeFirstOrThrow()
  await replaceFiles(ctx, filesOf(before), filesOf(values))
  await writePeople(ctx, liId, values)
  await writeSessions(ctx, liId, sessions)
  if (values.quota > lesson.quota) await promoteWaiting(ctx, liId)
  await audit(ctx, { action: '编辑课程', bizType: 'lesson', bizId: liId, bizName: columns.liName, ...changedFields<Record<string, unknown>>({ ...before, liStatus: lesson.liStatus }, { ...values, liStatus }) })
  return saved
}

/** The course that the same person saved under the same name and start within ten seconds: a second click, not a second course. */
const twinOf = ({ db, actor, clock }: Context, { liName, startTime }: GivenValues) =>
  db
    .selectFrom('lesson').select(['liId', 'liNo', 'liStatus', 'version'])
    .where('schoolId', '=', actor.schoolId).where('createBy', '=', actor.suId).where('liName', '=', liName).where('startTime', '=', startTime)
    .where('createTime', '>=', addSeconds(clock.now(), -10)).where('delFlag', '=', '0').orderBy('createTime').executeTakeFirst()

/** `EK{yyyyMM}-{n}`, counted within the month; the turn taken before keeps two saves from getting one number. */
async function nextNumber({ db, actor }: Context, now: string): Promise<string> {
  const head = `EK${now.slice(0, 4)}${now.slice(5, 7)}-`
  const { last } = await db
    .selectFrom('lesson').select(sql<number>`coalesce(max(substring("liNo" from 10)::int), 0)`.as('last'))
    .where('schoolId', '=', actor.schoolId).where('liNo', 'like', `${head}%`).where(sql<boolean>`"liNo" ~ '^EK[0-9]{6}-[0-9]{1,9}$'`).executeTakeFirstOrThrow()
  return head + String(last + 1).padStart(4, '0')
}

/**
 * The form as columns, after everything the school's records have to say about it. While system and level stay, a course keeps
 * the rule it was made under.
 */
async function columnsOf(ctx: Context, values: LessonValues, known?: { lesson: ReachedLesson; before: LessonValues }) {
  const { teacherIds: _teachers, signerIds: _signers, sessions: given, liCollegeId: _college, liDepartmentId: _department, ...plain } = values
  const sessions = given.length > 0 ? given : [{ startTime: values.startTime, endTime: values.endTime, placeText: values.placeText }]
  const frame = await frameOf(ctx, values, known?.lesson)
  const sponsor = await sponsorOf(ctx, values, known?.lesson)
  const liHours = values.liHours ?? frame.rule?.baseHours ?? 0
  const rules = await schoolSettings(ctx, ctx.actor.schoolId)
  const faults = [...hourFaults(liHours, frame.rule, sessions, rules.hoursPerDay), ...(values.publictyDays === known?.before.publictyDays ? [] : publictyFaults(values.publictyDays, rules))]
  const { liPrincipalName } = await refuseFaults(ctx, values, faults, known?.before)
  await refuseTakenName(ctx, values, sponsor, known?.lesson.liId)
  await refuseUnknown(ctx, values, known?.before.atId)
  const columns = {
    ...plain, liCollegeId: sponsor.liCollegeId, liDepartmentId: sponsor.liDepartmentId, liSponsorName: sponsor.liSponsorName, lsPath: frame.lsPath, liHours,
    liPrincipalName,
    esId: frame.rule?.esId ?? null, liCredit: frame.rule?.credit ?? 0, liPoints: Math.round(((frame.rule?.points ?? 0) * frame.llFactor) / 100),
    liExt: JSON.stringify(values.liExt), liPoster: values.liPoster ?? null, liPlan: values.liPlan ?? null, atId: values.atId ?? null,
    contactName: values.contactName ?? '', contactPhone: values.contactPhone ?? '', campus: values.campus ?? '', applyStart: values.applyStart ?? null, applyEnd: values.applyEnd ?? null,
    waitlistOn: yesNo(values.waitlistOn), signOutOn: yesNo(values.signOutOn), isQuestionedAudit: yesNo(values.isQuestionedAudit),
  } satisfies Partial<Insertable<Tables['lesson']>>
  return { columns, sessions }
}

const publictyFaults = (days: number, { publictyMin, publictyMax }: Pick<SchoolSettings, 'publictyMin' | 'publictyMax'>): FieldFault[] =>
  days < publictyMin || days > publictyMax ? [{ field: 'publictyDays', msg: `公示期须为 ${publictyMin} 至 ${publictyMax} 个工作日` }] : []

/** People named anew must be in service; those already in the course may stay. All faults are told together. */
async function refuseFaults(ctx: Context, { liPrincipalId, teacherIds, signerIds }: LessonValues, faults: FieldFault[], before?: LessonValues) {
  const people = await peopleByIds(ctx, [liPrincipalId, ...teacherIds, ...signerIds])
  const known = new Set(before ? [before.liPrincipalId, ...before.teacherIds, ...before.signerIds] : [])
  const fit = (suId: string) => (known.has(suId) ? people.has(suId) : people.get(suId)?.active === true)
  const all = [...faults]
  if (!fit(liPrincipalId)) all.push({ field: 'liPrincipalId', msg: '负责人须为在校师生' })
  if (!teacherIds.every(fit)) all.push({ field: 'teacherIds', msg: '指导老师须为在校师生' })
  if (!signerIds.every(fit)) all.push({ field: 'signerIds', msg: '签到负责人须为在校师生' })
  if (all.length > 0) throw invalidInput(all)
  return { liPrincipalName: people.get(liPrincipalId)!.suiName }
}

const yesNo = (on: boolean) => (on ? '1' : '0')
const filesOf = ({ liPoster, liPlan, liAttachments }: LessonValues) => [liPoster, liPlan, ...liAttachments]

/** A name may occur once in a term for one organiser; a series is told apart by its number. */
async function refuseTakenName(ctx: Context, { liName, startTime }: LessonValues, { liCollegeId, liDepartmentId }: { liCollegeId: string | null; liDepartmentId: string | null }, liId?: string) {
  const { tmStart: from, tmEnd: to } = await termOf(ctx, ctx.actor.schoolId, dayOf(startTime))
  let query = ctx.db
    .selectFrom('lesson').select('liId').where('schoolId', '=', ctx.actor.schoolId).where('liName', '=', liName).where('delFlag', '=', '0').where('liStatus', 'not in', ['91', '92'])
    .where('startTime', '>=', dayStart(from)).where('startTime', '<=', dayEnd(to))
    .where('liCollegeId', 'is not distinct from', liCollegeId).where('liDepartmentId', 'is not distinct from', liDepartmentId)
  if (liId) query = query.where('liId', '!=', liId)
  if (await query.executeTakeFirst()) throw new Failure('lesson-name-taken', { name: liName })
}

/** The colleges a course is open to and its award template must be the school's; a closed template may only be kept. */
async function refuseUnknown({ db, actor }: Context, { rangeColleges, atId }: LessonValues, kept?: string) {
  const { rows } = await sql<{ colleges: number; template: boolean }>`select
    (select count(*)::int from "college" where "schoolId" = ${actor.schoolId} and "scId" = any(${rangeColleges}::uuid[])) as "colleges",
    (${atId ?? null}::uuid is null or exists (select from "awardTemplate" where "schoolId" = ${actor.schoolId} and "atId" = ${atId ?? null}::uuid and ("enable" = '1' or "atId" = ${kept ?? null}::uuid))) as "template"`.execute(db)
  if (rows[0]!.colleges !== new Set(rangeColleges).size) throw invalidInput([{ field: 'rangeColleges', msg: '可报名学院中有不存在的学院' }])
  if (!rows[0]!.template) throw invalidInput([{ field: 'atId', msg: '所选奖励模板不存在或已停用' }])
}
