import { isOneOf } from '../../contract/core/codes/code-list.ts'
import { yesNo } from '../../contract/core/codes/platform.ts'
import { personSex } from '../../contract/core/codes/school.ts'
import { dictionary } from '../../contract/core/dictionary.ts'
import { studentStatApi } from '../../contract/outcomes/statistics/student-statistics.calls.ts'
import type { CallInput } from './statistics-asked.ts'
import { by, falling, grouped, mean, part, ranks, share, sumOf, text, units } from './statistics-numbers.ts'
import { lackings, lacks, type Oracle, type Wanted } from './statistics-oracle.ts'
import { politicalStatus } from './statistics-political-status.ts'

type Student = ReturnType<Oracle['withTotals']>[number]
const bands = [
  ['100', '100 分及以上', 100, Infinity],
  ['90', '90—99 分', 90, 99],
  ['80', '80—89 分', 80, 89],
  ['60', '60—79 分', 60, 79],
  ['0', '60 分以下', -Infinity, 59],
] as const
const inBand = (p: Student, key: string) =>
  bands.some(([name, , low, high]) => name === key && low <= p.suiCredibility && p.suiCredibility <= high)
/** Credits in hundredths. */
const creditBands = [
  ['c8', '8 学分及以上', 800, Infinity],
  ['c6', '6—7.99 学分', 600, 799],
  ['c4', '4—5.99 学分', 400, 599],
  ['c2', '2—3.99 学分', 200, 399],
  ['c0', '不足 2 学分', 1, 199],
  ['none', '没有学分', -Infinity, 0],
] as const
const inCreditBand = (p: Student, key: string) =>
  creditBands.some(([name, , low, high]) => name === key && low <= p.credit && p.credit <= high)
const inStage: Record<'recorded' | 'none' | 'met' | 'unmet' | 'zero' | 'black' | 'circle', (p: Student) => boolean> = {
  recorded: (p) => p.isRecorded,
  none: (p) => !p.isRecorded,
  met: (p) => p.met,
  unmet: (p) => !p.met,
  zero: (p) => p.hours <= 0,
  black: (p) => p.isBlack,
  circle: (p) => p.isJoined,
}
const columns = {
  suiNumber: (p: Student) => p.suiNumber,
  hours: (p: Student) => p.hours,
  credit: (p: Student) => p.credit,
  activities: (p: Student) => p.activities,
  suiCredibility: (p: Student) => p.suiCredibility,
  lastTime: (p: Student) => p.lastTime,
}
/** 王*明 and **01: enough to find oneself. */
const isMaskedName = (masked: string, full: string) =>
  masked.includes('*') && masked.startsWith(full[0]!) && masked !== full
const isMaskedNumber = (masked: string, full: string) =>
  /^\*{2,}[^*]{1,4}$/.test(masked) && masked.length === full.length && full.endsWith(masked.replaceAll('*', ''))

