import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { applyStatus, lessonKind, lessonStatus, resultStatus } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { scoringApi } from '../../../contract/rules/evaluation/scoring.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, offsetOf } from '../../core/database/paging.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { moduleHours } from '../credits/statement.service.ts'
import type { RatedRule } from '../credits/rules.ts'
import { scoredLabels } from '../../rules/labels/label-names.service.ts'
import { visibleStudents, visibleStudentsWithPlace } from '../../school/people/students.service.ts'
import { ratedRuleOf } from './try-out.service.ts'
import { shiftsUnder, type RatedGroup, type Shift } from './what-if.ts'

interface Place {
  moduleId: string
  moduleName: string
  minHours: number
  esIds: string[]
  lessons: number
  running: number
}

/**
 * Whose totals would be other if all completed courses of the rule's system and level had been rated by the draft
 * instead of the version they kept. Nothing is written: saving a rule only reaches courses to come. Students out of
 * reach are not counted.
 */
export async function whatIf(ctx: Context, { esId, rule, only, ...page }: Checked<typeof scoringApi.whatIf>) {
  const place = await placeOf(ctx, esId)
  const groups = await groupsOf(ctx, place.esIds)
  const { people, abilities } = shiftsUnder(groups, ratedRuleOf(rule), rule.baseHours)
  const moved = people.filter(({ hours, credit, points }) => hours !== 0 || credit !== 0 || points !== 0)

  const have = new Map<string, number>()
  for (const { suId, moduleId, hours } of await moduleHours(
    ctx,
    moved.map(({ suId }) => suId),
  ))
    if (moduleId === place.moduleId) have.set(suId, hours)
  const effects = moved.map((shift) => {
    const before = have.get(shift.suId) ?? 0
    return {
      ...shift,
      before,
      after: before + shift.hours,
      passBefore: before >= place.minHours,
      passAfter: before + shift.hours >= place.minHours,
    }
  })
  const gain = effects.filter(({ passBefore, passAfter }) => !passBefore && passAfter)
  const lose = effects.filter(({ passBefore, passAfter }) => passBefore && !passAfter)
  const wanted = { all: effects, gain, lose }[only].toSorted(
    (a, b) => weight(b) - weight(a) || (a.suId < b.suId ? -1 : 1),
  )
  const shown = wanted.slice(offsetOf(page), offsetOf(page) + page.pageSize)
  const students = new Map(
    (
      await namesOf(
        ctx,
        shown.map(({ suId }) => suId),
      )
    ).map((student) => [student.suId, student]),
  )
  const names = new Map((await scoredLabels(ctx)).map(({ sqlId, sqlName }) => [sqlId, sqlName]))
  const sum = (of: 'hours' | 'credit' | 'points') => moved.reduce((all, shift) => all + shift[of], 0)
  return {
    ...asPage(
      shown.flatMap(({ suId, times, before, after, passBefore, passAfter, ...shift }) => {
        const student = students.get(suId)
        return student
          ? [
              {
                ...student,
                times,
                change: onWire(shift),
                moduleBefore: fromHundredths(before),
                moduleAfter: fromHundredths(after),
                passBefore,
                passAfter,
              },
            ]
          : []
      }),
      wanted.length,
      page,
    ),
    lessons: place.lessons,
    running: place.running,
    moduleName: place.moduleName,
    minHours: fromHundredths(place.minHours),
    times: groups.reduce((all, { times }) => all + times, 0),
    people: people.length,
    changed: moved.length,
    up: moved.filter(({ hours }) => hours > 0).length,
    down: moved.filter(({ hours }) => hours < 0).length,
    change: onWire({ hours: sum('hours'), credit: sum('credit'), points: sum('points') }),
    gain: gain.length,
    lose: lose.length,
    abilities: [...abilities]
      .filter(([, { before, after }]) => before !== after)
      .map(([sqlId, { before, after }]) => ({
        sqlId,
        sqlName: names.get(sqlId) ?? '已删除的能力',
        before: fromHundredths(before),
        after: fromHundredths(after),
      })),
  }
}

const weight = ({ hours, credit, points }: Shift) => Math.abs(hours) * 1e6 + Math.abs(credit) * 1e3 + Math.abs(points)
const onWire = ({ hours, credit, points }: Pick<Shift, 'hours' | 'credit' | 'points'>) => ({
  hours: fromHundredths(hours),
  credit: fromHundredths(credit),
  points: fromHundredths(points),
})

