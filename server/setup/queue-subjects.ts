import { sql } from 'kysely'
import type { Permit } from '../../contract/core/call.ts'
import type { Context } from '../core/request/context.ts'
import type { QueueSubjects } from '../programme/approvals/approvals.routes.ts'
import type { BizType } from '../programme/approvals/approvals.service.ts'
import { subjectsOfDisputes, visibleDisputes } from '../programme/disputes/disputes.queries.ts'
import { visibleLessons } from '../programme/lessons/model/lessons.queries.ts'
import { supplementPeople } from '../programme/supplements/supplement-lookups.queries.ts'
import { visibleSupplements } from '../programme/supplements/supplements.queries.ts'

type Subjects = { permit: Permit; ids: (ctx: Context) => ReturnType<typeof sql> }

const lessons: Subjects = {
  permit: 'lesson:list',
  ids: (ctx) => sql`(${visibleLessons(ctx).select('lesson.liId')})`,
}
const kinds: Record<BizType, Subjects> = {
  publish: lessons,
  result: lessons,
  supplement: {
    permit: 'sup:list',
    ids: (ctx) => sql`(${visibleSupplements(ctx).select('supplement.lisId')})`,
  },
  question: { permit: 'question:list', ids: (ctx) => sql`(${visibleDisputes(ctx).select('q.qId')})` },
}

/** What the tasks of a reviewer are about, for the rows of the queues. */
export const queueSubjects: QueueSubjects = {
  // the same sight as in the list of the matters: whoever sees the record there sees in it who has yet to decide
  visible(ctx, bizType) {
    const { permit, ids } = kinds[bizType]
    const scope = ctx.actor.scopeFor(permit)
    return scope.whole ? null : ids({ ...ctx, scope })
  },
  supplement: supplementPeople,
  question: subjectsOfDisputes,
}
