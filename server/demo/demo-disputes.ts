import { sql } from 'kysely'
import {
  applyStatus,
  approvalStatus,
  lessonStatus,
  questionOutcome,
  questionStatus,
  questionType,
  resultStatus,
  taskStatus,
} from '../../contract/core/codes/programme.ts'
import { flowCheckerType, flowStepType } from '../../contract/core/codes/rules.ts'
import { labelOf } from '../../contract/core/dictionary.ts'
import { addDays, dayEnd } from '../core/base/clock.ts'
import { systemId } from '../core/request/system.ts'
import { bulkInsert } from './bulk.ts'
import { personas, type DemoAccounts } from './demo-accounts.ts'
import { officeMoments, universityCalendar } from './demo-calendar.ts'
import type { DemoConfiguration } from './demo-configuration.ts'
import type { DemoSchool } from './demo-school.ts'

interface CallInput {
  liId: string
  liName: string
  liStatus: string
  liCollegeId: string | null
  liPublictySdate: string
  liPublictyEdate: string
  people: string[]
}

/** How far the disputes about courses in notice, and about finished ones, are: state, and what came of it. */
const running = [
  ['0', '2'],
  ['1', '3'],
  ['0', '1'],
  ['3', '2'],
  ['1', '2'],
  ['5', '3'],
  ['1', '4'],
] as const
const over = [
  ['2', '2'],
  ['3', '3'],
  ['5', '2'],
  ['4', '5'],
  ['2', '3'],
] as const
const words: Record<string, string> = {
  [questionType.missing]: '本人全程参加了活动并已签到，公示名单中没有学时，请核实。',
  [questionType.wrong]: '公示的学时与活动通知不一致，请核对认定标准。',
  [questionType.falseAttendance]: '该同学当天没有到场，由他人代为签到，请核实。',
  [questionType.organiserBreach]: '活动没有按通知的时间与内容举行，签到由他人代办。',
  [questionType.other]: '名单中的学院信息有误，请更正。',
}

