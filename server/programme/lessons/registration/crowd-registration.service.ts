import { sql } from 'kysely'
import { partakeMode } from '../../../../contract/core/codes/programme.ts'
import { Failure, invalidInput } from '../../../../contract/core/failure.ts'
import { answersTo, questionsOf, type ApplyAnswer } from '../../../../contract/programme/lessons/apply-questions.ts'
import { auditEach } from '../../../core/audit/audit.ts'
import { recordset } from '../../../core/database/bulk.ts'
import type { Context } from '../../../core/request/context.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { admissionFault, candidatesFor } from '../model/admission.ts'
import { lessonFor } from '../model/lessons.queries.ts'
import { noSeat, seatsOf } from '../model/seats.queries.ts'
import { withCourseQueue } from './registration.service.ts'
import { enrol, type Enrolled, type Entry } from './registration-write.ts'
import { selfRegistrationFault } from './self-registration.ts'

/** Students who register themselves in one transaction at most: they wait for the slowest of them. */
const maxTogether = 50

/** A student who registers themselves, with what they answered. */
interface Comer {
  ctx: Context
  given: readonly ApplyAnswer[]
}
/** What became of them: registered, or why not. */
type Outcome = { enrolled: Enrolled } | { refusal: Failure }

/** Those who wait for a course in this process and will be registered together, by school and course. */
const waiting = new Map<string, { comers: Comer[]; outcomes: Promise<Outcome[]> }>()

/**
 * A student registers themselves (the actor), in the time of registration: range, blacklist, other courses at the same
 * time, repetition and places are heeded as where staff enter them, and what the course asks has to be answered. Those
 * who come while the course is held by others are registered together when it is theirs, in the order in which they
 * came: a crowd costs the course one transaction for many, and a single student what it always did.
 */
export async function registerSelf(ctx: Context, liId: string, given: readonly ApplyAnswer[] = []): Promise<Enrolled> {
  const key = `${ctx.actor.schoolId}:${liId}`
  const comer = { ctx, given }
  let group = waiting.get(key)
  // whoever presses twice comes after themselves, and learns that they are registered
  const isOpen = group && group.comers.length < maxTogether && !group.comers.some((one) => isSame(one.ctx, ctx))
  if (!group || !isOpen) {
    const comers: Comer[] = []
    group = { comers, outcomes: registerTogether(key, liId, comers, ctx) }
    waiting.set(key, group)
  }
  // whoever only waits for the course takes nobody's turn
  ctx.giveWay?.()
  const at = group.comers.push(comer) - 1
  const outcome = (await group.outcomes)[at]!
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.enrolled
}

const isSame = (one: Context, other: Context): boolean => one.actor.suId === other.actor.suId

async function registerTogether(key: string, liId: string, comers: Comer[], ctx: Context): Promise<Outcome[]> {
  try {
    return await withCourseQueue(ctx, liId, (tx) => {
      // from here on nobody joins them
      if (waiting.get(key)?.comers === comers) waiting.delete(key)
      return registerAll(tx, liId, comers)
    })
  } catch (error) {
    if (waiting.get(key)?.comers === comers) waiting.delete(key)
    // what the course itself refuses holds for everybody; anything else must not befall all because of one
    if (error instanceof Failure || comers.length === 1) throw error
    const outcomes: Outcome[] = []
    for (const comer of comers)
      outcomes.push(
        await withCourseQueue(comer.ctx, liId, async (tx) => (await registerAll(tx, liId, [comer]))[0]!).catch(
          (refusal: unknown) => ({ refusal: refusal as Failure }),
        ),
      )
    return outcomes
  }
}

/** Registers those for whom nothing is in the way, in their order. The transaction is of the first of them. */
async function registerAll(tx: Context, liId: string, comers: readonly Comer[]): Promise<Outcome[]> {
  const lesson = await lessonFor(tx, 'register', liId)
  const now = tx.clock.now()
  const closed = selfRegistrationFault(lesson, now)
  if (closed) throw closed
  const suIds = comers.map(({ ctx }) => ctx.actor.suId)
  const candidates = new Map((await candidatesFor(tx, lesson, { suIds })).map((one) => [one.suId, one]))
  const rules = await schoolSettings(tx, tx.actor.schoolId)
  const questions = questionsOf(lesson.applyQuestions)
  const entries: Entry[] = []
  const answers = new Map<string, readonly ApplyAnswer[]>()
  const refusals = new Map<string, Failure>()
  for (const { ctx, given } of comers) {
    const { suId } = ctx.actor
    const candidate = candidates.get(suId)
    const fault = candidate ? admissionFault(candidate, lesson, now, rules) : new Failure('not-found')
    const said = answersTo(questions, given)
    if (fault) refusals.set(suId, fault)
    else if ('missing' in said)
      refusals.set(
        suId,
        invalidInput(said.missing.map((question) => ({ field: 'answers', msg: `请回答“${question}”` }))),
      )
    else {
      entries.push({ candidate: candidate!, partakeMode: partakeMode.participant, remark: '', decidedBy: suId })
      if (said.answers.length > 0) answers.set(suId, said.answers)
    }
  }
  // they see it on their own screen
  const enrolled = new Map((await enrol(tx, lesson, entries, 'self', { told: null })).map((one) => [one.suId, one]))
  const left = entries.filter(({ candidate }) => !enrolled.has(candidate.suId))
  if (left.length > 0) {
    const seats = await seatsOf(tx, { ...lesson, passCount: lesson.passCount + enrolled.size })
    for (const { candidate } of left) refusals.set(candidate.suId, noSeat(lesson, seats, candidate.suiCollegeId))
  }
  await keepAnswers(
    tx,
    [...answers].flatMap(([suId, applyAnswers]) => {
      const laId = enrolled.get(suId)?.laId
      return laId === undefined ? [] : [{ laId, applyAnswers }]
    }),
  )
  await auditEach(
    tx.db,
    comers.flatMap(({ ctx }) => {
      const { suiName, suiNumber } = candidates.get(ctx.actor.suId) ?? {}
      if (!enrolled.has(ctx.actor.suId)) return []
      const entry = { action: '报名', bizType: 'lesson' as const, bizId: liId, bizName: lesson.liName }
      return [{ ctx, entry: { ...entry, after: { people: [`${suiName} ${suiNumber}`] } } }]
    }),
  )
  return suIds.map((suId) => {
    const done = enrolled.get(suId)
    return done ? { enrolled: done } : { refusal: refusals.get(suId)! }
  })
}

async function keepAnswers(
  { db, actor }: Context,
  rows: readonly { laId: string; applyAnswers: readonly ApplyAnswer[] }[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update "registration" t
    set "applyAnswers" = r."applyAnswers"
    from ${recordset(rows, { laId: 'uuid', applyAnswers: 'jsonb' })}
    where t."schoolId" = ${actor.schoolId} and t."laId" = r."laId"`.execute(db)
}
