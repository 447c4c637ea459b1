/**
 * How far a student is behind what is expected of their year. Amounts are whole hundredths of hours (or of credibility
 * points). Pure.
 */

/** At the end of a term a student has `required`; `warn[N - 1]` is the line below which they are warned at level N. */
export interface Expectation {
  /** A module's id, or `total`, `volunteer`, `credibility`. */
  key: string
  name: string
  checkpointTerm: number
  required: number
  warn: readonly [number, number, number]
}

/** Where in their studies the students of a year are: the running term, from 1, and which share of it has passed. */
export interface Position {
  termNo: number
  share: number
}

/** What graduation asks for in all: so much at the end of the last term of the studies. */
export interface Goal {
  term: number
  required: number
}

export interface Shortfall {
  key: string
  name: string
  level: number
  checkpointTerm: number
  required: number
  have: number
  gap: number
  forecast: number
}

export interface Evaluation {
  /** 0 to 3, the worst of all. */
  level: number
  gaps: Shortfall[]
  /** Keys of modules short of the next checkpoint. */
  missing: string[]
  totalHave: number
  totalNeed: number
  totalGap: number
  /** Hours missing at graduation if they go on as until now. */
  finalGap: number
  zeroTerm: boolean
}

/**
 * The goal at graduation: what is expected in all at the end of the last term of the studies, and where nothing is set
 * for that term what the school asks for.
 */
export function goalOf(expected: readonly Expectation[], years: number, requiredHours: number): Goal {
  const term = years * 2
  return {
    term,
    required:
      expected.find(({ key, checkpointTerm }) => key === 'total' && checkpointTerm === term)?.required ?? requiredHours,
  }
}

/** The term that students of a year are in on a day, by the semester cut; 0 or less before they came. */
export function positionOf(
  grade: string,
  day: string,
  { springStart, autumnStart }: { springStart: string; autumnStart: string },
): Position {
  const [year, rest] = [Number(day.slice(0, 4)), day.slice(5, 10)]
  const isSpring = rest >= springStart && rest < autumnStart
  const schoolYear = isSpring || rest < springStart ? year - 1 : year
  const [from, to] = isSpring
    ? [`${year}-${springStart}`, `${year}-${autumnStart}`]
    : [`${schoolYear}-${autumnStart}`, `${schoolYear + 1}-${springStart}`]
  const moment = (text: string) => Date.parse(`${text}T00:00:00Z`)
  return {
    termNo: (schoolYear - Number(grade)) * 2 + (isSpring ? 2 : 1),
    share: Math.min(1, Math.max(0, (moment(day.slice(0, 10)) - moment(from)) / (moment(to) - moment(from)))),
  }
}

/** The level that falling short of a checkpoint has. */
export const levelOf = (have: number, [first, second, third]: Expectation['warn']): number =>
  have < third ? 3 : have < second ? 2 : have < first ? 1 : 0

/**
 * What somebody will have at the end of a term if they go on as until now. The first half of the first term says too
 * little, and counts as half a term.
 */
export function forecastAt(have: number, term: number, { termNo, share }: Position): number {
  const passed = Math.max(0.5, termNo - 1 + share)
  return term <= passed ? have : Math.floor((have * term) / passed)
}

/**
 * Checks a student. A checkpoint counts once its term has ended; what is needed is what the next one asks for, of all
 * hours what graduation asks for where nothing is expected before.
 * @param goal what graduation asks for; null for who has no year and so no terms
 * @param haveOf what they have, by key
 * @param recent hours of the last term that has ended; null for who was not there or where that is no matter
 */
