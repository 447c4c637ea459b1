import { sql } from 'kysely'
import { graduationStatus } from '../../../contract/core/codes/outcomes.ts'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { undoDays, type graduationApi } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { addDays } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { amount, code, text } from '../../core/export/columns.ts'
import { exportList, inBatches } from '../../core/export/exports.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { asPage, countOf, offsetOf } from '../../core/database/paging.ts'
import { requiredHours, type Goal, type Shortfall } from '../../programme/credits/goal.ts'
import { isNamed } from '../../school/organisation/person-columns.ts'

/** Batches for whoever asks: their own, and with the right over the whole school all that were carried out. */
export function visibleBatches({ db, actor, scope }: Pick<Context, 'db' | 'actor' | 'scope'>) {
  const query = from({ db, actor }, 'graduationBatch')
  const own = sql<boolean>`"graduationBatch"."createBy" = ${actor.suId}::uuid`
  return query.where(
    scope.whole ? sql<boolean>`("graduationBatch"."gbStatus" <> ${sql.lit(graduationStatus.preview)} or ${own})` : own,
  )
}

/** Until when a graduation that was carried out then can be undone. */
export const undoUntil = (doneTime: string): string => addDays(doneTime, undoDays)

/** The graduations that were carried out, newest first. */
export async function graduationBatches(
  ctx: Context,
  input: Checked<typeof graduationApi.batches>,
): Promise<Output<typeof graduationApi.batches>> {
  const query = visibleBatches(ctx).where('gbStatus', '<>', graduationStatus.preview)
  const [rows, total] = await Promise.all([
    query
      .select([
        'gbId',
        'gbNo',
        'gbStatus',
        'grades',
        'total',
        'metCount',
        'graduateCount',
        'delayCount',
        'reason',
        'createName',
        'doneTime',
        'undoTime',
        'undoName',
        'undoCount',
      ])
      .select(
        sql<string[]>`array(
            select c."scName"
            from "college" c
            where c."schoolId" = "graduationBatch"."schoolId" and c."scId" = any("graduationBatch"."collegeIds")
            order by c."scSort", c."scName"
          )`.as('colleges'),
      )
      .orderBy('doneTime', 'desc')
      .orderBy('gbId', 'desc')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  const now = ctx.clock.now()
  return asPage(
    rows.map(({ gbNo, gbStatus, doneTime, metCount, ...row }) => ({
      ...row,
      gbNo: gbNo ?? '',
      gbStatus: gbStatus as typeof graduationStatus.done | typeof graduationStatus.undone,
      doneTime: doneTime!,
      undoUntil: undoUntil(doneTime!),
      unmetGraduated: Math.max(0, row.graduateCount - metCount),
      can: gbStatus === graduationStatus.done && now <= undoUntil(doneTime!) ? ['undo' as const] : [],
    })),
    total,
    input,
  )
}

type RowFilters = Checked<typeof graduationApi.exportRows>

async function requiredThen(ctx: Context, gbId: string): Promise<number> {
  const row = await visibleBatches(ctx).select('goal').where('gbId', '=', gbId).executeTakeFirst()
  if (!row) throw new Failure('not-found')
  return requiredHours(row.goal as unknown as Goal)
}

function matchingRows(ctx: Context, { gbId, met, search }: RowFilters) {
  let query = from(ctx, 'graduationRow')
    .innerJoin('person', withinSchool('person.suId', 'graduationRow.suId'))
    .where('graduationRow.gbId', '=', gbId)
  if (met !== undefined) query = query.where('met', '=', met)
  if (search) query = query.where(isNamed(search))
  return query
}

const rowColumns = (query: ReturnType<typeof matchingRows>) =>
  query
    .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
    .leftJoin('schoolClass', withinSchool('schoolClass.scClassId', 'person.scClassId'))
    .select([
      'person.suId',
      'suiName',
      'graduationRow.suiNumber',
      'suiGrade',
      'met',
      'hours',
      'gaps',
      'statusBefore',
      'statusAfter',
      'keptWhy',
    ])
    .select([
      sql<string>`coalesce("scName", '')`.as('collegeName'),
      sql<string>`coalesce("scClassName", '')`.as('className'),
    ])
    .orderBy('graduationRow.suiNumber')
    .orderBy('graduationRow.suId')

type Row = Awaited<ReturnType<ReturnType<typeof rowColumns>['execute']>>[number]

const onWire =
  (required: number) =>
  ({ hours, gaps, ...row }: Row) => ({
    ...row,
    hours: fromHundredths(hours),
    requiredHours: fromHundredths(required),
    gaps: (gaps as unknown as Shortfall[]).map((one) => ({
      ...one,
      required: fromHundredths(one.required),
      have: fromHundredths(one.have),
    })),
  })

/** The students of a preview or of a graduation, by number. */
export async function graduationRows(
  ctx: Context,
  input: Checked<typeof graduationApi.rows>,
): Promise<Output<typeof graduationApi.rows>> {
  const required = await requiredThen(ctx, input.gbId)
  const query = matchingRows(ctx, input)
  const [rows, total] = await Promise.all([
    rowColumns(query).limit(input.pageSize).offset(offsetOf(input)).execute(),
    countOf(query),
  ])
  return asPage(rows.map(onWire(required)), total, input)
}

const gapsText = ({ gaps }: Row) =>
  (gaps as unknown as Shortfall[])
    .map((one) => `${one.lsName} ${fromHundredths(one.have)}/${fromHundredths(one.required)}`)
    .join('；')

const columnsFor = (required: number) => [
  text('学号', 'suiNumber', 18),
  text('姓名', 'suiName', 12),
  text('学院', 'collegeName', 26),
  text('班级', 'className', 20),
  text('年级', 'suiGrade', 8),
  text('是否达标', ({ met }: Row) => (met ? '达标' : '未达标'), 10),
  amount('总学时', 'hours'),
  amount('要求学时', () => required),
  text('未达标模块', gapsText, 60),
  code('原学籍状态', 'student_status', 'statusBefore', 12),
  code('办理后状态', 'student_status', 'statusAfter', 12),
  text('未撤销原因', 'keptWhy', 24),
]

/** The same as a workbook. */
export async function exportGraduationRows(ctx: Context, input: RowFilters) {
  const required = await requiredThen(ctx, input.gbId)
  const rows = inBatches(async (last: { suId: string; suiNumber: string } | undefined) => {
    let query = matchingRows(ctx, input)
    if (last)
      query = query.where(
        sql<boolean>`("graduationRow"."suiNumber", "graduationRow"."suId") > (${last.suiNumber}, ${last.suId}::uuid)`,
      )
    return rowColumns(query).limit(1000).execute()
  })
  return exportList(ctx, { title: '毕业名单', columns: columnsFor(required), rows, filter: input })
}

/** Names and numbers of people, for telling who is meant; deleted ones too, for a batch names whom it had. */
export async function namesOf(ctx: Context, suIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await from(ctx, 'person', { withDeleted: true })
    .select(['suId', 'suiName', 'suiNumber'])
    .where(anyOf('suId', suIds))
    .execute()
  return new Map(rows.map(({ suId, suiName, suiNumber }) => [suId, `${suiName}（${suiNumber}）`]))
}
