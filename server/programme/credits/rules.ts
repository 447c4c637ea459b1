import type { CreditType } from '../../../contract/core/codes/programme.ts'
import { creditType, resultStatus } from '../../../contract/core/codes/programme.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'

/**
 * What a participation is worth: pure. Amounts are whole hundredths; factors are hundredths too (80 = 0.8). The rule is
 * the version of the evaluation system that the course keeps; an award adds to the amounts of the level.
 */

export interface RatedRule {
  /** Null: not a rule of the evaluation system but a table of the school's settings. */
  versionNo: number | null
  /** Most hours one person may get; null no limit. */
  hourCap: number | null
  credit: number
  points: number
  modeRules: readonly { partakeMode: string; factor: number }[]
  awardRules: readonly { adName: string; hours: number; credit: number; points: number }[]
  abilityRules: readonly { sqlId: string; weight: number }[]
  /** Shares of a team's members by rank, in hundredths. */
  teamRules: readonly { size: number; ratios: readonly number[] }[]
  /** Records of one group count once, by the best; empty: every record counts. */
  bestOnlyGroup: string
  /** Most hours of a school year within the rule's node; null no limit. */
  yearCap: number | null
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
  /** `abilityFactor` in hundredths; 100 unless given. */
  award: { adName: string; hours: number; credit: number; points: number; abilityFactor?: number } | null
  /** Size of the team and the member's rank in it, from 1; absent for one who took part alone. */
  team?: { size: number; rank: number } | undefined
  /** What the school lets an activity of so many days be worth to one person, award and factors included. */
  dayCap?: { perDay: number; days: number }
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
  /** Share of a team's member in hundredths. */
  team?: number
  /** The group of which only the best counts. */
  bestGroup?: string
  /** Kinds of record whose credit the school caps. */
  kinds?: readonly CappedKind[]
  /** Reduced because of what the student has already. */
  limited?: boolean
  partakeMode: string
  ruleVersion: number | null
  /** One Chinese sentence. */
  text: string
}

/** Kinds of record that a school caps wherever they come from: activities of clubs, lectures, posts held. */
export type CappedKind = 'club' | 'lecture' | 'office'

export interface Entitlement {
  hours: number
  credit: number
  points: number
}

/** What a student has already that keeps a record from counting in full. Amounts in hundredths. */
export interface Limits {
  /** The best they have in the rule's group so far. */
  best?: { group: string; had: Entitlement } | undefined
  /**
   * Hours that may still be credited under a cap, such as the term's of a module; its name stands in the explanation.
   */
  rooms: readonly { name: string; left: number }[]
  /** Credit that may still be granted under a cap on a kind of record. */
  creditRooms?: readonly { name: string; left: number }[]
  /** The kinds the record is of; its credit carries them into the ledger. */
  kinds?: readonly CappedKind[]
}

/** One value a participation gives. */
export interface CreditEntry {
  clType: CreditType
  sqlId: string | null
  value: number
  explain: Explain
}

const share = (value: number, factor: number): number => Math.round((value * factor) / 100)
const factorOf = ({ rule, partakeMode }: Rated): number =>
  rule?.modeRules.find((one) => one.partakeMode === partakeMode)?.factor ?? 100
const earns = (laResult: string): boolean => laResult === resultStatus.passed || laResult === resultStatus.awarded

/** The award's own amounts, or those that the evaluation rule has for an award of that name, which come first. */
function awardOf({ rule, award, laResult }: Rated) {
  if (!award || laResult !== resultStatus.awarded) return null
  return rule?.awardRules.find(({ adName }) => adName === award.adName) ?? award
}

/** Hours, credit and points of a participation; nothing unless it passed. */
export function entitlementOf(rated: Rated): Entitlement {
  const of = (clType: '1' | '2' | '3') => entriesFor(rated).find((entry) => entry.clType === clType)?.value ?? 0
  return { hours: of(creditType.hours), credit: of(creditType.credit), points: of(creditType.points) }
}

