import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { creditType, resultStatus, supplementType } from '../../../contract/core/codes/programme.ts'
import type { FieldFault } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { sharesOf } from '../../../contract/school/school/setting-kinds.ts'
import type { SchoolSettings } from '../../../contract/school/school/settings.ts'
import { entriesFor, type CreditEntry, type Entitlement, type Rated, type RatedRule } from '../credits/rules.ts'
import type { SupplementRule, SupplementWorld, TemplateAward } from './supplement-lookups.queries.ts'

/** Pure: what the school's configuration says about a record, and what the record is worth. */

/** What a record is rated by. Hours in hundredths. */
export interface SupplementFacts {
  lsId: string
  lisType: string
  lisLevel: string
  lisPartakeMode: string
  lisAward: string
  lisTeamSize: number | null
  lisRank: number | null
  lisHoursDeclared: number | null
}

interface RatingResult {
  faults: FieldFault[]
  lsPath: string[]
  esId: string | null
  award: TemplateAward | null
  worth: Entitlement
  entries: CreditEntry[]
}

/** The rule of the nearest node on the way up that has one for the level. */
function ruleFor({ rules }: SupplementWorld, lsPath: readonly string[], level: string): SupplementRule | undefined {
  for (const lsId of lsPath.toReversed()) {
    const rule = rules.get(`${lsId}/${level}`)
    if (rule) return rule
  }
  return undefined
}

/** Off-campus volunteering, whose certificates the school may convert into hours. */
const volunteering = supplementType.volunteering

/**
 * The hours a record gives before factors: what was declared, else what the rule gives, else what the school converts a
 * certificate of the level into.
 */
function baseOf(
  facts: SupplementFacts,
  rule: SupplementRule | undefined,
  { certificateHours }: SchoolSettings,
): number | null {
  if (facts.lisHoursDeclared !== null) return facts.lisHoursDeclared
  if (rule) return rule.baseHours
  const converted =
    facts.lisType === volunteering ? certificateHours.find(({ level }) => level === facts.lisLevel) : undefined
  return converted ? Number(converted.hours) : null
}

const competition = supplementType.competitionAward

/**
 * What the school's table gives for competitions, where no rule of the module says more; an award that the table does
 * not know counts as having taken part.
 */
function competitionRule(
  { lisType, lisLevel }: SupplementFacts,
  award: TemplateAward | null,
  { competitionCredits }: SchoolSettings,
): RatedRule | null {
  const row = lisType === competition ? competitionCredits.find(({ level }) => level === lisLevel) : undefined
  if (!row) return null
  const join = Number(row.join)
  const awards = [
    ['一等奖', row.first],
    ['二等奖', row.second],
    ['三等奖', row.third],
  ] as const
  return {
    versionNo: null,
    hourCap: null,
    credit: join,
    points: 0,
    modeRules: [],
    abilityRules: [],
    teamRules: [],
    bestOnlyGroup: '',
    yearCap: null,
    awardRules: awards.map(([adName, credit]) => ({
      adName,
      hours: award?.hours ?? 0,
      credit: Number(credit) - join,
      points: award?.points ?? 0,
    })),
  }
}

/**
 * Checks the configuration's part of a record: its module, level, award and hours. `kept` is what the record already
 * is, which may stay though it was closed since.
 */
export function rateFacts(
  lookups: SupplementWorld,
  facts: SupplementFacts,
  kept?: { lsId: string; lisLevel: string },
): RatingResult {
  const faults: FieldFault[] = []
  const fault = (field: string, msg: string) => faults.push({ field, msg })
  const [place, level] = [lookups.places.get(facts.lsId), lookups.levels.get(facts.lisLevel)]
  const isSame = kept !== undefined && kept.lsId === facts.lsId && kept.lisLevel === facts.lisLevel
  if (!place || (!place.recording && kept?.lsId !== facts.lsId)) fault('lsId', '所选模块不存在、已停用或不接受补录')
  if (!level || (level.enable !== enableStatus.enabled && !isSame)) fault('lisLevel', '所选级别不存在或已停用')
  if (place && level && !isSame && place.allowLevels.length > 0 && !place.allowLevels.includes(facts.lisLevel))
    fault('lisLevel', `模块“${place.lsName}”不接受${level.llName}的补录`)
  const lsPath = place?.lsPath ?? []
  const rule = ruleFor(lookups, lsPath, facts.lisLevel)
  const hasRules = lsPath.some((lsId) =>
    [...lookups.levels.keys()].some((llId) => lookups.rules.has(`${lsId}/${llId}`)),
  )
  if (place && level && !rule && hasRules && faults.length === 0)
    fault('lisLevel', `模块“${place.lsName}”没有${level.llName}的评价规则，请选择其他级别`)
  const { award, fault: awardFault } = awardFor(lookups, facts, rule?.rule ?? null)
  if (awardFault) fault('lisAward', awardFault)
  const base = baseOf(facts, rule, lookups.settings)
  if (base === null && faults.length === 0) fault('lisHoursDeclared', '该模块与级别没有评价规则，请填写申请学时')
  const cap = rule?.rule.hourCap ?? null
  if (cap !== null && facts.lisHoursDeclared !== null && facts.lisHoursDeclared > cap)
    fault('lisHoursDeclared', `申请学时不能超过评价规则的上限 ${fromHundredths(cap)} 学时`)
  const rated = ratedOf(facts, {
    rule: rule?.rule ?? competitionRule(facts, award, lookups.settings),
    award,
    baseHours: base ?? 0,
    levelName: level?.llName ?? '',
    levelFactor: level?.llFactor ?? 100,
    teamSplit: lookups.settings.teamSplit,
  })
  const entries = entriesFor(rated)
  return { faults, lsPath, esId: rule?.esId ?? null, award, entries, worth: worthOf(entries) }
}

