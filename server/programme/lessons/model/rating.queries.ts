import { sql, type RawBuilder } from 'kysely'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { lessonKind, resultStatus, signStatus } from '../../../../contract/core/codes/programme.ts'
import { quotaType as quotaTypeCodes } from '../../../../contract/core/codes/rules.ts'
import type { PublicContext } from '../../../core/request/context.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { ratedRuleJson } from '../../credits/rated-rule.service.ts'
import type { Rated, RatedRule } from '../../credits/rules.ts'

/**
 * What the participants of a course are rated by: its own version of the rule, its level, and the rows of its award
 * template.
 */
export interface Rating {
  rule: RatedRule | null
  levelName: string
  levelFactor: number
  awards: Award[]
  /** What an activity of so many days may be worth to one person at most. */
  dayCap: { perDay: number; days: number }
}

export interface Award {
  adId: string
  adName: string
  hours: number
  credit: number
  points: number
  /** Hundredths by which the abilities of holders count. */
  abilityFactor: number
  quotaType: string
  quota: number | null
  /** No longer offered; kept for those who hold it. */
  withdrawn: boolean
}

interface RatedLesson {
  schoolId: string
  liId: string
  liLevel: string
  liKind: string
  liHours: number
  esId: string | null
  atId: string | null
}

/** One statement, and what is kept of the school's settings. */
export async function ratingOf(
  ctx: Pick<PublicContext, 'db'>,
  { schoolId, liId, liLevel, esId, atId }: RatedLesson,
): Promise<Rating> {
  const { hoursPerDay } = await schoolSettings(ctx, schoolId)
  const { rows } = await sql<Omit<Rating, 'dayCap'> & { days: number }>`
    select v."llName" as "levelName", v."llFactor" as "levelFactor",
      (select ${ratedRuleJson} from "evaluation" e where e."schoolId" = v."schoolId" and e."esId" = ${esId}::uuid) as
      "rule",
      coalesce(
        (
          select json_agg(
            json_build_object(
              'adId', d."adId", 'adName', d."adName", 'hours', d."hours", 'credit', d."credit", 'points', d."points",
              'abilityFactor', d."abilityFactor", 'quotaType', d."quotaType", 'quota', d."quota", 'withdrawn',
              d."delFlag" <> '0'
            )
            order by d."adSort", d."adId"
          )
          from "awardDetail" d
          where d."schoolId" = v."schoolId" and d."atId" = ${atId}::uuid
        ), '[]'
      ) as "awards",
      greatest(
        1,
        (
          select count(distinct d)
          from "lessonSession" s
          cross join generate_series(s."startTime"::date, s."endTime"::date, interval '1 day') d
          where s."schoolId" = v."schoolId" and s."liId" = ${liId}::uuid
        )
      )::int as "days"
    from "lessonLevel" v
    where v."schoolId" = ${schoolId} and v."llId" = ${liLevel}`.execute(ctx.db)
  const { days, ...rating } = rows[0]!
  return { ...rating, dayCap: { perDay: hoursPerDay, days } }
}

/** A participation as far as its worth depends on it. */
interface Participation {
  partakeMode: string
  laResult: string
  adId: string | null
  /** Of somebody who came with a team: their rank in it, and how many it has. */
  teamRank?: number | null
  teamSize?: number | null
}

/** One participation before the rules. */
export function ratedBy(
  rating: Rating,
  lesson: RatedLesson,
  { partakeMode, laResult, adId, teamRank, teamSize }: Participation,
): Rated {
  const { rule, levelName, levelFactor, awards, dayCap } = rating
  return {
    declaredHours: lesson.liHours,
    rule,
    levelName,
    levelFactor,
    partakeMode,
    laResult,
    award: awards.find((award) => award.adId === adId) ?? null,
    dayCap,
    ...(teamRank && teamSize ? { team: { rank: teamRank, size: teamSize } } : {}),
    volunteer: lesson.liKind === lessonKind.volunteering,
  }
}

/**
 * The registrations of a course that submitting its result may yet find to have left early, to be asked by
 * `hasLeftEarly`: who signed in and would have to sign out, and who has left early without having failed.
 */
export const mayHaveLeftEarly = ({ signOutOn }: { signOutOn: string }): RawBuilder<boolean> => sql<boolean>`(
  "laSignStatus" = ${sql.lit(signStatus.leftEarly)} and "laResult" <> ${sql.lit(resultStatus.failed)}
  or ${signOutOn === yesNo.yes} and "laSignStatus" in (${sql.lit(signStatus.signedIn)}, ${sql.lit(signStatus.late)})
)`

/** How many may hold an award; null any number. A share of the participants is rounded down, but never to none. */
export const placesOf = ({ quotaType, quota }: Award, participants: number): number | null =>
  quota === null || quotaType === quotaTypeCodes.unlimited
    ? null
    : quotaType === quotaTypeCodes.percent
      ? Math.max(1, Math.floor((participants * quota) / 100))
      : quota
