import { isOneOf } from '../../contract/core/codes/code-list.ts'
import { approvalStatus, creditType } from '../../contract/core/codes/programme.ts'
import { personType } from '../../contract/core/codes/school.ts'
import { labelOf } from '../../contract/core/dictionary.ts'
import { supplementStatApi } from '../../contract/outcomes/statistics/supplement-statistics.calls.ts'
import type { CallInput } from './statistics-asked.ts'
import { by, falling, grouped, inChinese, part, share, sumOf, text, units } from './statistics-numbers.ts'
import { isThere, lackings, lacks, type Facts, type Oracle, type Wanted } from './statistics-oracle.ts'
import { monthsOf, within } from './statistics-spans.ts'

type Supplement = ReturnType<Oracle['sups']>[number]
/**
 * Codes of the states of a record (docs/rules.md R19) by what the cards call them: waiting for its public notice, in
 * it, or credited has passed.
 */
const stages = { pass: ['2', '5', '6'], refuse: ['3'], pending: ['1'], publicty: ['5'], granted: ['6'] }
const at = (rows: readonly Supplement[], stage: keyof typeof stages) =>
  rows.filter(({ lisStatus }) => stages[stage].includes(lisStatus))
/** Hundredths of hours that the ledger holds of a record of its student, whatever was recognised. */
const grantedOf = ({ raw }: Facts, s: Supplement) =>
  sumOf(
    raw.creditLedger.filter(
      ({ bizId, suId, clType }) => bizId === s.lisId && suId === s.suId && clType === creditType.hours,
    ),
    ({ clValue }) => clValue,
  )
const hoursOf = (facts: Facts, rows: readonly Supplement[]) =>
  units(sumOf(at(rows, 'granted'), (s) => grantedOf(facts, s)))

/** Approvals of records that ended with a decision. */
const endedOf = ({ raw }: Facts, rows: readonly Supplement[]) =>
  raw.approval.filter(
    (a) =>
      a.bizType === 'supplement' &&
      isOneOf(a.insStatus, approvalStatus.passed, approvalStatus.refused) &&
      rows.some((s) => s.lisId === a.bizId),
  )
/** Records of one student that agree in this may be one handed in twice. */
const likeness = (s: Supplement) => JSON.stringify([s.suId, s.lisName, s.lisLevel, s.lisAward])

/** The cards of supplements (docs/rules.md R50). */
function figures(rows: readonly Supplement[], facts: Facts): Record<string, number | null> {
  const ended = endedOf(facts, rows)
  const [pass, refuse] = [at(rows, 'pass').length, at(rows, 'refuse').length]
  return {
    apply: rows.length,
    pass,
    refuse,
    pending: at(rows, 'pending').length,
    publicty: at(rows, 'publicty').length,
    hours: hoursOf(facts, rows),
    passRate: share(pass, pass + refuse),
    decideHours: part(
      sumOf(ended, ({ startTime, endTime }) => (Date.parse(endTime!) - Date.parse(startTime)) / 1000),
      ended.length * 3600,
    ),
    twice: sumOf(
      [...grouped(rows, likeness).values()].filter((same) => same.length > 1),
      (same) => same.length,
    ),
  }
}

/** Hundredths of hours that occurred in the period and came otherwise, by the students' college. */
function earnedOtherwise({ facts, sees }: Oracle, wanted: Wanted): Map<string, number> {
  const students = new Map(
    facts.persons.filter((p) => p.suiType === personType.student && isThere(p, wanted)).map((p) => [p.suId, p]),
  )
  const rows = facts.records.flatMap((record) => {
    const student = students.get(record.suId)
    const path = facts.raw.curriculum.find(({ lsId }) => lsId === record.lsId)!.lsPath
    const isSeen =
      student !== undefined &&
      sees({
        college: student.suiCollegeId,
        major: student.majorId,
        class: student.scClassId,
        grade: student.suiGrade,
        path,
      })
    return isSeen && record.kind !== 'sup' && within(record.occurTime, wanted)
      ? [{ ...record, college: student.suiCollegeId ?? '' }]
      : []
  })
  return new Map(
    [...grouped(rows, ({ college }) => college)].map(([college, own]) => [college, sumOf(own, ({ hours }) => hours)]),
  )
}