/**
 * The award a record names: one that the rule gives, or where the rule names none, one of the school's templates; a
 * school without either takes any.
 */
function awardFor(
  { awards, levels }: SupplementWorld,
  { lisAward, lisLevel }: SupplementFacts,
  rule: RatedRule | null,
): { award: TemplateAward | null; fault?: string } {
  if (lisAward === '') return { award: null }
  const template = awards.find(({ adName }) => adName === lisAward) ?? null
  const named = rule?.awardRules ?? []
  if (named.some(({ adName }) => adName === lisAward))
    return {
      award: template ?? { adId: '', atName: '', adName: lisAward, hours: 0, credit: 0, points: 0, abilityFactor: 100 },
    }
  const choices =
    named.length > 0 ? named.map(({ adName }) => adName) : [...new Set(awards.map(({ adName }) => adName))]
  if (choices.length === 0 || (named.length === 0 && template))
    return {
      award: template ?? { adId: '', atName: '', adName: lisAward, hours: 0, credit: 0, points: 0, abilityFactor: 100 },
    }
  return {
    award: null,
    fault: `${levels.get(lisLevel)?.llName ?? '该级别'}没有奖项“${lisAward}”，可填：${choices.slice(0, 12).join('、')}`,
  }
}

/** What else a record is rated by. */
interface RatedBy {
  rule: RatedRule | null
  award: { adName: string; hours: number; credit: number; points: number; abilityFactor?: number } | null
  baseHours: number
  levelName: string
  levelFactor: number
  teamSplit: SchoolSettings['teamSplit']
}

/** A record before the rules of credit. */
export function ratedOf(
  {
    lisType,
    lisPartakeMode,
    lisAward,
    lisTeamSize,
    lisRank,
  }: Omit<SupplementFacts, 'lsId' | 'lisLevel' | 'lisHoursDeclared'>,
  { rule, award, baseHours, levelName, levelFactor, teamSplit }: RatedBy,
): Rated {
  const team = lisTeamSize !== null && lisRank !== null ? { size: lisTeamSize, rank: lisRank } : undefined
  return {
    declaredHours: baseHours,
    rule: rule && team ? withTeams(rule, team.size, teamSplit) : rule,
    levelName,
    levelFactor,
    partakeMode: lisPartakeMode,
    laResult: lisAward ? resultStatus.awarded : resultStatus.passed,
    award,
    team,
    volunteer: lisType === volunteering,
  }
}

/**
 * A rule that shares nothing out among teams leaves it to the school: by its table, and evenly for sizes that are not
 * in it.
 */
function withTeams(rule: RatedRule, size: number, teamSplit: SchoolSettings['teamSplit']): RatedRule {
  if (rule.teamRules.length > 0) return rule
  const own = teamSplit.find((row) => Number(row.size) === size)
  const ratios = (own && sharesOf(String(own.shares))) ?? Array.from({ length: size }, () => Math.floor(100 / size))
  return { ...rule, teamRules: [{ size, ratios }] }
}

export const worthOf = (entries: readonly CreditEntry[]): Entitlement => {
  const of = (clType: '1' | '2' | '3') => entries.find((entry) => entry.clType === clType)?.value ?? 0
  return { hours: of(creditType.hours), credit: of(creditType.credit), points: of(creditType.points) }
}
