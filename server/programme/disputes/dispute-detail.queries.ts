import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { lessonStatus, questionStatus, questionType, supplementStatus } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import type { DisputeDetail } from '../../../contract/programme/disputes/disputes.schema.ts'
import { flowsOf, ownTask } from '../approvals/flows.service.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { code, count, moment, text } from '../../core/export/columns.ts'
import { exportList, inPages } from '../../core/export/exports.ts'
import { viewPrivateFile } from '../../platform/files/files.service.ts'
import { nothingVisible, wholeSchool } from '../../../contract/core/scope.ts'
import { nowInWords } from './dispute-subject.service.ts'
import { askedDisputes, listDisputes, reachDispute, shownRow, visibleDisputes } from './disputes.queries.ts'

/** A dispute with everything its page shows. */
export async function disputeDetail(ctx: Context, { qId }: { qId: string }): Promise<DisputeDetail> {
  const found = await reachDispute(ctx, qId)
  const more = await from(ctx, 'question as q')
    .leftJoin('lesson as l', withinSchool('l.liId', 'q.liId'))
    .leftJoin('supplement as s', withinSchool('s.lisId', 'q.lisId'))
    .leftJoin('person as p', withinSchool('p.suId', 'l.liPrincipalId'))
    .innerJoin('curriculum as n', (join) =>
      join.onRef('n.schoolId', '=', 'q.schoolId').on((on) => on('n.lsId', '=', on.fn.coalesce('l.lsId', 's.lsId'))),
    )
    .innerJoin('lessonLevel as v', (join) =>
      join
        .onRef('v.schoolId', '=', 'q.schoolId')
        .on((on) => on('v.llId', '=', on.fn.coalesce('l.liLevel', 's.lisLevel'))),
    )
    .select([
      'n.lsName',
      'v.llName as liLevelName',
      sql<string>`coalesce(p."suiName", '')`.as('liPrincipalName'),
      sql<string>`coalesce(l."isQuestionedAudit", ${sql.lit(yesNo.yes)})`.as('isQuestionedAudit'),
      sql<string | null>`coalesce(l."liPublictySdate", s."lisPublictySdate")`.as('liPublictySdate'),
      sql<string | null>`coalesce(l."liPublictyEdate", s."lisPublictyEdate")`.as('liPublictyEdate'),
      'q.qAward',
      'q.qProofs',
      'q.acceptName',
      'q.acceptTime',
      'q.opinion',
      'q.beforeResult',
      'q.afterResult',
      'q.outcomeOpinion',
      'q.outcomeName',
      'q.outcomeTime',
    ])
    .where('q.qId', '=', qId)
    .executeTakeFirstOrThrow()
  const [nowResult, files, others, flows] = await Promise.all([
    found.targetSuId ? nowInWords(ctx, found, found.targetSuId) : '',
    from(ctx, 'file').select(['fileId as id', 'fileName as name']).where(anyOf('fileId', more.qProofs)).execute(),
    visibleDisputes(ctx)
      .select(['q.qId', 'q.qType', 'q.qStatus', 'q.createTime'])
      .where(found.lisId ? 'q.lisId' : 'q.liId', '=', found.lisId ?? found.liId)
      .where('q.qId', '<>', qId)
      .where(sql<boolean>`q."targetSuId" is not distinct from ${found.targetSuId}::uuid`)
      .orderBy('q.createTime', 'desc')
      .limit(10)
      .execute(),
    flowsOf(ctx, qId),
  ])
  return {
    ...shownRow(ctx, found),
    ...more,
    qProofs: files,
    nowResult,
    others,
    flows,
  }
}

/** The same for those whom the approval of the dispute asks. */
export async function disputeCase(ctx: Context, { qId }: { qId: string }) {
  const asked = await askedDisputes(ctx).select('q.qId').where('q.qId', '=', qId).executeTakeFirst()
  if (!asked && !ctx.actor.permits.has('question:list')) throw new Failure('not-found')
  const dispute = await disputeDetail(
    { ...ctx, scope: asked ? wholeSchool : ctx.actor.scopeFor('question:list') },
    { qId },
  )
  return { question: dispute, hints: hintsFor(dispute), task: await ownTask(ctx, qId) }
}

/** What a reviewer of a dispute should look at twice. */
function hintsFor({ qStatus, qProofs, qType, others, liStatus, lisStatus, overdue }: DisputeDetail) {
  const hints: { level: 'info' | 'warning'; text: string }[] = []
  if (qProofs.length === 0)
    hints.push({
      level: 'info',
      text: `没有上传证明材料，请结合${lisStatus ? '补录的证明材料' : '签到与结果记录'}核实`,
    })
  if (isOneOf(liStatus, lessonStatus.completed, lessonStatus.archived) || lisStatus === supplementStatus.credited)
    hints.push({ level: 'warning', text: '学分已入账，成立后将冲正并按更正后的结果重新入账' })
  if (qType === questionType.falseAttendance || qType === questionType.organiserBreach)
    hints.push({ level: 'info', text: '请注意保护质疑人：意见中不要写出或暗示其身份' })
  if (others.length > 0) hints.push({ level: 'info', text: `该对象另有 ${others.length} 条质疑` })
  if (overdue && qStatus !== questionStatus.inReview) hints.push({ level: 'warning', text: '已超过受理时限' })
  return hints
}

/** Gives out a proof to one who may see the dispute it belongs to. */
export async function proofFile(ctx: Context, { id }: Checked<typeof disputeApi.file>) {
  const scope = ctx.actor.permits.has('question:list') ? ctx.actor.scopeFor('question:list') : nothingVisible
  const holder = await visibleDisputes({ ...ctx, scope })
    .select('q.qId')
    .where(sql<boolean>`${id}::uuid = any(q."qProofs")`)
    .executeTakeFirst()
  if (!holder) throw new Failure('not-found')
  return viewPrivateFile(ctx, id)
}

const columns = [
  text('课程名称', 'liName', 32),
  text('补录名称', 'lisName', 32),
  text('学院', 'collegeName', 22),
  text('被质疑人', ({ targetName }: { targetName: string }) => targetName || '（整门课程）'),
  text('学号', 'targetNumber', 16),
  code('质疑类型', 'question_type', 'qType', 20),
  code('状态', 'question_status', 'qStatus'),
  code('处理结果', 'question_outcome', 'qOutcome', 14),
  text('学时变动', 'creditDelta'),
  count('诚信分变动', 'credibilityDelta'),
  moment('登记时间', 'createTime'),
  moment('认定时间', 'handleTime'),
]

/** The disputes of the list as a workbook: neither who asked nor in what words, which might tell. */
export function exportDisputes(ctx: Context, input: Checked<typeof disputeApi.export>) {
  const { reason: _, ...filters } = input
  const rows = inPages(
    (page: typeof filters & { current: number; pageSize: number }) => listDisputes(ctx, page),
    filters,
  )
  return exportList(ctx, { title: '质疑名单', columns, rows, filter: input })
}
