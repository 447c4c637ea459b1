import { sql } from 'kysely'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import type { SchoolSettings } from '../../../contract/school/school/settings.ts'
import { dayOf } from '../../core/base/clock.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { keptConfiguration } from '../../core/database/configuration.ts'
import { from, withinSchool, type SchoolReader } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { ratedRuleJson } from '../credits/rated-rule.service.ts'
import type { RatedRule } from '../credits/rules.ts'
import { placesOn, type RecordingPlace } from '../../rules/curriculum/recordings.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'

export interface Level {
  llId: string
  llName: string
  llFactor: number
  enable: string
}

/** A rule in force today, with the hours it gives. */
export interface SupplementRule {
  esId: string
  lsId: string
  level: string
  baseHours: number
  rule: RatedRule
}

/** A row of an award template. Amounts in hundredths. */
export interface TemplateAward {
  adId: string
  atName: string
  adName: string
  hours: number
  credit: number
  points: number
  abilityFactor: number
}

/** What the school's configuration says about any supplement on a day. */
interface Configuration {
  today: string
  places: ReadonlyMap<string, RecordingPlace>
  levels: ReadonlyMap<string, Level>
  /** By `lsId/level`. */
  rules: ReadonlyMap<string, SupplementRule>
  awards: readonly TemplateAward[]
  settings: SchoolSettings
}

/** What the school's records say about any supplement: the same however many records are checked. */
export interface SupplementWorld extends Configuration {
  /** Whether the person looks after the whole school: then windows do not bind them. */
  isWhole: boolean
}

/** The lookups for whoever asks, as of today. */
export async function supplementWorld({ db, actor, clock, scope }: Context): Promise<SupplementWorld> {
  const kept = await keptConfigurationOf({ db, schoolId: actor.schoolId }, dayOf(clock.now()))
  return { ...kept, isWhole: scope.whole }
}

const keptConfigurationOf = keptConfiguration(async ({ db, schoolId }, today): Promise<Configuration> => {
  const reader = { db, actor: { schoolId } }
  const [places, levels, { rows: rules }, awards, settings] = await Promise.all([
    placesOn(reader, today),
    from(reader, 'lessonLevel').select(['llId', 'llName', 'llFactor', 'enable']).orderBy('llSort').execute(),
    sql<SupplementRule>`
      select distinct on (e."lsId", e."esLessonLevel") e."esId", e."lsId", e."esLessonLevel" as "level",
        e."baseHours", ${ratedRuleJson} as "rule"
      from "evaluation" e
      where e."schoolId" = ${schoolId}
        and e."enable" = '1'
        and e."effectFrom" <= ${today}::date
        and (e."effectTo" is null or e."effectTo" >= ${today}::date)
      order by e."lsId", e."esLessonLevel", e."versionNo" desc`.execute(db),
    templateAwards(reader),
    schoolSettings(reader, schoolId),
  ])
  return {
    today,
    settings,
    awards,
    places: new Map(places.map((place) => [place.lsId, place])),
    levels: new Map(levels.map((level) => [level.llId, level])),
    rules: new Map(rules.map((rule) => [`${rule.lsId}/${rule.level}`, rule])),
  }
})

/** The awards of the school's open templates, in their order. */
const templateAwards = (reader: SchoolReader): Promise<TemplateAward[]> =>
  from(reader, 'awardDetail as d')
    .innerJoin('awardTemplate as t', withinSchool('t.atId', 'd.atId'))
    .select(['d.adId', 't.atName', 'd.adName', 'd.hours', 'd.credit', 'd.points', 'd.abilityFactor'])
    .where('t.enable', '=', enableStatus.enabled)
    .orderBy('t.atName')
    .orderBy('d.adSort')
    .orderBy('d.adId')
    .execute()

/** What records are called and whose they are, by the record: for whoever has been asked to decide them. */
export async function supplementPeople(ctx: Context, lisIds: readonly string[]) {
  if (lisIds.length === 0) return new Map<string, { lisName: string; suiName: string; suiNumber: string }>()
  const rows = await from(ctx, 'supplement as s', { withDeleted: true })
    .innerJoin('person as p', withinSchool('p.suId', 's.suId'))
    .select(['s.lisId', 's.lisName', 'p.suiName', 'p.suiNumber'])
    .where(anyOf('s.lisId', lisIds))
    .execute()
  return new Map(rows.map(({ lisId, ...record }) => [lisId, record]))
}
