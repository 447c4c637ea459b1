import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { approvalStatus, questionStatus, questionType } from '../../../contract/core/codes/programme.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { wholeSchool } from '../../../contract/core/scope.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { Page } from '../../../contract/core/paging.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import type { DisputeRow } from '../../../contract/programme/disputes/disputes.schema.ts'
import type { Context } from '../../core/request/context.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { asPage, contains, countOf, offsetOf, titleContains } from '../../core/database/paging.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { studentLocation } from '../../school/people/students.service.ts'
import { scopeIncludesLesson } from '../lessons/result/disputed.service.ts'
import { disputeCan, type DisputeAuthority } from './dispute-life.ts'

const lessonColumns = { college: 'l.liCollegeId', department: 'l.liDepartmentId', path: 'l.lsPath' }
const supplementColumns = {
  college: 'p.suiCollegeId',
  major: 'p.majorId',
  class: 'p.scClassId',
  grade: 'p.suiGrade',
  path: 's.lsPath',
}

/**
 * Disputes with their courses or supplement records that exist for whoever asks: those about what their scope covers,
 * about courses they are responsible for and records they entered, those they entered themselves, and those they decide
 * on. The disputed person is joined as `p`, who is the student of a supplement record.
 */
export function visibleDisputes({ db, actor, scope }: Context) {
  const query = from({ db, actor }, 'question as q')
    .leftJoin('lesson as l', withinSchool('l.liId', 'q.liId'))
    .leftJoin('supplement as s', withinSchool('s.lisId', 'q.lisId'))
    .leftJoin('person as p', withinSchool('p.suId', 'q.targetSuId'))
  if (scope.whole) return query
  return query.where(
    sql<boolean>`(
        (q."liId" is not null and ${inScope(scope, lessonColumns)})
        or (q."lisId" is not null and ${inScope(scope, supplementColumns)})
        or l."liPrincipalId" = ${actor.suId}::uuid
        or s."createBy" = ${actor.suId}::uuid
        or q."createBy" = ${actor.suId}::uuid
        or q."qId" = any(array(${decidedDisputes(actor)}))
      )`,
  )
}

const decidedDisputes = ({ schoolId, suId }: Context['actor']) => sql`
  select a."bizId"
  from "approvalTask" t
  join "approval" a on a."schoolId" = t."schoolId" and a."insId" = t."insId"
  where t."schoolId" = ${schoolId} and t."checkerId" = ${suId}::uuid and t."bizType" = 'question'`

/** Those whose approval asks, or asked, the person: for one who holds no right to the list. */
export const askedDisputes = (ctx: Context) =>
  visibleDisputes({ ...ctx, scope: wholeSchool }).where(
    sql<boolean>`q."qId" = any(array(${decidedDisputes(ctx.actor)}))`,
  )

type Filters = Omit<Checked<typeof disputeApi.list>, 'current' | 'pageSize'>
type Disputes = ReturnType<typeof visibleDisputes>

/** Those about courses or about supplement records, by name. */
export function aboutSubject(
  query: Disputes,
  { kind, liName, lisName }: Pick<Filters, 'kind' | 'liName' | 'lisName'>,
): Disputes {
  let found = query
  if (kind) found = found.where(kind === 'lesson' ? 'q.liId' : 'q.lisId', 'is not', null)
  if (liName) found = found.where(titleContains('l.liName' as never, liName))
  if (lisName) found = found.where(titleContains('s.lisName' as never, lisName))
  return found
}

/** The disputes that a list shows, with the people they are about. */
export function matching(
  ctx: Context,
  { liId, lisId, targetName, qType, qStatus, createStartDate, createEndDate, ...named }: Partial<Filters>,
) {
  let query = aboutSubject(visibleDisputes(ctx), named).leftJoin('college as k', (join) =>
    join
      .onRef('k.schoolId', '=', 'q.schoolId')
      .on((on) => on('k.scId', '=', on.fn.coalesce('l.liCollegeId', collegeOfStudent))),
  )
  if (liId) query = query.where('q.liId', '=', liId)
  if (lisId) query = query.where('q.lisId', '=', lisId)
  if (targetName)
    query = query.where(
      sql<boolean>`(${contains('p.suiName' as never, targetName)} or ${contains('p.suiNumber' as never, targetName)})`,
    )
  if (qType) query = query.where('q.qType', '=', qType)
  if (qStatus) query = query.where('q.qStatus', 'in', qStatus.split(','))
  if (createStartDate) query = query.where('q.createTime', '>=', createStartDate)
  if (createEndDate) query = query.where('q.createTime', '<=', createEndDate)
  return query
}

