import { sql, type RawBuilder } from 'kysely'
import { personType } from '../../../contract/core/codes/school.ts'
import type { Permit } from '../../../contract/core/call.ts'
import { together } from '../../core/base/together.ts'
import type { Context } from '../../core/request/context.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { isNamed } from '../organisation/person-columns.ts'
import { studentScopeColumns } from './students.service.ts'
import { teacherScopeColumns } from './teachers.service.ts'

/**
 * Whom a picker shows, whichever call it asks (decision 038): people of one's own area by any part of a name or number,
 * everybody else only to those who know the whole name or number.
 */

/** Rights to see people, or to put people of an area into something. */
const peopleRights = [
  'student:list',
  'teacher:list',
  'role:list',
  'role:grant',
  'circle:audit',
] as const satisfies Permit[]

/** People of other areas that one search tells of; of several numbers at once, at most so many. */
const maxAcross = 5
const maxPastedAcross = 50
/** Shorter whole names are parts of too many. */
const minName = 2

/**
 * Looks for people by what was typed: no word asks for the first ones of one's area, several words are numbers.
 * @param find the people of `person` on whom a condition holds, at most so many, in their order
 */
export async function pickPeople<R>(
  ctx: Pick<Context, 'actor'>,
  words: readonly string[],
  most: number,
  find: (condition: RawBuilder<boolean>, most: number) => Promise<R[]>,
): Promise<R[]> {
  const [only] = words
  const fits =
    only === undefined ? sql<boolean>`true` : words.length === 1 ? isNamed(only) : sql<boolean>`${hasNumber(words)}`
  if (seesEverybody(ctx)) return find(fits, most)
  const own = ownArea(ctx)
  const [across, within] = await together(
    only === undefined
      ? []
      : find(sql`not ${own} and ${isWhole(words)}`, words.length === 1 ? maxAcross : Math.min(maxPastedAcross, most)),
    find(sql`${own} and ${fits}`, most),
  )
  return [...across, ...within].slice(0, most)
}

/**
 * The condition that a person lies in the area in which the actor is shown everybody: where they themselves belong too.
 */
function ownArea({ actor }: Pick<Context, 'actor'>): RawBuilder<boolean> {
  const { schoolId, suId } = actor
  const areas = peopleRights
    .filter((right) => actor.permits.has(right))
    .flatMap((right) => {
      const scope = actor.scopeFor(right)
      return [
        sql`("person"."suiType" = ${sql.lit(personType.student)} and ${inScope(scope, studentScopeColumns)})`,
        sql`("person"."suiType" <> ${sql.lit(personType.student)} and ${inScope(scope, teacherScopeColumns)})`,
      ]
    })
  const colleagues = sql`coalesce(
    "person"."suiCollegeId" = (
      select o."suiCollegeId"
      from "person" o
      where o."schoolId" = ${schoolId} and o."suId" = ${suId}::uuid
    ), false)`
  return sql<boolean>`(${sql.join([sql`"person"."suId" = ${suId}::uuid`, colleagues, ...areas], sql` or `)})`
}

/** Whether the actor's own area is the whole school. */
const seesEverybody = ({ actor }: Pick<Context, 'actor'>): boolean =>
  peopleRights.some((right) => actor.permits.has(right) && actor.scopeFor(right).whole)

const hasNumber = (words: readonly string[]) => sql`"person"."suiNumber" = any(${words.slice(0, 1000)}::text[])`
const isWhole = (words: readonly string[]) =>
  words.length === 1 && words[0]!.length >= minName
    ? sql`("person"."suiName" = ${words[0]!} or ${hasNumber(words)})`
    : hasNumber(words)
