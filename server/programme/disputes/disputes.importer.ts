import { yesNo } from '../../../contract/core/codes/platform.ts'
import { questionStatus, questionType } from '../../../contract/core/codes/programme.ts'
import { dictionary } from '../../../contract/core/dictionary.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { SheetRow } from '../../../contract/core/sheets.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import { disputeSheet } from '../../../contract/programme/disputes/disputes.sheets.ts'
import { from } from '../../core/database/tenant.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit } from '../../core/audit/audit.ts'
import { importer, type CommitRow } from '../../platform/imports/importer.ts'
import { lessonAwardNames, lockLesson, recordsIn, type DisputedRecord } from '../lessons/result/disputed.service.ts'
import { isAboutReporter, recordFault, windowFault } from './dispute-rules.ts'
import { lateRule, storeDisputes } from './disputes.service.ts'
import { lessonAsDisputed } from './dispute-subject.service.ts'

type Row = SheetRow<typeof disputeSheet>
type Found = { reporter: DisputedRecord; target: DisputedRecord | undefined; qType: string } | undefined
type Line = CommitRow<typeof disputeSheet, Found>

/** The dispute as the import left it. */
interface Undo {
  qId: string
  version: number
}

const typeOf = (label: string): string =>
  dictionary.question_type.find(([, word]) => word === label)?.[0] ?? questionType.other
const targetNumberOf = (row: Row): string =>
  row.targetNumber || (isAboutReporter(typeOf(row.qType)) ? row.suiNumber : '')
/** What a row is about, as the sheet tells it. */
const subjectOf = (row: Row): string =>
  targetNumberOf(row) ? `target/${targetNumberOf(row)}` : `course/${row.suiNumber}`
/** What only one open dispute may be about: a person's record, or the course for one who asks. */
const keyOf = (targetSuId: string | null | undefined, reporterSuId: string): string =>
  targetSuId ? `target/${targetSuId}` : `course/${reporterSuId}`

/** Disputes about one course by sheet (docs/rules.md R18); the same rules as entering them one by one. */
export const disputeImporter = importer({
  sheet: disputeSheet,
  permit: disputeApi.add.permit,
  unique: [['suiNumber', 'qType', 'targetNumber']],
  needs: ['liId'],

  async load(ctx, { liId }, rows: readonly Row[]) {
    const lesson = await lockLesson(ctx, liId!)
    const fault = windowFault(lessonAsDisputed(ctx, lesson).notice, await lateRule(ctx))
    if (fault) throw fault
    const [people, awards, open] = await Promise.all([
      recordsIn(ctx, lesson.liId, { suiNumbers: rows.flatMap((row) => [row.suiNumber, targetNumberOf(row)]) }),
      lessonAwardNames(ctx, lesson),
      from(ctx, 'question')
        .select(['targetSuId', 'reporterSuId'])
        .where('liId', '=', lesson.liId)
        .where((or) =>
          or.or([
            or('qStatus', 'in', [questionStatus.pending, questionStatus.inReview, questionStatus.overdue]),
            or.and([or('qStatus', '=', questionStatus.upheld), or('qOutcome', 'is', null)]),
          ]),
        )
        .execute(),
    ])
    const subjects = rows.map(subjectOf)
    return {
      twice: new Set(subjects.filter((subject, at) => subjects.indexOf(subject) !== at)),
      byNumber: new Map(people.map((one) => [one.suiNumber, one])),
      awards,
      open: new Set(open.map(({ targetSuId, reporterSuId }) => keyOf(targetSuId, reporterSuId))),
    }
  },

  check(row, { byNumber, awards, open, twice }) {
    const reporter = byNumber.get(row.suiNumber)
    if (!reporter) return { faults: [{ key: 'suiNumber', msg: `学号 ${row.suiNumber} 不存在` }] }
    const number = targetNumberOf(row)
    const target = number ? byNumber.get(number) : undefined
    if (number && !target) return { faults: [{ key: 'targetNumber', msg: `学号 ${number} 不存在` }] }
    const qType = typeOf(row.qType)
    const faults: { key: keyof Row; msg: string }[] = []
    if ([...row.qContent].length < 5) faults.push({ key: 'qContent', msg: '内容不能少于 5 个字' })
    if (row.qAward && !isAboutReporter(qType)) faults.push({ key: 'qAward', msg: '仅漏记、记错可填申请奖项' })
    if (twice.has(subjectOf(row))) faults.push({ key: 'targetNumber', msg: '文件中另有一行针对同一对象，请合并为一行' })
    if (row.qAward && isAboutReporter(qType) && !awards.includes(row.qAward))
      faults.push({
        key: 'qAward',
        msg: new Failure('question-award-unknown', { award: row.qAward, awards: awards.join('、') || '无' }).msg,
      })
    const fault = recordFault(qType, target, { what: '课程' })
    const conflicts = fault
      ? [{ key: 'qType' as const, msg: fault.msg }]
      : open.has(keyOf(target?.suId, reporter.suId))
        ? [
            {
              key: 'suiNumber' as const,
              msg: new Failure('question-open', { name: target?.suiName ?? '该学生对本课程' }).msg,
            },
          ]
        : []
    return { faults, conflicts, found: { reporter, target, qType } }
  },

  async commit(ctx, { liId }, rows: readonly Line[], ibId): Promise<Undo[]> {
    const lesson = await lockLesson(ctx, liId!)
    const entries = rows.map(({ row, found }) => ({
      reporterSuId: found!.reporter.suId,
      target: found!.target,
      qType: found!.qType,
      qContent: row.qContent,
      qAward: row.qAward,
      qProofs: [],
    }))
    const stored = new Map(
      (await storeDisputes(ctx, lesson, entries, { source: '2', importBatchId: ibId })).map((one) => [
        keyOf(one.targetSuId, one.reporterSuId),
        one,
      ]),
    )
    await audit(ctx, {
      action: '导入质疑',
      bizType: 'lesson',
      bizId: lesson.liId,
      bizName: lesson.liName,
      after: { count: rows.length },
    })
    return entries.map(({ target, reporterSuId }) => {
      const one = stored.get(keyOf(target?.suId, reporterSuId))
      if (!one) throw new Failure('question-open', { name: target?.suiName ?? '该学生对本课程' })
      return { qId: one.qId, version: one.version }
    })
  },

  async undo(ctx, { liId }, rows: readonly Undo[]) {
    const lesson = await lockLesson(ctx, liId!)
    const qIds = rows.map(({ qId }) => qId)
    const current = await from(ctx, 'question')
      .select(['qId', 'version', 'qStatus'])
      .where(anyOf('qId', qIds))
      .forUpdate()
      .execute()
    const versions = new Map(rows.map(({ qId, version }) => [qId, version]))
    if (
      current.length < rows.length ||
      current.some(({ qId, version, qStatus }) => qStatus !== questionStatus.pending || versions.get(qId) !== version)
    )
      throw new Failure('import-undo-late', { what: '部分质疑已受理或撤回' })
    await ctx.db
      .updateTable('question')
      .set({ delFlag: yesNo.yes, updateTime: ctx.clock.now() })
      .where('schoolId', '=', ctx.actor.schoolId)
      .where(anyOf('qId', qIds))
      .execute()
    await audit(ctx, {
      action: '撤销导入质疑',
      bizType: 'lesson',
      bizId: lesson.liId,
      bizName: lesson.liName,
      after: { count: rows.length },
    })
  },
})
