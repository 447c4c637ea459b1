import { isDeepStrictEqual } from 'node:util'
import type { Checked } from '../../../contract/core/call.ts'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { supSource, supplementStatus } from '../../../contract/core/codes/programme.ts'
import { studentStatus } from '../../../contract/core/codes/school.ts'
import { invalidInput, type FieldFault } from '../../../contract/core/failure.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { audit, changedFields } from '../../core/audit/audit.ts'
import { addSeconds } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { newId } from '../../core/base/ids.ts'
import { updatedColumns, createdColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { from } from '../../core/database/tenant.ts'
import { lockSchool } from '../../core/request/advisory-lock.ts'
import { replaceFiles, useFiles } from '../../platform/files/file-use.service.ts'
import { visibleStudents } from '../../school/people/students.service.ts'
import { startSupplementApproval } from './supplement-approval.service.ts'
import { obtainFault } from './supplement-checks.ts'
import { rateFacts } from './supplement-rating.ts'
import { supplementWorld, type SupplementWorld } from './supplement-lookups.queries.ts'
import { supplementFor, type ReachedSupplement } from './supplements.queries.ts'

type Values = Omit<Checked<typeof supplementApi.save>, 'lisId' | 'version' | 'submit'>

/** Students who may still get records: those enrolled, and those who stay longer. */
const enrolled: string[] = [studentStatus.enrolled, studentStatus.delayed]

/** Adds a record on behalf of a student, or changes one; with `submit` it goes into approval at once. */
export function saveSupplement(
  ctx: Context,
  { lisId, version, submit, ...values }: Checked<typeof supplementApi.save>,
) {
  return inTransaction(ctx, async (tx) => {
    // a double click is judged against what was saved just now, so one save at a time
    await lockSchool(tx, 'sup-save')
    const lookups = await supplementWorld(tx)
    const saved = lisId
      ? await changeSupplement(tx, lookups, lisId, version, values)
      : await addSupplement(tx, lookups, values)
    return submit &&
      isOneOf(saved.lisStatus, supplementStatus.draft, supplementStatus.refused, supplementStatus.withdrawn)
      ? startSupplementApproval(tx, lookups, saved.lisId)
      : saved
  })
}

async function addSupplement(ctx: Context, lookups: SupplementWorld, values: Values) {
  const { facts, ...calculated } = await columnsOf(ctx, lookups, values)
  const twin = await findTwin(ctx, facts)
  if (twin) return twin
  const row = {
    ...createdColumns(ctx),
    lisId: newId(),
    ...facts,
    ...calculated,
    lisStatus: supplementStatus.draft,
    source: values.suId === ctx.actor.suId ? supSource.declared : supSource.enteredForStudent,
    version: 0,
  }
  await ctx.db.insertInto('supplement').values(row).execute()
  await useFiles(ctx, values.lisProofs, { isPrivate: true })
  await audit(ctx, { action: '录入补录', bizType: 'supplement', bizId: row.lisId, bizName: row.lisName, after: values })
  return { lisId: row.lisId, lisStatus: row.lisStatus, version: row.version }
}

async function changeSupplement(
  ctx: Context,
  lookups: SupplementWorld,
  lisId: string,
  version: number | undefined,
  values: Values,
) {
  const supplement = await supplementFor(ctx, 'edit', lisId)
  assertVersion(supplement, version)
  const { facts, ...calculated } = await columnsOf(ctx, lookups, values, supplement)
  const saved = await ctx.db
    .updateTable('supplement')
    .set({ ...facts, ...calculated, ...updatedColumns(ctx) })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('lisId', '=', lisId)
    .returning(['lisId', 'lisStatus', 'version'])
    .executeTakeFirstOrThrow()
  await replaceFiles(ctx, supplement.lisProofs, values.lisProofs, { isPrivate: true })
  await audit(ctx, {
    action: '编辑补录',
    bizType: 'supplement',
    bizId: lisId,
    bizName: facts.lisName,
    ...changedFields<Record<string, unknown>>({ ...supplement }, facts),
  })
  return saved
}

/**
 * The record that the same person saved within ten seconds with the very same form: a second click, not a second
 * record. Whoever changed anything in between means another one.
 */
async function findTwin(ctx: Context, facts: Awaited<ReturnType<typeof columnsOf>>['facts']) {
  const found = await from(ctx, 'supplement')
    .select(['lisId', 'lisStatus', 'version'])
    .select(Object.keys(facts) as (keyof typeof facts)[])
    .where('createBy', '=', ctx.actor.suId)
    .where('suId', '=', facts.suId)
    .where('lisName', '=', facts.lisName)
    .where('lisObtainDate', '=', facts.lisObtainDate)
    .where('createTime', '>=', addSeconds(ctx.clock.now(), -10))
    .orderBy('createTime')
    .execute()
  const twin = found.find(({ lisId: _, lisStatus: __, version: ___, ...row }) => isDeepStrictEqual(row, facts))
  return twin && { lisId: twin.lisId, lisStatus: twin.lisStatus, version: twin.version }
}

/** The form as columns, after everything the school's records have to say about it; all faults are told together. */
async function columnsOf(ctx: Context, lookups: SupplementWorld, values: Values, kept?: ReachedSupplement) {
  const student = await visibleStudents(ctx)
    .select(['person.suId', 'suiName', 'suiStatus', 'suiGrade'])
    .where('person.suId', '=', values.suId)
    .executeTakeFirst()
  const faults: FieldFault[] = []
  if (!student) faults.push({ field: 'suId', msg: '该学生不存在或不在您的管理范围内' })
  else if (kept?.suId !== student.suId && !enrolled.includes(student.suiStatus))
    faults.push({ field: 'suId', msg: `${student.suiName} 已不在校，不能补录` })
  const facts = {
    suId: values.suId,
    lisName: values.lisName,
    lsId: values.lsId,
    lisType: values.lisType,
    lisLevel: values.lisLevel,
    lisPartakeMode: values.lisPartakeMode,
    lisAward: values.lisAward ?? '',
    lisOrg: values.lisOrg ?? '',
    lisObtainDate: values.lisObtainDate,
    lisStartDate: values.lisStartDate ?? null,
    lisEndDate: values.lisEndDate ?? null,
    certNo: values.certNo ?? '',
    certUrl: values.certUrl ?? '',
    lisTeamSize: values.lisTeamSize ?? null,
    lisRank: values.lisRank ?? null,
    lisHoursDeclared: values.lisHoursDeclared ?? null,
    lisProofs: values.lisProofs,
    lisDesc: values.lisDesc ?? '',
  }
  const late = obtainFault(facts.lisObtainDate, student?.suiGrade ?? null, lookups)
  if (late) faults.push(late)
  const { faults: wrong, lsPath, esId, award, worth } = rateFacts(lookups, facts, kept)
  faults.push(...wrong)
  if (faults.length > 0) throw invalidInput(faults)
  return {
    facts,
    lsPath,
    esId,
    lisAwardDetailId: award?.adId || null,
    lisHours: worth.hours,
    lisCredit: worth.credit,
    lisPoints: worth.points,
  }
}
