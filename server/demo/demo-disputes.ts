import { sql } from 'kysely'
import { labelOf } from '../../contract/core/dictionary.ts'
import { addDays, dayEnd } from '../core/clock.ts'
import { systemId } from '../core/system.ts'
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
  '1': '本人全程参加了活动并已签到，公示名单中没有学时，请核实。',
  '2': '公示的学时与活动通知不一致，请核对认定标准。',
  '3': '该同学当天没有到场，由他人代为签到，请核实。',
  '4': '活动没有按通知的时间与内容举行，签到由他人代办。',
  '5': '名单中的学院信息有误，请更正。',
}

/** Disputes in every state about courses in public notice and finished ones, with the approvals they wait in. */
export async function demoDisputes(
  { db, schoolId, random, now, size, start }: DemoSchool,
  accounts: DemoAccounts,
  { flows }: DemoConfiguration,
): Promise<void> {
  const { rows } =
    await sql<CallInput>`select l."liId", l."liName", l."liStatus", l."liCollegeId", l."liPublictySdate", l."liPublictyEdate", array(select r."suId"::text from "registration" r where r."schoolId" = l."schoolId" and r."liId" = l."liId" and r."delFlag" = '0' and r."laStatus" = '1' and r."laResult" in ('1', '3') and r."laHours" > 0 order by r."laId" limit 2) "people"
    from "lesson" l where l."schoolId" = ${schoolId} and l."liStatus" in ('60', '70', '80') and l."liPublictyEdate" is not null order by l."liStatus", l."createTime", l."liId"`.execute(
      db,
    )
  const { suiCollegeId: own } = await db
    .selectFrom('person')
    .select('suiCollegeId')
    .where('schoolId', '=', schoolId)
    .where('suId', '=', accounts.college)
    .executeTakeFirstOrThrow()
  const usable = rows.filter(({ people }) => people.length === 2)
  const [inNotice, finished] = [
    usable.filter(({ liStatus }) => liStatus === '60'),
    usable.filter(({ liStatus }) => liStatus !== '60').slice(0, Math.ceil(size.lessons / 8)),
  ]
  const calendar = universityCalendar()
  const disputes: Record<string, unknown>[] = []
  const approvals: Record<string, unknown>[] = []
  const tasks: Record<string, unknown>[] = []
  const ask = (lesson: CallInput, [qStatus, qType]: readonly [string, string], [createTime, later]: string[]) => {
    if (!createTime || !later) return
    const [target, other] = lesson.people as [string, string]
    const isOwn = qType === '1' || qType === '2'
    const isOver = qStatus === '2' || qStatus === '3'
    const qId = random.id()
    disputes.push({
      schoolId,
      qId,
      liId: lesson.liId,
      targetSuId: qType === '4' || qType === '5' ? null : target,
      reporterSuId: isOwn ? target : other,
      qType,
      qContent: words[qType],
      qStatus,
      source: random.one(['1', '1', '2']),
      deadline: dayEnd(addDays(createTime, qStatus === '5' ? -1 : 5)),
      ...(qStatus === '1' || isOver
        ? { acceptName: personas.college, acceptTime: later }
        : { acceptName: '', acceptTime: null }),
      ...(isOver
        ? {
            handleName: personas.reviewer,
            handleTime: later,
            opinion: qStatus === '3' ? '经核对签到记录，名单无误，维持原结果。' : '',
          }
        : { handleName: '', handleTime: null, opinion: qStatus === '4' ? '学生本人要求撤回' : '' }),
      ...(qStatus === '2'
        ? {
            qOutcome: '1',
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
    if (qStatus !== '1') return
    const insId = random.id()
    const step = {
      stepSort: 1,
      stepName: '校团委处理质疑',
      stepType: '1',
      wfsCheckerType: '2',
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
      summary: qType === '4' ? '针对整门课程' : '针对一名参与人员的结果',
      ...flows.school,
      wfVersion: 1,
      nodeName: 'PUBLICITY',
      insStatus: '0',
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
      taskStatus: '0',
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
  await sql`update "lesson" l set "liStatus" = '61' where l."schoolId" = ${schoolId} and l."liStatus" = '60' and exists (select from "question" q where q."schoolId" = l."schoolId" and q."liId" = l."liId" and q."qStatus" = '1')`.execute(
    db,
  )
}
