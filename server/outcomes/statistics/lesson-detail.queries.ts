import type { Checked, Output } from '../../../contract/core/call.ts'
import { minStarAnswers } from '../../../contract/programme/lessons/stars.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { lessonStatApi } from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { pickFields } from '../../core/base/pick-fields.ts'
import { asPage } from '../../core/database/paging.ts'
import { percent, ratio } from './figures.ts'
import type { LessonRow } from './lesson-rows.ts'
import { hasBegun, isAtStage, organiserOf, publishedLessons } from './published.ts'
import { lessonsNamed } from './lessons-named.queries.ts'
import { pageOf } from './pages.ts'

type Input = Checked<typeof lessonStatApi.detail>

/** What the list can be ordered by; the first one if nothing is asked for. */
const sortable: Record<string, (row: LessonRow) => string | number> = {
  publishTime: ({ publishTime }) => publishTime!,
  applied: ({ applied }) => applied,
  passed: ({ passed }) => passed,
  signed: ({ signed }) => signed,
  qualified: ({ qualified }) => qualified,
  granted: ({ granted }) => granted,
  hours: ({ hours }) => hours,
}

/** Whether a card counts a course, or is calculated over it. */
function isCounted(row: LessonRow, stage: NonNullable<Input['stage']>, now: string): boolean {
  switch (stage) {
    case 'begun':
      return hasBegun(row, now)
    case 'granted':
      return row.granted > 0
    case 'rated':
      return row.starTimes > 0
    case 'decided':
      return row.decided > 0
    case 'first':
      return row.firstPass === true
    case 'again':
      return row.firstPass === false
    default:
      return isAtStage(row, stage)
  }
}

/** The courses behind the figures of publication, the latest first. */
export async function lessonsDetail(ctx: Context, input: Input): Promise<Output<typeof lessonStatApi.detail>> {
  const { stage, organiser, star } = input
  const found = (await publishedLessons(ctx, input)).filter(
    (row) =>
      (!stage || isCounted(row, stage, ctx.clock.now())) &&
      (!organiser || organiserOf(row) === organiser) &&
      (!star || row.stars[Number(star) - 1]! > 0),
  )
  const page = pageOf(found, input, sortable, input.order ?? 'desc')
  const said = await lessonsNamed(
    ctx,
    page.map(({ id }) => id),
  )
  const opens = ctx.actor.permits.has('lesson:list')
  const records = page.flatMap((row) => {
    const words = said.get(row.id)
    return words === undefined
      ? []
      : [
          {
            ...words,
            ...pickFields(row, ['liStatus', 'applied', 'passed', 'signed', 'qualified', 'granted']),
            publishTime: row.publishTime!,
            hours: fromHundredths(row.hours),
            signRate: percent(row.signed, row.passed),
            rating: row.starTimes < minStarAnswers ? null : ratio(row.starSum, row.starTimes),
            opens,
          },
        ]
  })
  return asPage(records, found.length, input)
}