/** Where a supplement record lies; a course without a college lies nowhere, whoever its disputed participant is. */
const collegeOfStudent = sql<string | null>`case when q."lisId" is not null then p."suiCollegeId" end`

/** What rows are made of. The reporter's id never leaves this domain. */
export const rowColumns = [
  'q.qId',
  'q.liId',
  'q.lisId',
  'k.scName',
  'q.targetSuId',
  'p.suiName',
  'p.suiNumber',
  'q.qType',
  'q.qContent',
  'q.qStatus',
  'q.source',
  'q.createTime',
  'q.deadline',
  'q.handleName',
  'q.handleTime',
  'q.qOutcome',
  'q.creditDelta',
  'q.credibilityDelta',
  'q.version',
  'q.createBy',
  'q.reporterSuId',
  'l.liPrincipalId',
  'l.liCollegeId',
  'l.liDepartmentId',
  'p.suiCollegeId',
  'p.majorId',
  'p.scClassId',
  'p.suiGrade',
  's.createBy as enteredBy',
] as const
const ofSubject = [
  sql<string>`coalesce(l."liName", '')`.as('liName'),
  sql<string>`coalesce(l."liStatus", '')`.as('liStatus'),
  sql<string>`coalesce(s."lisName", '')`.as('lisName'),
  sql<string>`coalesce(s."lisStatus", '')`.as('lisStatus'),
  sql<string>`coalesce(s."lisPublictyStatus", '')`.as('lisPublictyStatus'),
  sql<string[]>`coalesce(l."lsPath", s."lsPath")`.as('lsPath'),
] as const

const runs = (schoolId: string, more = sql``) =>
  sql<boolean>`exists (
      select
      from "approval" a
      where a."schoolId" = ${schoolId}
        and a."bizType" = 'question'
        and a."bizId" = q."qId"
        and a."insStatus" = ${sql.lit(approvalStatus.running)}${more}
    )`
/** Whether a dispute's approval runs, and whether the person started it. */
const approvalOf = ({ schoolId, suId }: Context['actor']) =>
  [runs(schoolId).as('approving'), runs(schoolId, sql` and a."startBy" = ${suId}::uuid`).as('started')] as const

export interface FoundDispute {
  qId: string
  liId: string | null
  liName: string
  liStatus: string
  lisId: string | null
  lisName: string
  lisStatus: string
  lisPublictyStatus: string
  scName: string | null
  targetSuId: string | null
  suiName: string | null
  suiNumber: string | null
  qType: string
  qContent: string
  qStatus: string
  source: string
  createTime: string
  deadline: string
  handleName: string
  handleTime: string | null
  qOutcome: string | null
  creditDelta: number
  credibilityDelta: number
  version: number
  createBy: string | null
  reporterSuId: string
  /** Of a course. */
  liPrincipalId: string | null
  liCollegeId: string | null
  liDepartmentId: string | null
  /** Where the disputed person stands. */
  suiCollegeId: string | null
  majorId: string | null
  scClassId: string | null
  suiGrade: string | null
  /** Who entered the supplement record. */
  enteredBy: string | null
  lsPath: string[]
  approving: boolean
  started: boolean
}

/** How the person stands to a dispute. */
export function authorityOver(ctx: Context, row: FoundDispute): DisputeAuthority {
  const { suId, permits } = ctx.actor
  const isPrincipal = row.liPrincipalId === suId
  return {
    permits,
    relations: new Set([
      ...(row.createBy === suId ? ['creator' as const] : []),
      ...(isPrincipal ? ['principal' as const] : []),
      ...(row.started ? ['initiator' as const] : []),
    ]),
    covers: (permit) =>
      row.lisId === null
        ? scopeIncludesLesson(ctx, permit, row)
        : permits.has(permit) &&
          scopeIncludes(ctx.actor.scopeFor(permit), { ...studentLocation(row), path: row.lsPath }),
    concerned:
      row.reporterSuId === suId ||
      row.targetSuId === suId ||
      (row.qType === questionType.organiserBreach && isPrincipal) ||
      (row.qType === questionType.falseAttendance && row.enteredBy === suId),
  }
}

