import type { PublicContext } from '../../core/request/context.ts'
import { keptConfiguration } from '../../core/database/configuration.ts'
import { from } from '../../core/database/tenant.ts'
import { addDays, dayOf } from '../../core/base/clock.ts'
import { nthWorkingDay, termByCut, workingDays, type SpecialDay, type Term } from './calendar.ts'
import { schoolSettings } from './settings.service.ts'

type Reader = Pick<PublicContext, 'db'>

/** Longest run without a working day that anybody plans for; the days looked at grow by it. */
const maxBreak = 120

/** The days of a stretch that are no usual working or free days. */
export const specialDays = ({ db }: Reader, schoolId: string, start: string, end: string): Promise<SpecialDay[]> =>
  from({ db, schoolId }, 'holiday')
    .select(['hdDate', 'hdKind'])
    .where('hdDate', '>=', dayOf(start))
    .where('hdDate', '<=', dayOf(end))
    .execute()

/** Working days of a school from one day to another, both included. */
export const workingDaysBetween = async (ctx: Reader, schoolId: string, from: string, to: string): Promise<number> =>
  workingDays(from, to, await specialDays(ctx, schoolId, from, to))

/** The n-th working day of a school from a day on, the day itself counting; with `after` it does not. */
export const workingDayFrom = async (
  ctx: Reader,
  schoolId: string,
  from: string,
  n: number,
  options: { after?: boolean } = {},
): Promise<string> =>
  nthWorkingDay(from, n, await specialDays(ctx, schoolId, from, addDays(dayOf(from), n * 2 + maxBreak)), options)

/** The term a day belongs to: the school's own, else the half year of the semester cut. */
export async function termOf(ctx: Reader, schoolId: string, day: string): Promise<Term> {
  return (await termFinder(ctx, schoolId))(day)
}

const keptTerms = keptConfiguration(({ db, schoolId }) =>
  from({ db, schoolId }, 'term').select(['tmName', 'tmStart', 'tmEnd']).execute(),
)

/** The same for many days with one look at the school's terms. */
export async function termFinder({ db }: Reader, schoolId: string): Promise<(day: string) => Term> {
  const [own, cut] = await Promise.all([keptTerms({ db, schoolId }), schoolSettings({ db }, schoolId)])
  return (day) =>
    own.find(({ tmStart, tmEnd }) => tmStart <= dayOf(day) && dayOf(day) <= tmEnd) ?? termByCut(dayOf(day), cut)
}