export function evaluateStudent(
  expected: readonly Expectation[],
  position: Position,
  goal: Goal | null,
  haveOf: (key: string) => number,
  recent: number | null,
): Evaluation {
  const keys = [...new Set([...(goal && goal.required > 0 ? ['total'] : []), ...expected.map(({ key }) => key)])]
  const zeroTerm = recent !== null && recent <= 0 && position.termNo >= 2
  const evaluated: Evaluation = {
    level: zeroTerm ? 3 : 0,
    gaps: [],
    missing: [],
    totalHave: haveOf('total'),
    totalNeed: 0,
    totalGap: 0,
    finalGap: 0,
    zeroTerm,
  }
  for (const key of keys) {
    const own = expected.filter((one) => one.key === key).toSorted((a, b) => a.checkpointTerm - b.checkpointTerm)
    // only the hours in all are expected without a base value: by graduation, told and not warned of
    const line: Expectation[] =
      own.length > 0 || !goal
        ? own
        : [{ key, name: '总学时', checkpointTerm: goal.term, required: goal.required, warn: [0, 0, 0] }]
    const have = haveOf(key)
    const due = line.findLast(({ checkpointTerm }) => checkpointTerm < position.termNo)
    const next = line.find(({ checkpointTerm }) => checkpointTerm >= position.termNo) ?? line.at(-1)!
    const level = due ? levelOf(have, due.warn) : 0
    const gap = Math.max(0, next.required - have)
    // credibility does not grow by itself
    const forecast = key === 'credibility' ? have : forecastAt(have, next.checkpointTerm, position)
    evaluated.level = Math.max(evaluated.level, level)
    if (level > 0 || gap > 0)
      evaluated.gaps.push({
        key,
        name: next.name,
        level,
        checkpointTerm: next.checkpointTerm,
        required: next.required,
        have,
        gap,
        forecast,
      })
    if (key === 'total')
      Object.assign(evaluated, {
        totalNeed: next.required,
        totalGap: gap,
        finalGap: goal ? Math.max(0, goal.required - forecastAt(have, goal.term, position)) : 0,
      })
    else if (key !== 'volunteer' && key !== 'credibility' && gap > 0) evaluated.missing.push(key)
  }
  return { ...evaluated, gaps: evaluated.gaps.toSorted((a, b) => b.level - a.level || b.gap - a.gap) }
}

/** What the rules of the school expect of a year that has no base values of its own. */
interface SchoolRules {
  warnSteps: readonly { year: number; hours: number; level: string }[]
  warnFinal: string
  /** Hours that graduation asks for in all. */
  totalHours: number
  modules: readonly { lsId: string; lsName: string; required: boolean; minHours: number }[]
}

/**
 * Year by year the steps of the school, in the last year what graduation asks for; of each module what it asks for at
 * the end, which is told and not warned of.
 */
export function defaultExpectations(
  { warnSteps, warnFinal, totalHours, modules }: SchoolRules,
  years: number,
): Expectation[] {
  const total = (checkpointTerm: number, required: number, level: number): Expectation => ({
    key: 'total',
    name: '总学时',
    checkpointTerm,
    required,
    warn: [required, level >= 2 ? required : 0, level >= 3 ? required : 0],
  })
  return [
    ...warnSteps
      .filter(({ year }) => year < years - 1)
      .map(({ year, hours, level }) => total(year * 2, hours, Number(level))),
    // whoever enters the last year without having reached the goal
    ...(years > 1 ? [total(years * 2 - 2, totalHours, Number(warnFinal))] : []),
    total(years * 2, totalHours, Number(warnFinal)),
    ...modules
      .filter(({ required, minHours }) => required && minHours > 0)
      .map(({ lsId, lsName, minHours }) => ({
        key: lsId,
        name: lsName,
        checkpointTerm: years * 2,
        required: minHours,
        warn: [0, 0, 0] as const,
      })),
  ]
}

/** The shortfalls in words: `总学时还差 12.5，志愿公益还差 4`. */
export const gapText = (gaps: readonly { name: string; gap: string }[], zeroTerm: boolean): string =>
  [
    ...gaps
      .filter(({ gap }) => gap !== '0')
      .slice(0, 4)
      .map(({ name, gap }) => `${name}还差 ${gap}`),
    ...(zeroTerm ? ['上学期没有获得学时'] : []),
  ].join('，') || '目前没有缺口'
