import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Call } from '../../../../contract/core/call.ts'
import { isOneOf } from '../../../../contract/core/codes/code-list.ts'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import {
  applyStatus,
  lessonStatus,
  questionOutcome,
  resultStatus,
  signStatus,
} from '../../../../contract/core/codes/programme.ts'
import { toHundredths } from '../../../../contract/core/fields.ts'
import { approvalApi } from '../../../../contract/programme/approvals/approvals.calls.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { disputeApi } from '../../../../contract/programme/disputes/disputes.calls.ts'
import { transcriptApi } from '../../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { addDays, addMinutes } from '../../../core/base/clock.ts'
import type { Client } from '../../../testing/client.ts'
import {
  after,
  codeOf,
  earned,
  freshCourse,
  places,
  type Action,
  type CourseModel,
} from '../../../testing/course-model.ts'
import { fuzz } from '../../../testing/fuzz.ts'
import { countersOf, lessonWorld, type LessonWorld } from '../../../testing/lessons.ts'
import { completeLessons } from '../credit/completion.service.ts'

const who = fc.nat(2)
/** A dispute about somebody and what is made of it, without anything in between. */
const anyDispute: fc.Arbitrary<Action[]> = fc
  .tuple(
    who,
    fc.constantFrom('1' as const, '2' as const),
    fc.constantFrom('leader' as const, 'admin' as const),
    fc.constantFrom('keep' as const, 'remove' as const, '1' as const, '2' as const, '3' as const),
  )
  .map(([one, about, by, way]) => [
    { do: 'ask', who: one, about, by },
    { do: 'accept', who: one },
    { do: 'judge', who: one, upholds: true },
    { do: 'settle', who: one, way },
  ])
/** Acts in any order, each as likely to be out of place as not. */
const anyAction: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom('submit', 'publish', 'resultAudit', 'publicty', 'begin', 'end', 'noticeOver', 'complete')
      .map((act): Action => ({ do: act })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('withdraw', 'unpublish', 'cancel', 'del', 'unpublicty')
      .map((act): Action => ({ do: act })),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      of: fc.constantFrom('publication' as const, 'result' as const),
      by: fc.constantFrom('leader' as const, 'admin' as const),
      passes: fc.constantFrom(true, true, true, false),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('add' as const, 'add' as const, 'remove' as const), who }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('sign' as const), who, there: fc.constantFrom(true, true, true, false) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      who,
      about: fc.constantFrom('1' as const, '2' as const),
      by: fc.constantFrom('leader' as const, 'admin' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('accept' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('judge' as const), who, upholds: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      who,
      way: fc.constantFrom(
        'keep' as const,
        'remove' as const,
        resultStatus.passed,
        resultStatus.failed,
        resultStatus.awarded,
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('rate' as const),
      who,
      result: fc.constantFrom(resultStatus.passed, resultStatus.passed, resultStatus.failed, resultStatus.awarded),
    }),
  },
)
/** The way of a course that goes well, so that the later actions are reached in every run. */
const well: Action[] = [
  { do: 'submit' },
  { do: 'decide', of: 'publication', by: 'leader', passes: true },
  { do: 'decide', of: 'publication', by: 'admin', passes: true },
  { do: 'publish' },
  { do: 'add', who: 0 },
  { do: 'add', who: 1 },
  { do: 'begin' },
  { do: 'sign', who: 0, there: true },
  { do: 'end' },
  { do: 'rate', who: 0, result: resultStatus.awarded },
  { do: 'resultAudit' },
  { do: 'decide', of: 'result', by: 'leader', passes: true },
  { do: 'publicty' },
  { do: 'noticeOver' },
  { do: 'complete' },
]
/**
 * That way with acts of any kind strewn in between, disputes while the result is in public notice and again once it is
 * credited.
 */
const anyLife = fc
  .tuple(
    fc.array(anyAction, { maxLength: 8 }),
    anyDispute,
    fc.array(anyDispute, { maxLength: 2 }),
    ...well.map(() => fc.array(anyAction, { maxLength: 2 })),
  )
  .map(([first, asked, late, ...between]) => [
    ...first,
    ...well.flatMap((act, at) => [...(act.do === 'noticeOver' ? asked : []), act, ...between[at]!]),
    ...late.flat(),
  ])

/** A justified dispute enters somebody who was left out although every place is taken. */
const overFull: Action[] = well.flatMap((act): Action[] =>
  act.do === 'noticeOver'
    ? [
        { do: 'ask', who: 2, about: '1', by: 'leader' },
        { do: 'accept', who: 2 },
        { do: 'judge', who: 2, upholds: true },
        { do: 'settle', who: 2, way: resultStatus.passed },
        act,
      ]
    : [act],
)

