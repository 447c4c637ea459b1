import { isDeepStrictEqual } from 'node:util'
import type { Insertable, Updateable } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { supSource, supplementStatus } from '../../../contract/core/codes/programme.ts'
import { isInSchool } from '../../../contract/core/codes/in-school.ts'
import { invalidInput, type FieldFault } from '../../../contract/core/failure.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { audit, changedFields } from '../../core/audit/audit.ts'
import { addSeconds } from '../../core/base/clock.ts'
import { together } from '../../core/base/together.ts'
import { compiledForWhole } from '../../core/request/compiled-for-whole.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { newId } from '../../core/base/ids.ts'
import { changedBy, createdColumns, nextVersion } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { compiledByShape, compiledOnce } from '../../core/database/compiled-once.ts'
import type { Tables } from '../../core/database/pool.ts'
import { from } from '../../core/database/tenant.ts'
import { lockWithinSchool } from '../../core/request/advisory-lock.ts'
import { replaceFiles, useFiles } from '../../platform/files/file-use.service.ts'
import { visibleStudents } from '../../school/people/students.service.ts'
import { startSupplementApproval } from './supplement-approval.service.ts'
import { checkCredential, keepCredential } from './supplement-credential.service.ts'
import { obtainFault } from './supplement-checks.ts'
import { rateFacts } from './supplement-rating.ts'
import { supplementWorld, type SupplementWorld } from './supplement-lookups.queries.ts'
import { supplementFor, type ReachedSupplement } from './supplements.queries.ts'

type Values = Omit<Checked<typeof supplementApi.save>, 'lisId' | 'version' | 'submit' | 'lisCredential'>

/** Adds a record on behalf of a student, or changes one; with `submit` it goes into approval at once. */
export async function saveSupplement(
  ctx: Context,
  { lisId, version, submit, lisCredential, ...values }: Checked<typeof supplementApi.save>,
) {
  const credential = await checkCredential(ctx, lisCredential)
  return inTransaction(ctx, async (tx) => {
    const saved = lisId ? await changeSupplement(tx, lisId, version, values) : await addSupplement(tx, values)
    await keepCredential(tx, saved.lisId, credential)
    return submit &&
      isOneOf(saved.lisStatus, supplementStatus.draft, supplementStatus.refused, supplementStatus.withdrawn)
      ? startSupplementApproval(tx, await supplementWorld(tx), saved.lisId)
      : saved
  })
}

async function addSupplement(ctx: Context, values: Values) {
  const { actor } = ctx
  const [, twins, student, lookups] = await together(
    // the second click waits here until what the first one saved can be seen
    lockWithinSchool(ctx, 'sup-save', [actor.suId, values.suId, values.lisName, values.lisObtainDate]),
    justSaved(ctx, values),
    studentOf(ctx, values),
    supplementWorld(ctx),
  )
  const { facts, ...calculated } = columnsOf(lookups, student, values)
  const twin = twins.find(({ lisId: _, lisStatus: __, version: ___, ...row }) => isDeepStrictEqual(row, facts))
  if (twin) return { lisId: twin.lisId, lisStatus: twin.lisStatus, version: twin.version }
  const row = {
    ...createdColumns(ctx),
    lisId: newId(),
    ...facts,
    ...calculated,
    lisStatus: supplementStatus.draft,
    source: values.suId === actor.suId ? supSource.declared : supSource.enteredForStudent,
    version: 0,
  }
  await together(
    insertOne(ctx.db, row),
    useFiles(ctx, values.lisProofs, { isPrivate: true }),
    audit(ctx, { action: '录入补录', bizType: 'supplement', bizId: row.lisId, bizName: row.lisName, after: values }),
  )
  return { lisId: row.lisId, lisStatus: row.lisStatus, version: row.version }
}

const insertOne = compiledByShape((db, row: Insertable<Tables['supplement']>) =>
  db.insertInto('supplement').values(row),
)

async function changeSupplement(ctx: Context, lisId: string, version: number | undefined, values: Values) {
  const [supplement, student, lookups] = await together(
    supplementFor(ctx, 'edit', lisId),
    studentOf(ctx, values),
    supplementWorld(ctx),
  )
  assertVersion(ctx, supplement, version)
  const { facts, ...calculated } = columnsOf(lookups, student, values, supplement)
  const [[saved]] = await together(
    updateOne(ctx.db, { schoolId: ctx.actor.schoolId, lisId, ...facts, ...calculated, ...changedBy(ctx) }),
    replaceFiles(ctx, supplement.lisProofs, values.lisProofs, { isPrivate: true }),
    audit(ctx, {
      action: '编辑补录',
      bizType: 'supplement',
      bizId: lisId,
      bizName: facts.lisName,
      ...changedFields<Record<string, unknown>>({ ...supplement }, facts),
    }),
  )
  return saved!
}

type UpdatedRow = Updateable<Tables['supplement']> & { schoolId: string; lisId: string }

const updateOne = compiledByShape((db, { schoolId, lisId, ...columns }: UpdatedRow) =>
  db
    .updateTable('supplement')
    .set({ ...columns, version: nextVersion })
    .where('schoolId', '=', schoolId)
    .where('lisId', '=', lisId)
    .returning(['lisId', 'lisStatus', 'version']),
)

/** The columns of a record that its form says. */
const factColumns = [
  'suId',
  'lisName',
  'lsId',
  'lisType',
  'lisLevel',
  'lisPartakeMode',
  'lisAward',
  'lisOrg',
  'lisObtainDate',
  'lisStartDate',
  'lisEndDate',
  'certNo',
  'certUrl',
  'lisTeamSize',
  'lisRank',
  'lisHoursDeclared',
  'lisProofs',
  'lisDesc',
] as const

/**
 * The records that the same person saved within ten seconds for the same student under the same name and day. One with
 * the very same form is a second click, not a second record; whoever changed anything in between means another one.
 */
const justSaved = ({ db, actor, clock }: Context, { suId, lisName, lisObtainDate }: Values) =>
  savedSince(db, {
    schoolId: actor.schoolId,
    createBy: actor.suId,
    suId,
    lisName,
    lisObtainDate,
    since: addSeconds(clock.now(), -10),
  })

type SavedBy = Pick<Values, 'suId' | 'lisName' | 'lisObtainDate'> & {
  schoolId: string
  createBy: string
  since: string
}

const savedSince = compiledOnce((db, { schoolId, createBy, suId, lisName, lisObtainDate, since }: SavedBy) =>
  from({ db, schoolId }, 'supplement')
    .select(['lisId', 'lisStatus', 'version', ...factColumns])
    .where('createBy', '=', createBy)
    .where('suId', '=', suId)
    .where('lisName', '=', lisName)
    .where('lisObtainDate', '=', lisObtainDate)
    .where('createTime', '>=', since)
    .orderBy('createTime'),
)

type Student = Awaited<ReturnType<typeof studentOf>>
const studentOf = async (ctx: Context, { suId }: Values) => (await studentRows(ctx, { suId }))[0]

const studentRows = compiledForWhole((ctx, { suId }: { suId: string }) =>
  visibleStudents(ctx).select(['person.suId', 'suiName', 'suiStatus', 'suiGrade']).where('person.suId', '=', suId),
)

/** The form as columns, after everything the school's records have to say about it; all faults are told together. */
function columnsOf(lookups: SupplementWorld, student: Student, values: Values, kept?: ReachedSupplement) {
  const faults: FieldFault[] = []
  if (!student) faults.push({ field: 'suId', msg: '该学生不存在或不在您的管理范围内' })
  else if (kept?.suId !== student.suId && !isInSchool(student.suiStatus))
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
