import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { approvalStatus, questionStatus, questionType } from '../../../contract/core/codes/programme.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { wholeSchool } from '../../../contract/core/scope.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { Page } from '../../../contract/core/paging.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import type { DisputedLesson, DisputeRow } from '../../../contract/programme/disputes/disputes.schema.ts'
import type { Context } from '../../core/request/context.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { asPage, contains, countOf, offsetOf, titleContains } from '../../core/database/paging.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { scopeIncludesLesson } from '../lessons/result/disputed.service.ts'
import { disputeCan, type DisputeAuthority } from './dispute-life.ts'

const columns = { college: 'l.liCollegeId', department: 'l.liDepartmentId', path: 'l.lsPath' }

/**
 * Disputes with their courses that exist for whoever asks: those about courses their scope covers or they are
 * responsible for, those they entered, and those they decide on.
 */
export function visibleDisputes({ db, actor, scope }: Context) {
  const query = from({ db, actor }, 'question as q').innerJoin('lesson as l', withinSchool('l.liId', 'q.liId'))
  if (scope.whole) return query
  return query.where(
    sql<boolean>`(
        ${inScope(scope, columns)}
        or l."liPrincipalId" = ${actor.suId}::uuid
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

/** The disputes that a list shows, with the people they are about. */
export function matching(
  ctx: Context,
  { liId, liName, targetName, qType, qStatus, createStartDate, createEndDate }: Partial<Filters>,
) {
  let query = visibleDisputes(ctx)
    .leftJoin('person as p', withinSchool('p.suId', 'q.targetSuId'))
    .leftJoin('college as k', withinSchool('k.scId', 'l.liCollegeId'))
  if (liId) query = query.where('q.liId', '=', liId)
  if (liName) query = query.where(titleContains('l.liName' as never, liName))
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

/** What rows are made of. The reporter's id never leaves this domain. */
export const rowColumns = [
  'q.qId',
  'q.liId',
  'l.liName',
  'l.liStatus',
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
  'l.lsPath',
  'l.isQuestionedAudit',
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
  liId: string
  liName: string
  liStatus: string
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
  liPrincipalId: string
  liCollegeId: string | null
  liDepartmentId: string | null
  lsPath: string[]
  isQuestionedAudit: string
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
    covers: (permit) => scopeIncludesLesson(ctx, permit, row),
    concerned:
      row.reporterSuId === suId ||
      row.targetSuId === suId ||
      (row.qType === questionType.organiserBreach && isPrincipal),
  }
}

/** A dispute as the wire has it. */
export function shownRow(ctx: Context, row: FoundDispute): DisputeRow {
  const {
    qId,
    liId,
    liName,
    liStatus,
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

/** The disputes of a list, newest first. */
export async function listDisputes(ctx: Context, input: Checked<typeof disputeApi.list>): Promise<Page<DisputeRow>> {
  const query = matching(ctx, input)
  const [rows, total] = await Promise.all([
    query
      .select(rowColumns)
      .select(approvalOf(ctx.actor))
      .orderBy('q.createTime', 'desc')
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
    .select(approvalOf(ctx.actor))
    .where('q.qId', '=', qId)
    .executeTakeFirst()
  if (!row) throw new Failure('not-found')
  return row
}

/** Courses about which there are disputes, those asked about last first, with how far they are. */
export async function disputedLessons(
  ctx: Context,
  input: Checked<typeof disputeApi.lessons>,
): Promise<Page<DisputedLesson>> {
  let query = visibleDisputes(ctx)
  if (input.liName) query = query.where(titleContains('l.liName' as never, input.liName))
  const number = (which: string) => sql<number>`(count(*) filter (where ${sql.raw(which)}))::int`
  const waiting = number(`q."qStatus" in ('${questionStatus.pending}', '${questionStatus.overdue}')`)
  const approving = number(
    `q."qStatus" = '${questionStatus.inReview}' or (q."qStatus" = '${questionStatus.upheld}' and q."qOutcome" is null)`,
  )
  let grouped = query.groupBy(['l.schoolId', 'l.liId'])
  if (input.state === 'waiting') grouped = grouped.having(waiting, '>', 0)
  if (input.state === 'approving') grouped = grouped.having(approving, '>', 0)
  if (input.state === 'done') grouped = grouped.having(sql<boolean>`${waiting} + ${approving} = 0`)
  const counted = grouped.select([
    'l.schoolId',
    'l.liId',
    waiting.as('waiting'),
    approving.as('approving'),
    number('true').as('total'),
    number(`q."qStatus" = '${questionStatus.upheld}'`).as('upheld'),
    number(`q."qStatus" = '${questionStatus.rejected}'`).as('refused'),
    sql<string>`max(q."createTime")`.as('lastTime'),
  ])
  const [rows, { total }] = await Promise.all([
    ctx.db
      .selectFrom(counted.as('c'))
      .innerJoin('lesson as l', withinSchool('l.liId', 'c.liId'))
      .innerJoin('person as p', withinSchool('p.suId', 'l.liPrincipalId'))
      .leftJoin('college as k', withinSchool('k.scId', 'l.liCollegeId'))
      .select([
        'c.liId',
        'l.liNo',
        'l.liName',
        'l.liStatus',
        'l.liPublictySdate',
        'l.liPublictyEdate',
        'p.suiName as liPrincipalName',
        sql<string>`coalesce(k."scName", '')`.as('collegeName'),
        'c.total',
        'c.waiting',
        'c.approving',
        'c.upheld',
        'c.refused',
        'c.lastTime',
      ])
      .orderBy('c.lastTime', 'desc')
      .orderBy('c.liId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    ctx.db
      .selectFrom(counted.as('c'))
      .select(sql<number>`count(*)::int`.as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return asPage(rows, total, input)
}

/** The courses that disputes are about, by the dispute: for whoever has been asked to decide them. */
export async function lessonsOfDisputes(ctx: Context, qIds: readonly string[]) {
  if (qIds.length === 0) return new Map<string, { liId: string; liName: string }>()
  const rows = await from(ctx, 'question as q')
    .innerJoin('lesson as l', withinSchool('l.liId', 'q.liId'))
    .select(['q.qId', 'l.liId', 'l.liName'])
    .where(anyOf('q.qId', qIds))
    .execute()
  return new Map(rows.map(({ qId, ...lesson }) => [qId, lesson]))
}