/**
 * All ledger values of a participation with their arithmetic; zero values are left out.
 * @param approved what the approved result says; where templates have changed since, it stands and the arithmetic says
 *   so
 * @param limits what the student has already; hours, credit and points that it brings to nothing stay as entries of
 *   nothing, so that it can be told why, and so that they are found again when there is room
 */
export function entriesFor(rated: Rated, approved?: Entitlement, limits?: Limits): CreditEntry[] {
  if (!earns(rated.laResult)) return []
  const { rule } = rated
  const cap = rule?.hourCap ?? null
  const hours = limited(
    asApproved(
      amountOf(rated, { name: '学时', base: rated.declaredHours, award: 'hours', cap }),
      '学时',
      approved?.hours,
    ),
    '学时',
    limits?.best && { ...limits.best, had: limits.best.had.hours },
    limits?.rooms,
  )
  const credit = amountOf(rated, { name: '学分', base: rule?.credit ?? 0, award: 'credit', cap: null })
  const points = amountOf(rated, {
    name: '积分',
    base: rule?.points ?? 0,
    award: 'points',
    cap: null,
    levelFactor: rated.levelFactor,
  })
  const entries: CreditEntry[] = [
    { clType: creditType.hours, sqlId: null, ...hours },
    {
      clType: creditType.credit,
      sqlId: null,
      ...ofKinds(
        limited(
          asApproved(credit, '学分', approved?.credit),
          '学分',
          limits?.best && { ...limits.best, had: limits.best.had.credit },
          limits?.creditRooms,
        ),
        limits?.kinds,
      ),
    },
    {
      clType: creditType.points,
      sqlId: null,
      ...limited(
        asApproved(points, '积分', approved?.points),
        '积分',
        limits?.best && { ...limits.best, had: limits.best.had.points },
      ),
    },
    ...(rated.volunteer ? [{ clType: creditType.volunteerHours, sqlId: null, ...hours }] : []),
    ...abilityEntries(rated, hours.value),
  ]
  // what limits brought to nothing must be found again when they leave room; volunteer hours go by the hours
  return entries.filter(
    ({ clType, value, explain }) => value !== 0 || (explain.limited && clType !== creditType.volunteerHours),
  )
}

/**
 * The share of a team's member; undefined where they took part alone or the rule shares nothing out for teams of that
 * size.
 */
function teamShare({ rule, team }: Rated): { size: number; rank: number; ratio: number } | undefined {
  const ratio = team && rule?.teamRules.find(({ size }) => size === team.size)?.ratios[team.rank - 1]
  return ratio === undefined || team === undefined ? undefined : { ...team, ratio }
}

type Amount = { value: number; explain: Explain }

/** Of a group only what is better than the best so far, and of hours only what the caps leave room for. */
function limited(
  { value, explain }: Amount,
  name: string,
  best: { group: string; had: number } | undefined,
  rooms: Limits['rooms'] = [],
): Amount {
  let left = value
  let text = explain.text
  if (best) {
    left = Math.max(0, value - Math.max(0, best.had))
    if (left !== value)
      text += `；“${best.group}”就高，已计 ${fromHundredths(best.had)}，补差 ${fromHundredths(left)} ${name}`
  }
  for (const room of rooms) {
    const within = Math.min(left, Math.max(0, room.left))
    if (within !== left)
      text += `；${room.name}还可计 ${fromHundredths(Math.max(0, room.left))}，按 ${fromHundredths(within)} ${name}计`
    left = within
  }
  return {
    value: left,
    explain: {
      ...explain,
      text,
      ...(best ? { bestGroup: best.group } : {}),
      ...(left === value ? {} : { limited: true }),
    },
  }
}

const ofKinds = ({ value, explain }: Amount, kinds: Limits['kinds'] = []): Amount =>
  kinds.length === 0 ? { value, explain } : { value, explain: { ...explain, kinds } }

const asApproved = (amount: Amount, name: string, approved = amount.value): Amount =>
  approved === amount.value
    ? amount
    : {
        value: approved,
        explain: {
          ...amount.explain,
          base: approved,
          factor: 100,
          award: 0,
          capped: false,
          text: `按审批通过的结果计 ${fromHundredths(approved)} ${name}`,
        },
      }