/** The rule's module, all versions of its system and level, and the courses that go by them. */
async function placeOf({ db, actor, scope }: Context, esId: string): Promise<Place> {
  const { rows } = await sql<Place>`
        select m."lsId" "moduleId", m."lsName" "moduleName", m."minHours", v."esIds",
          (
            select count(*)::int
            from "lesson" l
            where l."schoolId" = e."schoolId"
              and l."esId" = any(v."esIds")
              and l."delFlag" = '0'
              and l."liStatus" in (${sql.lit(lessonStatus.completed)}, ${sql.lit(lessonStatus.archived)})
          ) "lessons",
          (
            select count(*)::int
            from "lesson" l
            where l."schoolId" = e."schoolId"
              and l."esId" = any(v."esIds")
              and l."delFlag" = '0'
              and l."liStatus" not in (
                ${sql.lit(lessonStatus.completed)}, ${sql.lit(lessonStatus.archived)},
                ${sql.lit(lessonStatus.cancelled)}, ${sql.lit(lessonStatus.abnormal)}
              )
          ) "running"
        from "evaluation" e
        join "curriculum" c on c."schoolId" = e."schoolId" and c."lsId" = e."lsId"
        join "curriculum" m on m."schoolId" = e."schoolId" and m."lsId" = c."lsPath"[1]
        cross join lateral (
          select array_agg(o."esId") "esIds"
          from "evaluation" o
          where o."schoolId" = e."schoolId" and o."lsId" = e."lsId" and o."esLessonLevel" = e."esLessonLevel"
        ) v
        where e."schoolId" = ${actor.schoolId}
          and e."esId" = ${esId}::uuid
          and ${inScope(scope, { path: 'c.lsPath' })}`.execute(db)
  if (!rows[0]) throw new Failure('not-found')
  return rows[0]
}

interface GroupRow {
  suId: string
  times: number
  esId: string
  liHours: number
  volunteer: boolean
  llName: string
  llFactor: number
  partakeMode: string
  laResult: string
  teamSize: number | null
  teamRank: number | null
  award: Rated['award']
}
type Rated = RatedGroup['rated']

/** The records of completed courses by these versions, of students in reach, alike ones together: two statements. */
async function groupsOf(ctx: Context, esIds: string[]): Promise<RatedGroup[]> {
  const { db, actor } = ctx
  const versions = await sql<RatedRule & { esId: string; baseHours: number }>`
    select "esId", "baseHours", "versionNo", "hourCap", "credit", "points", "modeRules", "awardRules", "abilityRules",
      "teamRules", "bestOnlyGroup", "yearCap"
    from "evaluation"
    where "schoolId" = ${actor.schoolId} and "esId" = any(${esIds}::uuid[])`.execute(db)
  const ruleOf = new Map(versions.rows.map(({ esId, ...rule }) => [esId, rule]))
  const { rows } = await sql<GroupRow>`
      select r."suId",
        count(*)::int "times",
        l."esId",
        l."liHours",
        l."liKind" = ${sql.lit(lessonKind.volunteering)} "volunteer",
        v."llName",
        v."llFactor",
        r."partakeMode",
        r."laResult",
        r."teamSize",
        r."teamRank",
        case
          when d."adId" is null then null
          else json_build_object('adName', d."adName", 'hours', d."hours", 'credit', d."credit", 'points', d."points")
        end "award"
      from "lesson" l
      join "registration" r on r."schoolId" = l."schoolId"
        and r."liId" = l."liId"
        and r."delFlag" = '0'
        and r."laStatus" = ${sql.lit(applyStatus.accepted)}
        and r."laResult" in (${sql.lit(resultStatus.passed)}, ${sql.lit(resultStatus.awarded)})
      join "lessonLevel" v on v."schoolId" = l."schoolId" and v."llId" = l."liLevel"
      left join "awardDetail" d on d."schoolId" = r."schoolId" and d."adId" = r."adId"
      where l."schoolId" = ${actor.schoolId}
        and l."esId" = any(${esIds}::uuid[])
        and l."delFlag" = '0'
        and l."liStatus" in (${sql.lit(lessonStatus.completed)}, ${sql.lit(lessonStatus.archived)})
        and r."suId" in (${visibleStudents(ctx).select('person.suId')})
      group by r."suId", l."esId", l."liHours", l."liKind" = ${sql.lit(lessonKind.volunteering)}, v."llName",
        v."llFactor", r."partakeMode", r."laResult", r."teamSize", r."teamRank", d."adId", d."adName", d."hours", d."credit", d."points"`.execute(
    db,
  )
  return rows.map(({ suId, times, esId, liHours, llName, llFactor, teamSize, teamRank, ...rest }) => ({
    suId,
    times,
    rule: ruleOf.get(esId)!,
    isStandard: ruleOf.get(esId)!.baseHours === liHours,
    rated: {
      ...rest,
      declaredHours: liHours,
      levelName: llName,
      levelFactor: llFactor,
      team: teamSize && teamRank ? { size: teamSize, rank: teamRank } : undefined,
    },
  }))
}

const namesOf = (ctx: Context, suIds: string[]) =>
  visibleStudentsWithPlace(ctx)
    .select([
      'person.suId',
      'person.suiName',
      'person.suiNumber',
      sql<string>`coalesce("scName", '')`.as('collegeName'),
      sql<string>`coalesce("person"."suiGrade", '')`.as('suiGrade'),
    ])
    .where(anyOf('person.suId', suIds))
    .execute()