test(
  'whatever people do in whatever order: only what the rules allow happens, and the ledger is what the facts give',
  { timeout: 120_000 },
  async () => {
    const world = await lessonWorld(({ leader, school }) => [
      { node: 'PUBLISH', checkers: [leader.suId] },
      { node: 'PUBLISH', checkers: [school.adminId] },
      { node: 'RESULT', checkers: [leader.suId] },
    ])
    await fc.assert(
      fc.asyncProperty(anyLife, (acts) => live(world, acts)),
      { ...fuzz(12), examples: [[overFull]] },
    )
  },
)

/** Lives one course through some actions, each foretold by the model. */
async function live(world: LessonWorld, acts: readonly Action[]): Promise<void> {
  const course = await newCourse(world)
  let model = freshCourse()
  for (const act of acts) {
    const next = after(model, act)
    const answer = await course.take(act)
    expect({ act, done: answer }).toEqual({ act, done: next !== undefined })
    model = next ?? model
    expect(await course.state()).toEqual(shownOf(model))
  }
  await course.check(after(model, { do: 'complete' })!)
}

/** What can be seen of a course. */
const shownOf = (model: CourseModel) =>
  model.status === 'deleted'
    ? 'gone'
    : {
        liStatus: codeOf(model),
        people: [...model.people].toSorted(([a], [b]) => a - b).map(([at, { there, result }]) => [at, there, result]),
      }

