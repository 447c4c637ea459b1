import { sql } from 'kysely'
import { lessonLevel } from '../../../contract/core/codes/rules.ts'
import { creditType, partakeMode, supplementType } from '../../../contract/core/codes/programme.ts'
import type { SchoolSettings } from '../../../contract/school/school/settings.ts'
import { together } from '../../core/base/together.ts'
import { from } from '../../core/database/tenant.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { limitsFor } from '../credits/limits.service.ts'
import type { LedgerRow } from '../credits/ledger.service.ts'
import { ratedRuleJson } from '../credits/rated-rule.service.ts'
import {
  entriesFor,
  type CappedKind,
  type CreditEntry,
  type Limits,
  type Rated,
  type RatedRule,
} from '../credits/rules.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { ratedOf } from './supplement-rating.ts'

/** A record as it was approved. Amounts in hundredths. */
interface ApprovedSupplement {
  schoolId: string
  lisId: string
  lisName: string
  suId: string
  lsId: string
  lsPath: string[]
  lisType: string
  lisLevel: string
  lisPartakeMode: string
  lisAward: string
  lisAwardDetailId: string | null
  lisTeamSize: number | null
  lisRank: number | null
  lisHoursDeclared: number | null
  lisHours: number
  lisCredit: number
  lisPoints: number
  lisObtainDate: string
  esId: string | null
}

type Reader = Pick<PublicContext, 'db'>

/** The rule, award and level that a record keeps, of the record at hand in a query. */
export const keptRating = sql<KeptRating>`(
    select json_build_object(
      'llName', v."llName", 'llFactor', v."llFactor", 'rule',
      (
        select (${ratedRuleJson})::jsonb || jsonb_build_object('baseHours', e."baseHours")
        from "evaluation" e
        where e."schoolId" = v."schoolId" and e."esId" = "supplement"."esId"
      ), 'award',
      (
        select json_build_object(
          'adName', d."adName", 'hours', d."hours", 'credit', d."credit", 'points', d."points", 'abilityFactor',
          d."abilityFactor"
        )
        from "awardDetail" d
        where d."schoolId" = v."schoolId" and d."adId" = "supplement"."lisAwardDetailId"
      )
    )
    from "lessonLevel" v
    where v."schoolId" = "supplement"."schoolId" and v."llId" = "supplement"."lisLevel"
  )`
interface KeptRating {
  llName: string
  llFactor: number
  rule: (RatedRule & { baseHours: number }) | null
  award: Rated['award']
}

/** What a record is rated by besides its rule, award and level. */
type RatedSupplement = Pick<
  ApprovedSupplement,
  | 'lisType'
  | 'lisPartakeMode'
  | 'lisAward'
  | 'lisTeamSize'
  | 'lisRank'
  | 'lisHoursDeclared'
  | 'lisHours'
  | 'lisCredit'
  | 'lisPoints'
>

/** A record by the rule, award and level it keeps. */
function ratedAsKept(
  supplement: RatedSupplement,
  { llName, llFactor, rule, award }: KeptRating,
  { teamSplit }: Pick<SchoolSettings, 'teamSplit'>,
): Rated {
  const named = supplement.lisAward ? (award ?? { adName: supplement.lisAward, hours: 0, credit: 0, points: 0 }) : null
  return ratedOf(supplement, {
    rule,
    award: named,
    baseHours: supplement.lisHoursDeclared ?? rule?.baseHours ?? supplement.lisHours,
    levelName: llName,
    levelFactor: llFactor,
    teamSplit,
  })
}

/** The values of a record as approved, with their arithmetic; with `limits` those that the ledger takes. */
export function entriesAsKept(
  supplement: RatedSupplement,
  kept: KeptRating,
  settings: Pick<SchoolSettings, 'teamSplit'>,
  limits?: Limits,
): { entries: CreditEntry[]; versionNo: number } {
  const rated = ratedAsKept(supplement, kept, settings)
  return {
    entries: entriesFor(
      rated,
      { hours: supplement.lisHours, credit: supplement.lisCredit, points: supplement.lisPoints },
      limits,
    ),
    versionNo: rated.rule?.versionNo ?? 1,
  }
}