function amountOf(
  rated: Rated,
  {
    name,
    base,
    award,
    cap,
    levelFactor,
  }: { name: string; base: number; award: 'hours' | 'credit' | 'points'; cap: number | null; levelFactor?: number },
): Amount {
  const factor = factorOf(rated)
  const prize = awardOf(rated)
  const gained = prize?.[award] ?? 0
  const part = teamShare(rated)
  const full = share(share(share(base, levelFactor ?? 100), factor) + gained, part?.ratio ?? 100)
  const byDay = award === 'hours' && rated.dayCap ? rated.dayCap.days * rated.dayCap.perDay : Infinity
  const value = Math.min(full, cap ?? Infinity, byDay)
  const sum = [
    `基础 ${fromHundredths(base)} ${name}`,
    ...(levelFactor !== undefined && levelFactor !== 100
      ? [`× ${rated.levelName}系数 ${fromHundredths(levelFactor)}`]
      : []),
    ...(factor !== 100 ? [`× ${labelOf('partake_mode', rated.partakeMode)}系数 ${fromHundredths(factor)}`] : []),
    ...(gained !== 0 ? [`＋ ${prize?.adName ?? ''} ${fromHundredths(gained)}`] : []),
  ].join(' ')
  const shared = part && `× ${part.size} 人团队第 ${part.rank} 位 ${fromHundredths(part.ratio)}`
  // a sum that is shared out stands in brackets, so that who calculates after it arrives at the same
  const parts = shared === undefined ? sum : gained === 0 ? `${sum} ${shared}` : `（${sum}）${shared}`
  const limit =
    value === byDay && byDay < (cap ?? Infinity)
      ? `每天最多 ${fromHundredths(rated.dayCap!.perDay)} 学时（共 ${rated.dayCap!.days} 天）`
      : '上限'
  const cut = value === full ? '' : `，超过${limit}，按 ${fromHundredths(value)} 计`
  const version = rated.rule?.versionNo ?? null
  const text = `${parts}${cut} ＝ ${fromHundredths(value)} ${name}（${version === null ? '未设评价规则' : `评价规则第 ${version} 版`}，${rated.levelName}）`
  const explain: Explain = {
    base,
    factor,
    award: gained,
    cap,
    capped: value !== full,
    partakeMode: rated.partakeMode,
    ruleVersion: version,
    text,
    ...(levelFactor === undefined ? {} : { levelFactor }),
    ...(prize ? { awardName: prize.adName } : {}),
    ...(part ? { team: part.ratio } : {}),
  }
  return { value, explain }
}

/**
 * Hours shared out among the abilities by weight; the parts add up to the whole, what rounding leaves goes to the
 * largest remainders. An award may count more for the abilities of its holder.
 */
function abilityEntries(rated: Rated, hours: number): CreditEntry[] {
  const weights = rated.rule?.abilityRules ?? []
  const total = weights.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return []
  const { award } = rated
  const factor = award && rated.laResult === resultStatus.awarded ? (award.abilityFactor ?? 100) : 100
  const whole = share(hours, factor)
  const parts = weights.map(({ sqlId, weight }, at) => ({
    sqlId,
    weight,
    at,
    value: Math.floor((whole * weight) / total),
    rest: (whole * weight) % total,
  }))
  let left = whole - parts.reduce((sum, { value }) => sum + value, 0)
  for (const part of parts.toSorted((a, b) => b.rest - a.rest || a.at - b.at)) {
    if (left-- <= 0) break
    part.value++
  }
  const times = factor === 100 ? '' : ` × ${award!.adName}能力系数 ${fromHundredths(factor)}，`
  return parts.map(({ sqlId, weight, value }) => ({
    clType: creditType.ability,
    sqlId,
    value,
    explain: {
      base: hours,
      factor,
      award: 0,
      weight,
      partakeMode: rated.partakeMode,
      ruleVersion: rated.rule?.versionNo ?? null,
      text: `所获 ${fromHundredths(hours)} 学时${times}按 ${weight}% 计入该能力 ＝ ${fromHundredths(value)}`,
    },
  }))
}