async function newCourse(world: LessonWorld) {
  const { school, teacher, leader } = world
  const { schoolId, ctx } = school
  const students = await world.students(3)
  const { liId } = await teacher.client.send(lessonApi.save, world.form({ quota: places }))
  const clients = { leader: leader.client, admin: school.admin }
  /** Tasks that have been seen: somebody whose turn it is not tries with an old one. */
  const seen: Record<string, string> = {}

  /** The last dispute about each student. */
  const asked = new Map<number, string>()

  const laIds = async () => {
    const rows = await ctx.db
      .selectFrom('registration')
      .select(['laId', 'suId', 'laStatus', 'laSignStatus', 'laResult'])
      .where('schoolId', '=', schoolId)
      .where('liId', '=', liId)
      .where('delFlag', '=', yesNo.no)
      .execute()
    return students.map(({ suId }) => rows.find((row) => row.suId === suId))
  }
  const set = async (values: Record<string, string>) => {
    await ctx.db.updateTable('lesson').set(values).where('schoolId', '=', schoolId).where('liId', '=', liId).execute()
    return true
  }
  const ok = async <C extends Call>(client: Client, call: C, input: unknown) => {
    const { code, data } = await client.ask(call, input)
    expect([200, 300, 403, 404]).toContain(code)
    return code === 200 && (data as { affected?: number } | null)?.affected !== 0
  }
  /** An action on a participant; of somebody who never was one there is nothing to act on. */
  const onOne = async (at: number, call: Call, input: (laId: string) => object) => {
    const row = (await laIds())[at]
    return row ? ok(teacher.client, call, input(row.laId)) : false
  }
  const decide = async ({ of, by, passes }: Extract<Action, { do: 'decide' }>) => {
    const [queue, pass, refuse] =
      of === 'publication'
        ? ([approvalApi.publishQueue, approvalApi.publishPass, approvalApi.publishRefuse] as const)
        : ([approvalApi.resultQueue, approvalApi.resultPass, approvalApi.resultRefuse] as const)
    const task = (await clients[by].send(queue, { pageSize: 200 })).records.find(({ bizId }) => bizId === liId)?.taskId
    const key = `${of} ${by}`
    if (task) seen[key] = task
    return seen[key]
      ? ok(clients[by], passes ? pass : refuse, {
          taskIds: [seen[key]],
          ...(passes ? {} : { opinion: '材料不够完整' }),
        })
      : false
  }
  const ask = async ({ who: at, about, by }: Extract<Action, { do: 'ask' }>) => {
    const { code, data } = await clients[by].ask(disputeApi.add, {
      liId,
      qType: about,
      reporterSuId: students[at]!.suId,
      qContent: '结果与实际情况不符',
    })
    if (code === 200) asked.set(at, data.qId)
    return code === 200
  }
  const onDispute = async (at: number, call: Call, input: (qId: string) => object) =>
    asked.has(at) ? ok(leader.client, call, input(asked.get(at)!)) : false
  const outcomeOf = (way: Extract<Action, { do: 'settle' }>['way']) =>
    way === 'keep'
      ? { qOutcome: questionOutcome.keep }
      : way === 'remove'
        ? { qOutcome: questionOutcome.remove }
        : {
            qOutcome: questionOutcome.correct,
            laResult: way,
            ...(way === resultStatus.awarded ? { adId: world.awards.first } : {}),
          }
  const today = () => ctx.clock.now()
  const take = async (act: Action): Promise<boolean> => {
    const lesson = await ctx.db
      .selectFrom('lesson')
      .select(['liStatus', 'startTime', 'endTime'])
      .where('schoolId', '=', schoolId)
      .where('liId', '=', liId)
      .where('delFlag', '=', yesNo.no)
      .executeTakeFirst()
    const [isOpen, begun, over] = [
      lesson?.liStatus === lessonStatus.published,
      lesson !== undefined && lesson.startTime <= today(),
      lesson !== undefined && lesson.endTime <= today(),
    ]
    switch (act.do) {
      case 'decide':
        return decide(act)
      case 'add':
        return ok(teacher.client, registrationApi.add, { liId, suIds: [students[act.who]!.suId] })
      case 'remove':
        return onOne(act.who, registrationApi.remove, (laId) => ({ laId: [laId] }))
      case 'sign':
        return onOne(act.who, registrationApi.sign, (laId) => ({
          laIds: [laId],
          laSignStatus: act.there ? signStatus.signedIn : signStatus.notSigned,
        }))
      case 'rate':
        return onOne(act.who, registrationApi.setAward, (laId) => ({
          laIds: [laId],
          laResult: act.result,
          ...(act.result === resultStatus.awarded ? { adId: world.awards.first } : {}),
        }))
      case 'begin':
        return isOpen && !begun ? set({ startTime: addMinutes(today(), -10), endTime: addMinutes(today(), 110) }) : true
      case 'end':
        return isOpen && begun && !over
          ? set({ startTime: addMinutes(today(), -180), endTime: addMinutes(today(), -60) })
          : true
      case 'ask':
        return ask(act)
      case 'accept':
        return onDispute(act.who, disputeApi.accept, (qId) => ({ qIds: [qId] }))
      case 'judge':
        return onDispute(act.who, disputeApi.decide, (qId) => ({
          qId,
          verdict: act.upholds ? 'pass' : 'refuse',
          opinion: '经核实有记录可查',
        }))
      case 'settle':
        return onDispute(act.who, disputeApi.setQAward, (qId) => ({
          qId,
          opinion: '经核实予以处理',
          ...outcomeOf(act.way),
        }))
      case 'noticeOver':
        return lesson?.liStatus === lessonStatus.inNotice || lesson?.liStatus === lessonStatus.questioned
          ? set({ liPublictySdate: addDays(today(), -5), liPublictyEdate: addDays(today(), -1) })
          : true
      case 'complete':
        return (await completeLessons(school.services, schoolId), true)
      case 'del':
        return ok(teacher.client, lessonApi.del, { liId: [liId] })
      case 'publicty':
        return ok(leader.client, lessonApi.publicty, {
          liId,
          liPublictySdate: today(),
          liPublictyEdate: addDays(today(), 3),
        })
      case 'unpublicty':
        return ok(leader.client, lessonApi.unpublicty, { liId, reason: '名单有误' })
      case 'unpublish':
      case 'cancel':
        return ok(teacher.client, lessonApi[act.do], { liId, reason: '安排有变动' })
      default:
        return ok(teacher.client, lessonApi[act.do], { liId })
    }
  }
  const state = async () => {
    const { code, data } = await teacher.client.ask(lessonApi.details, { liId })
    if (code === 404) return 'gone'
    const rows = await laIds()
    return {
      liStatus: data.liStatus,
      people: rows.flatMap((row, at) =>
        row?.laStatus === applyStatus.accepted
          ? [[at, isOneOf(row.laSignStatus, signStatus.signedIn, signStatus.madeUp), row.laResult]]
          : [],
      ),
    }
  }
  /** The ledger is what the facts give, once; the transcript is the ledger; the counters are the rows. */
  const check = async (model: CourseModel) => {
    await completeLessons(school.services, schoolId)
    const ledger = await ctx.db
      .selectFrom('creditLedger')
      .select(['suId', 'clType', 'clValue'])
      .where('schoolId', '=', schoolId)
      .where('bizId', '=', liId)
      .execute()
    for (const [at, { suId }] of students.entries()) {
      const sum = (type: string) =>
        ledger.filter((row) => row.suId === suId && row.clType === type).reduce((all, { clValue }) => all + clValue, 0)
      expect({ hours: sum('1'), credit: sum('2') }).toEqual(earned(model, at))
      const { records } = await school.admin.send(transcriptApi.rows, { suId })
      expect(records.reduce((all, { hours }) => all + toHundredths(hours)!, 0)).toBe(sum('1'))
    }
    if (model.status === 'deleted') return
    const { stored, counted } = await countersOf(school, liId)
    expect(stored).toEqual(counted)
  }
  return { take, state, check }
}