/** When what a record tells of was earned, wall-clock. */
export const occurTimeOf = ({ lisObtainDate }: Pick<ApprovedSupplement, 'lisObtainDate'>): string =>
  `${lisObtainDate} 00:00:00`

/**
 * Of what the record tells, as far as the school caps it (docs/rules.md R25): circle level, a lecture (type 10), a post
 * held (type 8 or mode 11).
 */
function cappedKinds({ lisType, lisLevel, lisPartakeMode }: ApprovedSupplement): CappedKind[] {
  return [
    ...(lisLevel === lessonLevel.club ? ['club' as const] : []),
    ...(lisType === supplementType.externalActivity ? ['lecture' as const] : []),
    ...(lisType === supplementType.office || lisPartakeMode === partakeMode.officer ? ['office' as const] : []),
  ]
}

/**
 * The rows that a record brings into the ledger, within what the student still has room for. The student is held until
 * the transaction ends.
 */
export async function creditRows(ctx: Reader, supplement: ApprovedSupplement): Promise<LedgerRow[]> {
  const occurTime = occurTimeOf(supplement)
  const limits = (
    await limitsFor(
      ctx,
      {
        schoolId: supplement.schoolId,
        lsPath: supplement.lsPath,
        esId: supplement.esId,
        occurTime,
        kinds: cappedKinds(supplement),
      },
      [supplement.suId],
    )
  ).get(supplement.suId)
  const offCampus = supplement.lisType === supplementType.volunteering ? await offCampusRoom(ctx, supplement) : []
  const { schoolId, lisId } = supplement
  const [{ kept }, settings] = await together(
    from({ db: ctx.db, schoolId }, 'supplement', { withDeleted: true })
      .select(keptRating.as('kept'))
      .where('lisId', '=', lisId)
      .executeTakeFirstOrThrow(),
    schoolSettings(ctx, schoolId),
  )
  const { entries, versionNo } = entriesAsKept(supplement, kept, settings, {
    ...limits,
    rooms: [...(limits?.rooms ?? []), ...offCampus],
  })
  return entries.map(({ clType, sqlId, value, explain }) => ({
    suId: supplement.suId,
    clType,
    sqlId,
    clValue: value,
    explain,
    lsId: supplement.lsId,
    moduleId: supplement.lsPath[0]!,
    source: 'SUP',
    bizId: supplement.lisId,
    bizName: supplement.lisName,
    ruleVersion: versionNo,
    occurTime,
  }))
}

/**
 * What the school's cap on off-campus service leaves a student. Concurrent records of one student wait for each other
 * on their row.
 */
async function offCampusRoom(ctx: Reader, { schoolId, suId }: ApprovedSupplement): Promise<Limits['rooms']> {
  const { offCampusHours } = await schoolSettings(ctx, schoolId)
  if (offCampusHours === 0) return []
  await sql`
    select
    from "person"
    where "schoolId" = ${schoolId} and "suId" = ${suId}::uuid
    for no key
    update`.execute(ctx.db)
  const { rows } = await sql<{
    used: number
  }>`
      select coalesce(sum(c."clValue"), 0)::int "used"
      from "creditLedger" c
      join "supplement" s on s."schoolId" = c."schoolId"
        and s."lisId" = c."bizId"
        and s."lisType" = ${sql.lit(supplementType.volunteering)}
      where c."schoolId" = ${schoolId} and c."suId" = ${suId}::uuid and c."clType" = ${sql.lit(creditType.hours)}`.execute(
    ctx.db,
  )
  return [{ name: '校外服务累计', left: offCampusHours - rows[0]!.used }]
}
