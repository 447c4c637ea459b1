import type { Checked, Output } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { thresholdApi } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { modulesOf } from '../../rules/curriculum/modules.service.ts'
import { openLessonsFor } from '../../programme/lessons/registration/open-lessons.service.ts'
import { helpsOf } from './helps.service.ts'
import { listPrompts } from './prompts.service.ts'
import { warningRows } from './warnings.queries.ts'

/** Courses suggested to one student. */
const maxSuggestions = 8

/**
 * A student with what they are short of, what they were told, what was done for them, and open courses that would help:
 * the modules they lack most first.
 */
export async function warningDetail(
  ctx: Context,
  { suId }: Checked<typeof thresholdApi.detail>,
): Promise<Output<typeof thresholdApi.detail>> {
  const [warning] = await warningRows(ctx, [suId])
  if (!warning) throw new Failure('not-found')
  const modules = await modulesOf(ctx)
  const names = new Map(modules.map(({ lsId, lsName }) => [lsId, lsName]))
  const short = warning.gaps.filter(({ key, gap }) => names.has(key) && gap !== '0').map(({ key }) => key)
  // who only lacks hours in all may take them anywhere
  const wanted =
    short.length > 0
      ? short
      : warning.gaps.some(({ key }) => key === 'total') || warning.zeroTerm
        ? modules.map(({ lsId }) => lsId)
        : []
  const [{ records: prompts }, helps, lessons] = await Promise.all([
    listPrompts(ctx, { suId, current: 1, pageSize: 50 }),
    helpsOf(ctx, suId),
    wanted.length === 0 ? [] : openLessonsFor(ctx, suId, wanted, maxSuggestions),
  ])
  return {
    warning,
    prompts,
    helps,
    suggestions: lessons.map((lesson) => ({
      ...lesson,
      hours: fromHundredths(lesson.hours),
      moduleName: names.get(lesson.moduleId) ?? '',
    })),
  }
}
