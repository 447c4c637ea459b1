import type { Checked } from '../../../contract/core/call.ts'
import { wholeSchool } from '../../../contract/core/scope.ts'
import { abilityStatApi } from '../../../contract/outcomes/statistics/ability-statistics.calls.ts'
import { circleStatApi } from '../../../contract/outcomes/statistics/circle-statistics.calls.ts'
import { lessonStatApi } from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { loginStatApi } from '../../../contract/outcomes/statistics/login-statistics.calls.ts'
import {
  provinceFigures,
  smallGroup,
  type provinceApi,
  type ProvinceFigure,
} from '../../../contract/outcomes/statistics/province.calls.ts'
import { studentStatApi } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import { supplementStatApi } from '../../../contract/outcomes/statistics/supplement-statistics.calls.ts'
import { teacherStatApi } from '../../../contract/outcomes/statistics/teacher-statistics.calls.ts'
import { asPage, countOf, likeText, offsetOf } from '../../core/database/paging.ts'
import type { Context } from '../../core/request/context.ts'
import { systemContext } from '../../core/request/system.ts'
import { abilityByCollege } from './ability-statistics.queries.ts'
import { circleTotal } from './circle-statistics.queries.ts'
import { lessonsInfo } from './lesson-statistics.queries.ts'
import { loginsByCollege } from './login-statistics.queries.ts'
import { studentTotal } from './student-statistics.queries.ts'
import { supplementInfo } from './supplement-statistics.queries.ts'
import { teacherTotal } from './teacher-statistics.queries.ts'

interface Told {
  cards: { key: string; value: number | null }[]
  asOf: string
}

/** What each screen tells of a whole school without any filter, out of the same rollups and kept answers. */
const screens: Record<(typeof provinceFigures)[number]['screen'], (ctx: Context) => Promise<Told>> = {
  student: (ctx) => studentTotal(ctx, studentStatApi.total.input.parse({})),
  ability: (ctx) => abilityByCollege(ctx, abilityStatApi.colleges.input.parse({})),
  teacher: (ctx) => teacherTotal(ctx, teacherStatApi.total.input.parse({})),
  lesson: (ctx) => lessonsInfo(ctx, lessonStatApi.info.input.parse({})),
  supplement: (ctx) => supplementInfo(ctx, supplementStatApi.info.input.parse({})),
  circle: (ctx) => circleTotal(ctx, circleStatApi.total.input.parse({})),
  login: (ctx) => loginsByCollege(ctx, loginStatApi.college.input.parse({})),
}

type Figures = Record<ProvinceFigure, number | null>

/**
 * What may be told of a school outside of it. Of one with few students nothing is; of others no number of people that is
 * small and not zero.
 */
export function maskedFigures(figures: Figures): { isMasked: boolean; figures: Figures } {
  const isMasked = (figures.students ?? 0) < smallGroup
  const told = provinceFigures.map(({ key, isPeople }): [ProvinceFigure, number | null] => {
    const value = figures[key]
    const isSmall = isPeople && value !== null && value > 0 && value < smallGroup
    return [key, isMasked || isSmall ? null : value]
  })
  return { isMasked, figures: Object.fromEntries(told) as Figures }
}

/** The schools of the installation with what the eight screens tell of each, one school after the other. */
export async function schoolStatistics(ctx: Context, input: Checked<typeof provinceApi.schools>) {
  let query = ctx.db.selectFrom('school').where('suspendedTime', 'is', null)
  if (input.search) {
    const like = likeText(input.search)
    query = query.where((eb) => eb.or([eb('schName', 'like', like), eb('schoolId', 'like', like)]))
  }
  const total = await countOf(query.select('school.schoolId'))
  const schools = await query
    .select(['schoolId', 'schName'])
    .orderBy('createTime')
    .orderBy('schoolId')
    .limit(input.pageSize)
    .offset(offsetOf(input))
    .execute()
  const records = []
  for (const school of schools) {
    const own = { ...systemContext(ctx, school.schoolId), scope: wholeSchool }
    const figures: Partial<Figures> = {}
    let asOf = ''
    for (const [screen, tell] of Object.entries(screens)) {
      const told = await tell(own)
      // the oldest of them
      if (asOf === '' || told.asOf < asOf) asOf = told.asOf
      for (const { key, card, screen: of } of provinceFigures)
        if (of === screen) figures[key] = told.cards.find((one) => one.key === card)?.value ?? null
    }
    records.push({ ...school, ...maskedFigures(figures as Figures), asOf })
  }
  return asPage(records, total, input)
}
