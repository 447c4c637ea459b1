import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { coarsePoliticalStatus, minGroupSize } from '../../../contract/outcomes/statistics/statistics.schema.ts'
import type { studentStatApi } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import type { teacherStatApi } from '../../../contract/outcomes/statistics/teacher-statistics.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { piiRight } from '../../school/people/person-facts.ts'
import { cachedAnswer } from './answer-cache.ts'
import { ratio } from './figures.ts'
import { inMeans } from './student-statistics.queries.ts'
import { atPlaces, personsAt, type PlaceFilter } from './places.ts'

interface Group {
  key: string
  value: number
}

/**
 * Groups too small to be shown, and those told to be hidden, are put together; as long as what was put together is
 * itself too small to be shown, the next smallest joins it, so that nobody is found by subtracting from the total. One
 * that is hidden for another part's sake is never alone.
 */
export function withoutSmall<G extends Group>(
  groups: readonly G[],
  hidden: ReadonlySet<string> = new Set(),
  least = minGroupSize,
): { shown: G[]; joined: G[] } {
  const sorted = groups.toSorted((a, b) => b.value - a.value)
  const isHidden = ({ key, value }: G) => value < least || hidden.has(key)
  const shown = sorted.filter((group) => !isHidden(group))
  const joined = sorted.filter(isHidden)
  const isEnough = () =>
    joined.reduce((sum, { value }) => sum + value, 0) >= least && (joined.length > 1 || !hidden.has(joined[0]!.key))
  while (joined.length > 0 && shown.length > 0 && !isEnough()) joined.push(shown.pop()!)
  return { shown, joined }
}

/**
 * What one part (a college, a grade) must not show lest another one's few are found by subtracting all other parts from
 * the whole: where the parts that hide a group hold fewer of it together than may be shown, the smallest of those that
 * would show it hides it too.
 */
function hiddenFor(part: string, groups: readonly (Group & { part: string })[], least = minGroupSize): Set<string> {
  const hidden = new Set<string>()
  for (const key of new Set(groups.map((group) => group.key))) {
    const own = groups
      .filter((group) => group.key === key)
      .toSorted((a, b) => a.value - b.value || a.part.localeCompare(b.part))
    const few = own.filter(({ value }) => value < least).reduce((sum, { value }) => sum + value, 0)
    if (few > 0 && few < least && own.find(({ value }) => value >= least)?.part === part) hidden.add(key)
  }
  return hidden
}

interface Share extends Group {
  part: string
  /** Of them those who count in means, with their hours. */
  counted: number
  hours: number
}

/** Whether the asking person may see what the people counted are one by one; then filters tell them nothing new. */
const seesEach = ({ actor, scope }: Context): boolean => {
  if (!actor.permits.has(piiRight)) return false
  const reach = actor.scopeFor(piiRight)
  return reach.whole || JSON.stringify(reach) === JSON.stringify(scope)
}

/**
 * People by political status, sensitive as it is. Who may not see it of each of them is told it of everybody in their
 * area, of a college or of a grade, and no more: answers for any two sets that differ by one person would tell that
 * person's.
 * @returns undefined for a filter that they are not answered
 */
async function politicalStatusOf(
  ctx: Context,
  filter: PlaceFilter,
  kind: '1' | '2',
): Promise<{ shown: Share[]; joined: Share[] } | undefined> {
  const isOpen = seesEach(ctx)
  const { collegeId, grade, majorId, scClassId, everybody } = filter
  if (!isOpen && (majorId || scClassId || everybody || (collegeId && grade))) return undefined
  const part = isOpen ? undefined : (collegeId ?? grade)
  const by =
    part === undefined ? sql`''` : collegeId ? sql`coalesce(pl."collegeId"::text, '')` : sql`coalesce(pl."grade", '')`
  const counts = (await inMeans(ctx)) ?? sql`true`
  const { rows } = await sql<Share>`
      select ${by} "part", coalesce(s."political", '') "key", count(*)::int "value",
        (count(*) filter (where ${counts}))::int "counted",
        coalesce(sum(s."hours") filter (where ${counts}), 0)::float8 "hours"
      from ${personsAt}
      where ${atPlaces(ctx, isOpen ? filter : {}, kind)}
      group by 1, 2`.execute(ctx.db)
  return part === undefined
    ? withoutSmall(rows)
    : withoutSmall(
        rows.filter((row) => row.part === part),
        hiddenFor(part, rows),
      )
}

const sumOf = (groups: readonly Share[], of: 'value' | 'counted' | 'hours') =>
  groups.reduce((sum, group) => sum + group[of], 0)
const nameOf = (key: string) => (key === '' ? '未登记' : labelOf('political', key))
const otherName = `其他（不足 ${minGroupSize} 人的合并）`
/** A number of people, where it may be told. */
const shownCount = (value: number) => (value < minGroupSize ? null : value)
const coarse = (name: string) => ({ key: coarsePoliticalStatus, name, value: null })

/** Students by political status; coarse for those who may not see each. */
export const politicalShares = (
  ctx: Context,
  input: Checked<typeof studentStatApi.political>,
): Promise<Output<typeof studentStatApi.political>> =>
  cachedAnswer(ctx, 'politicalShares', { ...input, open: seesEach(ctx) }, async () => {
    const found = await politicalStatusOf(ctx, input, '1')
    if (!found) return [{ ...coarse('政治面貌只按学院或年级之一统计在读学生'), avgHours: null }]
    // a mean over few says as much as their number
    const mean = (sum: number, over: number) => (over < minGroupSize ? null : ratio(sum / 100, over))
    const [people, counted, hours] = [
      sumOf(found.joined, 'value'),
      sumOf(found.joined, 'counted'),
      sumOf(found.joined, 'hours'),
    ]
    return [
      ...found.shown.map(({ key, value, hours: sum, counted: over }) => ({
        key,
        name: nameOf(key),
        value,
        avgHours: mean(sum, over),
      })),
      ...(found.joined.length > 0
        ? [
            {
              key: 'other',
              name: otherName,
              value: shownCount(people),
              avgHours: people < minGroupSize ? null : mean(hours, counted),
            },
          ]
        : []),
    ]
  })

/** Teachers by political status; coarse for those who may not see each. */
export const teachersByPoliticalStatus = (
  ctx: Context,
  { collegeId }: Checked<typeof teacherStatApi.political>,
): Promise<Output<typeof teacherStatApi.political>> =>
  cachedAnswer(ctx, 'teachersByOutlook', { collegeId, open: seesEach(ctx) }, async () => {
    const { shown, joined } = (await politicalStatusOf(ctx, { collegeId }, '2'))!
    return [
      ...shown.map(({ key, value }) => ({ key, name: nameOf(key), value })),
      ...(joined.length > 0 ? [{ key: 'other', name: otherName, value: shownCount(sumOf(joined, 'value')) }] : []),
    ]
  })
