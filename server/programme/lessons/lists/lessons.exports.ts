import { sql } from 'kysely'
import type { Checked } from '../../../../contract/core/call.ts'
import { labelOf } from '../../../../contract/core/dictionary.ts'
import { answersText, type ApplyAnswer } from '../../../../contract/programme/lessons/apply-questions.ts'
import type { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import type { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import type { teamApi, TeamRow } from '../../../../contract/programme/lessons/teams.calls.ts'
import type { Work } from '../../../../contract/programme/lessons/works.ts'
import type { Context } from '../../../core/request/context.ts'
import { amount, code, count, moment, text, texts } from '../../../core/export/columns.ts'
import { exportList, inBatches, inPages } from '../../../core/export/exports.ts'
import { phaseOf } from '../model/lesson-life.ts'
import { exportedColumns, exportedFields } from './exported-fields.ts'
import { lessonRows, matchingLessons } from './lesson-list.queries.ts'
import { lessonFor } from '../model/lessons.queries.ts'
import { participantRows, participantsOf } from './registration.queries.ts'
import { listTeams } from './teams.queries.ts'

const batch = 500

const participantColumns = [
  text('学号', 'suiNumber'),
  text('姓名', 'suiName'),
  text('学院', 'collegeName', 22),
  text('班级', 'className', 20),
  text('年级', 'suiGrade'),
  text('队伍', 'teamName', 18),
  code('队内身份', 'team_role', 'teamRole'),
  code('参与方式', 'partake_mode', 'partakeMode'),
  code('报名状态', 'apply_status', 'laStatus'),
  moment('报名时间', 'applyTime'),
  code('签到状态', 'sign_status', 'laSignStatus'),
  moment('签到时间', 'signInTime'),
  moment('签退时间', 'signOutTime'),
  code('结果', 'result_status', 'laResult'),
  text('奖项', 'awardName'),
  amount('学时', 'laHours'),
  amount('学分', 'laCredit'),
  amount('积分', 'laPoints'),
  text('报名回答', ({ applyAnswers }: { applyAnswers: unknown }) => answersText(applyAnswers as ApplyAnswer[]), 32),
  text('成果说明', ({ work }: { work: Work | null }) => work?.text ?? '', 32),
  count('成果文件数', ({ work }: { work: Work | null }) => work?.files.length ?? null),
  text('备注', 'remark', 24),
]

/** The participants that the list would show, as a workbook. */
export async function exportParticipants(ctx: Context, filters: Checked<typeof registrationApi.export>) {
  const lesson = await lessonFor(ctx, 'export', filters.liId, { lock: false })
  const rows = inBatches(async (last: { laId: string } | undefined) => {
    let keys = participantsOf(ctx, filters).select('laId')
    if (last) keys = keys.where('laId', '>', last.laId)
    const laIds = (await keys.orderBy('laId').limit(batch).execute()).map(({ laId }) => laId)
    return participantRows(ctx, laIds)
  })
  return exportList(ctx, {
    title: `参与人员_${lesson.liName.slice(0, 40)}`,
    what: '参与人员',
    columns: participantColumns,
    rows,
    filter: filters,
  })
}

const teamColumns = [
  text('队名', 'teamName', 20),
  code('队伍状态', 'team_status', 'teamStatus'),
  code('报名状态', 'apply_status', 'laStatus'),
  count('候补位次', 'waitNo'),
  text('队长', 'captainName'),
  count('人数', 'memberCount'),
  texts('队员', ({ members }: TeamRow) => members.map(({ suiName, suiNumber }) => `${suiName}（${suiNumber}）`), 48),
  texts('尚缺', ({ blocks }: TeamRow) => blocks, 32),
  text('上次未通过原因', 'refuseReason', 24),
  moment('确认时间', 'confirmTime'),
  moment('建队时间', 'createTime'),
]

/** The teams that the list would show, as a workbook; the code by which others join is not in it. */
export async function exportTeams(ctx: Context, filters: Checked<typeof teamApi.exportList>) {
  const lesson = await lessonFor(ctx, 'export', filters.liId, { lock: false })
  return exportList<TeamRow>(ctx, {
    title: `队伍_${lesson.liName.slice(0, 40)}`,
    what: '队伍',
    columns: teamColumns,
    rows: inPages((page) => listTeams(ctx, page), filters),
    filter: filters,
  })
}

const lessonColumns = [
  text('课程编号', 'liNo'),
  text('课程名称', 'liName', 32),
  text('课程体系', 'lsName', 24),
  text('级别', 'liLevelName'),
  code('类型', 'lesson_kind', 'liKind'),
  text('状态', 'status'),
  text('主办单位', 'liSponsorName', 22),
  text('负责人', 'liPrincipalName'),
  moment('开始时间', 'startTime'),
  moment('结束时间', 'endTime'),
  ...exportedColumns,
  count('报名人数', 'applyCount'),
  count('录取人数', 'passCount'),
  count('签到人数', 'signCount'),
  amount('学时', 'liHours'),
  amount('学分', 'liCredit'),
  text('创建人', 'createName'),
  moment('创建时间', 'createTime'),
]

/** The courses that the list would show, as a workbook. */
export function exportLessons(ctx: Context, filters: Checked<typeof lessonApi.export>) {
  const now = ctx.clock.now()
  const rows = inBatches(async (last: { liId: string } | undefined) => {
    let keys = matchingLessons(ctx, filters).select('lesson.liId')
    if (last) keys = keys.where('lesson.liId', '>', last.liId)
    const page = keys.orderBy('lesson.liId').limit(batch)
    const found = await lessonRows(ctx)
      .select(exportedFields)
      .where(sql<boolean>`"lesson"."liId" in (${page})`)
      .orderBy('lesson.liId')
      .execute()
    return found.map((row) => {
      const phase = phaseOf(row, now)
      return { ...row, status: phase ? labelOf('lesson_phase', phase) : labelOf('lesson_status', row.liStatus) }
    })
  })
  return exportList(ctx, { title: '课程一览', columns: lessonColumns, rows, filter: filters })
}