/** Disputes in every state about courses in public notice and finished ones, with the approvals they wait in. */
export async function demoDisputes(
  { db, schoolId, random, now, size, start }: DemoSchool,
  accounts: DemoAccounts,
  { flows }: DemoConfiguration,
): Promise<void> {
  const { rows } = await sql<CallInput>`
      select l."liId", l."liName", l."liStatus", l."liCollegeId", l."liPublictySdate", l."liPublictyEdate",
        array(
          select r."suId"::text
          from "registration" r
          where r."schoolId" = l."schoolId"
            and r."liId" = l."liId"
            and r."delFlag" = '0'
            and r."laStatus" = ${sql.lit(applyStatus.accepted)}
            and r."laResult" in (${sql.lit(resultStatus.passed)}, ${sql.lit(resultStatus.awarded)})
            and r."laHours" > 0
          order by r."laId"
          limit 2
        ) "people"
      from "lesson" l
      where l."schoolId" = ${schoolId}
        and l."liStatus" in (
          ${sql.lit(lessonStatus.inNotice)}, ${sql.lit(lessonStatus.completed)}, ${sql.lit(lessonStatus.archived)}
        )
        and l."liPublictyEdate" is not null
      order by l."liStatus", l."createTime", l."liId"`.execute(db)
  const { suiCollegeId: own } = await db
    .selectFrom('person')
    .select('suiCollegeId')
    .where('schoolId', '=', schoolId)
    .where('suId', '=', accounts.college)
    .executeTakeFirstOrThrow()
  const usable = rows.filter(({ people }) => people.length === 2)
  const [inNotice, finished] = [
    usable.filter(({ liStatus }) => liStatus === lessonStatus.inNotice),
    usable.filter(({ liStatus }) => liStatus !== lessonStatus.inNotice).slice(0, Math.ceil(size.lessons / 8)),
  ]
  const calendar = universityCalendar()
  const disputes: Record<string, unknown>[] = []
  const approvals: Record<string, unknown>[] = []
  const tasks: Record<string, unknown>[] = []
  const ask = (lesson: CallInput, [qStatus, qType]: readonly [string, string], [createTime, later]: string[]) => {
    if (!createTime || !later) return
    const [target, other] = lesson.people as [string, string]
    const isOwn = qType === questionType.missing || qType === questionType.wrong
    const isOver = qStatus === questionStatus.upheld || qStatus === questionStatus.rejected
    const qId = random.id()
    disputes.push({
      schoolId,
      qId,
      liId: lesson.liId,
      targetSuId: qType === questionType.organiserBreach || qType === questionType.other ? null : target,
      reporterSuId: isOwn ? target : other,
      qType,
      qContent: words[qType],
      qStatus,
      source: random.one(['1', '1', '2']),
      deadline: dayEnd(addDays(createTime, qStatus === questionStatus.overdue ? -1 : 5)),
      ...(qStatus === questionStatus.inReview || isOver
        ? { acceptName: personas.college, acceptTime: later }
        : { acceptName: '', acceptTime: null }),
      ...(isOver
        ? {
            handleName: personas.reviewer,
            handleTime: later,
            opinion: qStatus === questionStatus.rejected ? '经核对签到记录，名单无误，维持原结果。' : '',
          }
        : {
            handleName: '',
            handleTime: null,
            opinion: qStatus === questionStatus.withdrawn ? '学生本人要求撤回' : '',
          }),
      ...(qStatus === questionStatus.upheld
        ? {
            qOutcome: questionOutcome.keep,
            outcomeOpinion: '已向组织方核实，补充了签到佐证，维持原结果。',
            outcomeName: personas.college,
            outcomeTime: later,
          }
        : { qOutcome: null, outcomeOpinion: '', outcomeName: '', outcomeTime: null }),
      ...(lesson.liCollegeId === own
        ? { createBy: accounts.college, createName: personas.college }
        : { createBy: start.adminId, createName: personas.admin }),
      createTime,
      updateTime: later,
    })
    if (qStatus !== questionStatus.inReview) return
    const insId = random.id()
    const step = {
      stepSort: 1,
      stepName: '校团委处理质疑',
      stepType: flowStepType.anyOne,
      wfsCheckerType: flowCheckerType.role,
      checkers: [start.roles['SCHOOL_AUDIT']!],
      noApproverPolicy: 'admin',
      timeoutHours: 72,
      people: [{ suId: accounts.reviewer, suiName: personas.reviewer }],
    }
    approvals.push({
      schoolId,
      insId,
      bizType: 'question',
      bizId: qId,
      bizName: `${lesson.liName} · ${labelOf('question_type', qType)}`,
      summary: qType === questionType.organiserBreach ? '针对整门课程' : '针对一名参与人员的结果',
      ...flows.school,
      wfVersion: 1,
      nodeName: 'PUBLICITY',
      insStatus: approvalStatus.running,
      stepSort: 1,
      steps: [step],
      changes: [],
      facts: { initiatorId: systemId, barred: [target, other] },
      startBy: accounts.college,
      startName: personas.college,
      scopeCollegeId: lesson.liCollegeId,
      startTime: later,
      endTime: null,
      version: 0,
    })
    tasks.push({
      schoolId,
      taskId: random.id(),
      insId,
      bizType: 'question',
      stepSort: 1,
      stepName: step.stepName,
      checkerId: accounts.reviewer,
      checkerName: personas.reviewer,
      taskStatus: taskStatus.pending,
      arriveTime: later,
      dueTime: addDays(later, 3),
      handleTime: null,
      opinion: '',
    })
  }
  for (const [at, lesson] of inNotice.entries())
    if (at % 3 !== 2 || inNotice.length < 10)
      ask(
        lesson,
        running[at % running.length]!,
        officeMoments(calendar, random.whole, 2, lesson.liPublictySdate, now, 'before'),
      )
  for (const [at, lesson] of finished.entries())
    ask(
      lesson,
      over[at % over.length]!,
      officeMoments(calendar, random.whole, 2, lesson.liPublictySdate, lesson.liPublictyEdate, 'after'),
    )
  await bulkInsert(db, 'question', disputes)
  await bulkInsert(db, 'approval', approvals)
  await bulkInsert(db, 'approvalTask', tasks)
  await sql`
    update "lesson" l
    set "liStatus" = ${sql.lit(lessonStatus.questioned)}
    where l."schoolId" = ${schoolId}
      and l."liStatus" = ${sql.lit(lessonStatus.inNotice)}
      and exists (
        select
        from "question" q
        where q."schoolId" = l."schoolId"
          and q."liId" = l."liId"
          and q."qStatus" = ${sql.lit(questionStatus.inReview)}
      )`.execute(db)
}