/** All calls about students for one selection. */
export async function students(
  asked: CallInput,
  wanted: Wanted,
  detail: { sort?: keyof typeof columns; order?: 'asc' | 'desc'; pageSize: number; nth: number },
): Promise<void> {
  const { facts } = asked
  const oracle = asked.oracle(studentStatApi.total)
  if (!oracle) return
  const [people, today] = [wanted, {}].map((of) => oracle.withTotals(oracle.students(wanted), of)) as [
    Student[],
    Student[],
  ]
  // what is said of students as they are today takes no period, node or level
  const asOfToday = (({ startTime: _, endTime: __, lsId: ___, llId: ____, ...place }: Wanted) => place)(wanted)
  const counted = oracle.counted(people)
  const hours = (among: readonly Student[]) =>
    mean(
      sumOf(among, (p) => p.hours),
      among.length,
    )
  const credit = (among: readonly Student[]) =>
    mean(
      sumOf(among, (p) => p.credit),
      among.length,
    )

  // every student's place, also of those who do not study now
  const anywhere = oracle.students({ everybody: yesNo.yes })
  await asked.same(
    studentStatApi.colleges,
    {},
    facts.raw.college
      .filter(({ scId }) => anywhere.some((p) => p.suiCollegeId === scId))
      .toSorted(
        by(
          ({ scSort }) => scSort,
          ({ scName }) => scName,
        ),
      )
      .map(({ scId, scName }) => ({ id: scId, name: scName })),
  )
  await asked.same(
    studentStatApi.grades,
    {},
    [...new Set(anywhere.flatMap((p) => p.suiGrade ?? []))]
      .toSorted()
      .toReversed()
      .map((grade) => ({ id: grade, name: `${grade} 级` })),
  )

  await asked.cards(
    studentStatApi.total,
    wanted,
    (span) => {
      const own = oracle.withTotals(oracle.students(wanted), span)
      const meant = oracle.counted(own)
      const count = (stage: keyof typeof inStage) => own.filter(inStage[stage]).length
      return {
        people: own.length,
        recorded: count('recorded'),
        coverage: share(count('recorded'), own.length),
        avgHours: hours(meant),
        avgActivities: part(
          sumOf(meant, (p) => p.activities),
          meant.length,
        ),
        metRate: share(count('met'), own.length),
        zero: count('zero'),
        black: count('black'),
      }
    },
    ['people', 'metRate', 'black'],
    {},
    true,
  )
  const groups = [...grouped(counted, (p) => `${p.suiCollegeId ?? ''} ${p.suiGrade ?? ''}`)]
    .map(([key, own]) => ({
      collegeId: key.split(' ')[0]!,
      grade: key.split(' ')[1]!,
      collegeName: facts.collegeName(key.split(' ')[0]!, '未分学院'),
      own,
    }))
    .toSorted((a, b) => a.collegeName.localeCompare(b.collegeName, 'zh') || a.grade.localeCompare(b.grade))
  await asked.same(
    studentStatApi.score,
    wanted,
    groups.map(({ own, ...place }) => ({
      ...place,
      students: own.length,
      avgHours: hours(own),
      avgCredit: credit(own),
    })),
  )
  await asked.same(
    studentStatApi.activity,
    wanted,
    groups.map(({ own, ...place }) => ({
      ...place,
      students: own.length,
      score: part(
        sumOf(own, (p) => p.activities),
        own.length,
      ),
    })),
  )
  const series = (
    name: string,
    of: readonly (readonly [key: string, range: string, ...unknown[]])[],
    fits: (p: Student, key: string) => boolean,
  ) =>
    of.map(([key, range]) => {
      const meant = counted.filter((p) => fits(p, key))
      return {
        series: name,
        key,
        range,
        count: people.filter((p) => fits(p, key)).length,
        avgHours: hours(meant),
        avgCredit: credit(meant),
      }
    })
  await asked.same(studentStatApi.credit, wanted, [
    ...series('credibility', bands, inBand),
    ...series('credit', creditBands, inCreditBand),
  ])
  await asked.same(
    studentStatApi.gradeSex,
    asOfToday,
    [...grouped(people, (p) => p.suiGrade ?? '')]
      .map(([grade, own]) => {
        const [male, female] = [personSex.male, personSex.female].map(
          (sex) => own.filter((p) => p.suiSex === sex).length,
        ) as [number, number]
        return { grade, male, female, unknown: own.length - male - female }
      })
      .toSorted(by(({ grade }) => grade)),
  )
  await asked.same(
    studentStatApi.sex,
    wanted,
    dictionary.sex.flatMap(([key, name]) => {
      const own = people.filter((p) => p.suiSex === key)
      return own.length === 0 ? [] : [{ key, name, value: own.length, avgHours: hours(oracle.counted(own)) }]
    }),
  )
  await politicalStatus(
    asked,
    studentStatApi.political,
    asOfToday,
    oracle.withTotals(oracle.students({})),
    today,
    (own) => {
      const meant = oracle.counted(own as Student[])
      return { avgHours: meant.length < 5 ? null : hours(meant) }
    },
  )

  const top = people
    .filter((p) => p.hours > 0)
    .toSorted(
      by(
        (p) => falling(p.hours),
        ({ suId }) => suId,
      ),
    )
  const places = ranks(top.map((p) => p.hours))
  const ranking = top.slice(0, 50).map((p, at) => ({
    rank: places[at],
    suId: p.suId,
    suiName: p.suiName,
    suiNumber: p.suiNumber,
    collegeName: facts.collegeName(p.suiCollegeId, ''),
    total: units(p.hours),
  }))
  await asked.same(studentStatApi.ranking, wanted, ranking)
  await asked.same(
    studentStatApi.ranking,
    { ...wanted, anonymous: '1' },
    ranking.map((row) => ({ ...row, suId: '', suiName: true, suiNumber: true })),
    (answer) =>
      answer.map((row, at) => ({
        ...row,
        suiName: isMaskedName(row.suiName, ranking[at]?.suiName ?? row.suiName),
        suiNumber: isMaskedNumber(row.suiNumber, ranking[at]?.suiNumber ?? row.suiNumber),
      })),
  )

  const { sort, order, pageSize, nth } = detail
  const column = columns[sort ?? 'suiNumber']
  const listed = (from: readonly Student[]) =>
    from
      .toSorted(
        by(
          (p) => (order === 'desc' && column(p) !== null ? falling(column(p)) : column(p)),
          ({ suId }) => suId,
        ),
      )
      .map((p) => ({
        suId: p.suId,
        suiName: p.suiName,
        suiNumber: p.suiNumber,
        collegeName: facts.collegeName(p.suiCollegeId, ''),
        className: facts.classes.get(p.scClassId ?? '') ?? '',
        grade: p.suiGrade ?? '',
        hours: text(p.hours),
        credit: text(p.credit),
        activities: p.activities,
        modules: facts.modules.map(({ lsId, lsName }) => ({ lsId, lsName, hours: text(p.modules.get(lsId) ?? 0) })),
        gap: text(p.gap),
        met: p.met,
        suiCredibility: p.suiCredibility,
        absences: p.absences,
        warnLevel: p.warnLevel,
        lastTime: p.lastTime,
      }))
  const sorting = { ...(sort && { sort }), ...(order && { order }) }
  await asked.list(studentStatApi.detail, { ...wanted, ...sorting }, listed(people), pageSize)
  const stage = (Object.keys(inStage) as (keyof typeof inStage)[])[nth % 7]!
  await asked.list(studentStatApi.detail, { ...wanted, stage, ...sorting }, listed(people.filter(inStage[stage])))
  if (nth % 7 === 0)
    await asked.list(studentStatApi.detail, { ...wanted, stage: 'counted', ...sorting }, listed(counted))
  const [band, creditBand, sex, lacking] = [
    bands[nth % 5]![0],
    creditBands[nth % 6]![0],
    (['0', '1', '2', '9', 'unknown'] as const)[nth % 5]!,
    lackings[nth % 3]!,
  ]
  await asked.list(
    studentStatApi.detail,
    { ...wanted, creditBand, ...sorting },
    listed(people.filter((p) => inCreditBand(p, creditBand))),
  )
  await asked.list(
    studentStatApi.detail,
    { ...wanted, lacking, ...sorting },
    listed(people.filter((p) => lacks(p, lacking))),
  )
  if (nth % 2)
    await asked.list(
      studentStatApi.detail,
      { ...wanted, band },
      listed(people.filter((p) => inBand(p, band))).toSorted(by(({ suiNumber }) => suiNumber)),
    )
  else
    await asked.list(
      studentStatApi.detail,
      { ...wanted, sex, stage: 'unmet' },
      listed(
        people.filter(
          (p) =>
            (sex === 'unknown' ? isOneOf(p.suiSex, personSex.unknown, personSex.notStated) : p.suiSex === sex) &&
            !p.met,
        ),
      ).toSorted(by(({ suiNumber }) => suiNumber)),
    )
}
