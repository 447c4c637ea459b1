import { fromHundredths } from '../../contract/core/fields.ts'
import { labelOf } from '../../contract/core/dictionary.ts'

/**
 * What a participation is worth: pure. Amounts are whole hundredths; factors are hundredths too (80 = 0.8). The rule is the
 * version of the evaluation system that the course keeps; an award adds to the amounts of the level.
 */

export interface RatedRule {
  versionNo: number
  /** Most hours one person may get; null no limit. */
  hourCap: number | null
  credit: number
  points: number
  modeRules: readonly { partakeMode: string; factor: number }[]
  awardRules: readonly { adName: string; hours: number; credit: number; points: number }[]
  abilityRules: readonly { sqlId: string; weight: number }[]
}

export interface Rated {
  /** Hours of the course as approved. */
  declaredHours: number
  /** Null: no evaluation rule applies; only the declared hours count. */
  rule: RatedRule | null
  levelName: string
  levelFactor: number
  partakeMode: string
  /** `dictionary.result_status`. */
  laResult: string
  award: { adName: string; hours: number; credit: number; points: number } | null
  /** Hours of a volunteer activity count as volunteer hours as well. */
  volunteer: boolean
}

/** The arithmetic of one value, as kept with its ledger row. Amounts in hundredths. */
export interface Explain {
  base: number
  factor: number
  levelFactor?: number
  award: number
  awardName?: string
  cap?: number | null
  capped?: boolean
  /** Weight in per cent of the total that an ability gets. */
  weight?: number
  partakeMode: string
  ruleVersion: number | null
  /** One Chinese sentence. */
  text: string
}

export interface Entitlement {
  hours: number
  credit: number
  points: number
}

/** One value a participation gives; `clType` as `dictionary.credit_type`. */
export interface CreditEntry {
  clType: '1' | '2' | '3' | '4' | '5'
  sqlId: string | null
  value: number
  explain: Explain
}

const share = (value: number, factor: number): number => Math.round((value * factor) / 100)
const factorOf = ({ rule, partakeMode }: Rated): number => rule?.modeRules.find((one) => one.partakeMode === partakeMode)?.factor ?? 100
const earns = (laResult: string): boolean => laResult === '1' || laResult === '3'

/** The award's own amounts, or those that the evaluation rule has for an award of that name, which come first. */
function awardOf({ rule, award, laResult }: Rated) {
  if (!award || laResult !== '3') return null
  return rule?.awardRules.find(({ adName }) => adName === award.adName) ?? award
}

/** Hours, credit and points of a participation; nothing unless it passed. */
export function entitlementOf(rated: Rated): Entitlement {
  const of = (clType: '1' | '2' | '3') => entriesFor(rated).find((entry) => entry.clType === clType)?.value ?? 0
  return { hours: of('1'), credit: of('2'), points: of('3') }
}

/**
 * All ledger values of a participation with their arithmetic; zero values are left out.
 * @param approved what the approved result says; where templates have changed since, it stands and the arithmetic says so
 */
export function entriesFor(rated: Rated, approved?: Entitlement): CreditEntry[] {
  if (!earns(rated.laResult)) return []
  const { rule } = rated
  const cap = rule?.hourCap ?? null
  const hours = asApproved(amountOf(rated, { name: '学时', base: rated.declaredHours, award: 'hours', cap }), '学时', approved?.hours)
  const credit = amountOf(rated, { name: '学分', base: rule?.credit ?? 0, award: 'credit', cap: null })
  const points = amountOf(rated, { name: '积分', base: rule?.points ?? 0, award: 'points', cap: null, levelFactor: rated.levelFactor })
  const entries: CreditEntry[] = [
    { clType: '1', sqlId: null, ...hours },
    { clType: '2', sqlId: null, ...asApproved(credit, '学分', approved?.credit) },
    { clType: '3', sqlId: null, ...asApproved(points, '积分', approved?.points) },
    ...(rated.volunteer ? [{ clType: '4' as const, sqlId: null, ...hours }] : []),
    ...abilityEntries(rated, hours.value),
  ]
  return entries.filter(({ value }) => value !== 0)
}

type Amount = { value: number; explain: Explain }

const asApproved = (amount: Amount, name: string, approved = amount.value): Amount =>
  approved === amount.value ? amount : { value: approved, explain: { ...amount.explain, base: approved, factor: 100, award: 0, capped: false, text: `按审批通过的结果计 ${fromHundredths(approved)} ${name}` } }

function amountOf(rated: Rated, { name, base, award, cap, levelFactor }: { name: string; base: number; award: 'hours' | 'credit' | 'points'; cap: number | null; levelFactor?: number }): Amount {
  const factor = factorOf(rated)
  const prize = awardOf(rated)
  const gained = prize?.[award] ?? 0
  const full = share(share(base, levelFactor ?? 100), factor) + gained
  const value = cap === null ? full : Math.min(full, cap)
  const parts = [
    `基础 ${fromHundredths(base)} ${name}`,
    ...(levelFactor !== undefined && levelFactor !== 100 ? [`× ${rated.levelName}系数 ${fromHundredths(levelFactor)}`] : []),
    ...(factor !== 100 ? [`× ${labelOf('partake_mode', rated.partakeMode)}系数 ${fromHundredths(factor)}`] : []),
    ...(gained !== 0 ? [`＋ ${prize?.adName ?? ''} ${fromHundredths(gained)}`] : []),
  ]
  const cut = value === full ? '' : `，超过上限，按 ${fromHundredths(value)} 计`
  const version = rated.rule?.versionNo ?? null
  const text = `${parts.join(' ')}${cut} ＝ ${fromHundredths(value)} ${name}（${version === null ? '未设评价规则' : `评价规则第 ${version} 版`}，${rated.levelName}）`
  const explain: Explain = {
    base, factor, award: gained, cap, capped: value !== full, partakeMode: rated.partakeMode, ruleVersion: version, text,
    ...(levelFactor === undefined ? {} : { levelFactor }),
    ...(prize ? { awardName: prize.adName } : {}),
  }
  return { value, explain }
}

/** Hours shared out among the abilities by weight; the parts add up to the whole, what rounding leaves goes to the largest remainders. */
function abilityEntries(rated: Rated, hours: number): CreditEntry[] {
  const weights = rated.rule?.abilityRules ?? []
  const total = weights.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return []
  const parts = weights.map(({ sqlId, weight }, at) => ({ sqlId, weight, at, value: Math.floor((hours * weight) / total), rest: (hours * weight) % total }))
  let left = hours - parts.reduce((sum, { value }) => sum + value, 0)
  for (const part of parts.toSorted((a, b) => b.rest - a.rest || a.at - b.at)) {
    if (left-- <= 0) break
    part.value++
  }
  return parts.map(({ sqlId, weight, value }) => ({
    clType: '5', sqlId, value,
    explain: {
      base: hours, factor: 100, award: 0, weight, partakeMode: rated.partakeMode, ruleVersion: rated.rule?.versionNo ?? null,
      text: `所获 ${fromHundredths(hours)} 学时按 ${weight}% 计入该能力 ＝ ${fromHundredths(value)}`,
    },
  }))
}