/** All calls about supplements for one selection. */
export async function supplements(
  asked: CallInput,
  wanted: Wanted,
  { pageSize, lisType, nth }: { pageSize: number; lisType: string; nth: number },
): Promise<void> {
  const { facts } = asked
  const oracle = asked.oracle(supplementStatApi.info)
  if (!oracle) return
  const rows = oracle.sups(wanted)
  const parts = (key: (s: Supplement) => string, nameOf: (id: string) => string) =>
    [...grouped(rows, key)]
      .map(([id, own]) => ({ id, name: nameOf(id), count: own.length, hours: hoursOf(facts, own) }))
      .toSorted(inChinese(({ count }) => count))
  // what everything brought is told of modules as a whole
  const nodes = asked.asker.roles
    .filter(({ permits }) => permits.includes(supplementStatApi.info.permit))
    .flatMap(({ area }) => (area === 'whole' ? [] : (area.curriculum ?? [])))
  const isWhole = !wanted.lsId && !wanted.llId && nodes.every((node) => facts.modules.some(({ lsId }) => lsId === node))
  const others = isWhole ? earnedOtherwise(oracle, wanted) : new Map<string, number>()
  const ofCollege = (id: string) => rows.filter(({ student }) => (student.suiCollegeId ?? '') === id)
  const ids = new Set([...rows.map(({ student }) => student.suiCollegeId ?? ''), ...others.keys()])
  const flat = {
    apply: rows.length,
    pass: at(rows, 'pass').length,
    refuse: at(rows, 'refuse').length,
    pending: at(rows, 'pending').length,
    publicty: at(rows, 'publicty').length,
    hours: hoursOf(facts, rows),
  }
  await asked.cards(supplementStatApi.info, wanted, (span) => figures(oracle.sups(span), facts), [], {
    ...flat,
    types: parts(
      (s) => s.lisType,
      (id) => labelOf('sup_type', id),
    ),
    colleges: [...ids]
      .map((id) => {
        const hours = sumOf(at(ofCollege(id), 'granted'), (s) => grantedOf(facts, s))
        const total = hours + (others.get(id) ?? 0)
        return {
          id,
          name: facts.collegeName(id, '未分学院'),
          count: ofCollege(id).length,
          hours: units(hours),
          total: isWhole ? units(total) : null,
          rate: isWhole ? share(hours, total) : null,
        }
      })
      .toSorted(inChinese(({ count }) => count)),
    reasons: [
      ...grouped(
        at(rows, 'refuse').filter(({ refuseReason }) => refuseReason !== ''),
        (s) => s.refuseReason,
      ),
    ]
      .map(([reason, own]) => ({ reason, count: own.length }))
      .toSorted(
        by(
          ({ count }) => falling(count),
          ({ reason }) => reason,
        ),
      ),
  })
  await asked.same(
    supplementStatApi.classes,
    wanted,
    parts(
      (s) => s.lsPath[0]!,
      (id) => facts.nodes.get(id)!,
    ),
  )
  await asked.same(
    supplementStatApi.levels,
    wanted,
    facts.levels.flatMap(({ llId }) =>
      parts(
        (s) => s.lisLevel,
        (id) => facts.levelName(id),
      ).filter(({ id }) => id === llId),
    ),
  )
  const months = rows.map((s) => s.createTime).toSorted()
  await asked.same(
    supplementStatApi.months,
    wanted,
    months.length === 0
      ? []
      : monthsOf(wanted.startTime ?? months[0]!, months.at(-1)!).map((month) => {
          const own = rows.filter((s) => s.createTime.startsWith(month))
          return { month, apply: own.length, pass: at(own, 'pass').length }
        }),
  )

  const listed = (from: readonly Supplement[]) =>
    from
      .toSorted(
        by(
          (s) => falling(s.createTime),
          ({ lisId }) => lisId,
        ),
      )
      .map((s) => ({
        lisId: s.lisId,
        lisName: s.lisName,
        suId: s.suId,
        suiName: s.student.suiName,
        suiNumber: s.student.suiNumber,
        collegeName: facts.collegeName(s.student.suiCollegeId, ''),
        className: facts.classes.get(s.student.scClassId ?? '') ?? '',
        lsName: facts.pathName(s.lsPath),
        levelName: facts.levelName(s.lisLevel),
        lisType: s.lisType,
        lisStatus: s.lisStatus,
        lisAward: s.lisAward,
        lisOrg: s.lisOrg,
        hours: text(stages.granted.includes(s.lisStatus) ? grantedOf(facts, s) : s.lisHours),
        createTime: s.createTime,
      }))
  await asked.list(supplementStatApi.detail, wanted, listed(rows), pageSize)
  const same = grouped(rows, likeness)
  const inStage = {
    ...Object.fromEntries((Object.keys(stages) as (keyof typeof stages)[]).map((stage) => [stage, at(rows, stage)])),
    decided: rows.filter((s) => endedOf(facts, [s]).length > 0),
    twice: rows.filter((s) => same.get(likeness(s))!.length > 1),
  } as Record<keyof typeof stages | 'decided' | 'twice', Supplement[]>
  const stage = (Object.keys(inStage) as (keyof typeof inStage)[])[nth % 7]!
  await asked.list(supplementStatApi.detail, { ...wanted, stage }, listed(inStage[stage]))
  const [lacking, refuseReason] = [lackings[nth % 3]!, ['材料不全', '时间不符'][nth % 2]!]
  await asked.list(
    supplementStatApi.detail,
    { ...wanted, lacking },
    listed(rows.filter(({ student }) => lacks(student, lacking))),
  )
  await asked.list(
    supplementStatApi.detail,
    { ...wanted, refuseReason },
    listed(at(rows, 'refuse').filter((s) => s.refuseReason === refuseReason)),
  )
  await asked.list(supplementStatApi.detail, { ...wanted, lisType }, listed(rows.filter((s) => s.lisType === lisType)))
}