/** A dispute as the wire has it. */
export function shownRow(ctx: Context, row: FoundDispute): DisputeRow {
  const {
    qId,
    liId,
    liName,
    liStatus,
    lisId,
    lisName,
    lisStatus,
    lisPublictyStatus,
    scName,
    targetSuId,
    suiName,
    suiNumber,
    qType,
    qContent,
    qStatus,
    source,
    createTime,
    deadline,
    handleName,
    handleTime,
    qOutcome,
    creditDelta,
    credibilityDelta,
    version,
  } = row
  return {
    qId,
    liId,
    liName,
    liStatus,
    lisId,
    lisName,
    lisStatus,
    lisPublictyStatus,
    collegeName: scName ?? '',
    targetSuId,
    targetName: suiName ?? '',
    targetNumber: suiNumber ?? '',
    qType,
    qContent,
    qStatus,
    source,
    createTime,
    deadline,
    overdue: qStatus === questionStatus.overdue || (qStatus === questionStatus.pending && deadline < ctx.clock.now()),
    handleName,
    handleTime,
    qOutcome,
    creditDelta: fromHundredths(creditDelta),
    credibilityDelta,
    version,
    can: disputeCan(row, authorityOver(ctx, row)),
  }
}

/** What the list may be sorted by. */
const sortable = {
  createTime: 'q.createTime',
  targetName: 'p.suiName',
  qStatus: 'q.qStatus',
  qType: 'q.qType',
}
/** Until when somebody must take up a dispute that waits for that; of the others none is shown. */
const openDeadline = sql`
  case when q."qStatus" in (${sql.lit(questionStatus.pending)}, ${sql.lit(questionStatus.overdue)}) then q."deadline" end`

/** Newest first unless another order is asked for; by the deadline, those that have none any more come last. */
const orderOf = (input: Pick<Filters, 'sort' | 'order'>) =>
  input.sort === 'deadline'
    ? sql`${openDeadline} ${sql.raw(input.order ?? 'asc')} nulls last`
    : listOrder(input, sortable, 'desc')

/** The disputes of a list. */
export async function listDisputes(ctx: Context, input: Checked<typeof disputeApi.list>): Promise<Page<DisputeRow>> {
  const query = matching(ctx, input)
  const [rows, total] = await Promise.all([
    query
      .select(rowColumns)
      .select(ofSubject)
      .select(approvalOf(ctx.actor))
      .orderBy(orderOf(input))
      .orderBy('q.qId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  return asPage(
    rows.map((row) => shownRow(ctx, row)),
    total,
    input,
  )
}

/** The dispute for one who may see it; `not-found` otherwise. */
export async function reachDispute(ctx: Context, qId: string): Promise<FoundDispute> {
  const row = await matching(ctx, {})
    .select(rowColumns)
    .select(ofSubject)
    .select(approvalOf(ctx.actor))
    .where('q.qId', '=', qId)
    .executeTakeFirst()
  if (!row) throw new Failure('not-found')
  return row
}

/** What disputes are about, by the dispute: for whoever has been asked to decide them. */
export async function subjectsOfDisputes(ctx: Context, qIds: readonly string[]) {
  if (qIds.length === 0) return new Map<string, { liId: string; liName: string; lisId: string; lisName: string }>()
  const rows = await from(ctx, 'question as q')
    .leftJoin('lesson as l', withinSchool('l.liId', 'q.liId'))
    .leftJoin('supplement as s', withinSchool('s.lisId', 'q.lisId'))
    .select(['q.qId', 'q.liId', 'q.lisId', 'l.liName', 's.lisName'])
    .where(anyOf('q.qId', qIds))
    .execute()
  return new Map(
    rows.map(({ qId, liId, liName, lisId, lisName }) => [
      qId,
      { liId: liId ?? '', liName: liName ?? '', lisId: lisId ?? '', lisName: lisName ?? '' },
    ]),
  )
}
