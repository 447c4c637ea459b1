import { circleApplyType, circleAuthStatus, circleStatus } from '../../contract/core/codes/programme.ts'
import { circleStatApi } from '../../contract/outcomes/statistics/circle-statistics.calls.ts'
import { starMean, type CallInput } from './statistics-asked.ts'
import { by, falling, grouped, inChinese, part, points, ranks, share, sumOf } from './statistics-numbers.ts'
import { isOfKind, ofSubject, type Facts, type Oracle, type Wanted } from './statistics-oracle.ts'
import type { Circle } from './statistics-raw.ts'
import { later, within } from './statistics-spans.ts'

const weights = { count: 30, people: 30, sign: 20, rating: 10, members: 10 }
const bands = [
  ['100', '100 人及以上', 100, Infinity],
  ['50', '50—99 人', 50, 99],
  ['20', '20—49 人', 20, 49],
  ['0', '20 人以下', 0, 19],
] as const

/**
 * The day since when a circle is there, and the moment it was closed: by its application, else when it was last
 * changed.
 */
const since = (c: Circle) => c.foundDate ?? c.createTime.slice(0, 10)
const closed = ({ raw }: Facts, c: Circle) =>
  c.ciStatus === circleStatus.dissolved
    ? (raw.circleApply
        .filter(
          (a) =>
            a.ciId === c.ciId && a.caType === circleApplyType.dissolution && a.ciAuthStatus === circleAuthStatus.passed,
        )
        .map((a) => a.auditTime!)
        .toSorted()
        .at(-1) ?? c.updateTime)
    : null

/** The circles that existed in a period, with their activities of it and their members at its end. */
function circlesOf(oracle: Oracle, wanted: Wanted) {
  const { facts } = oracle
  const at = facts.until(wanted.endTime)
  const longAgo = `${later(facts.now, -90)}${facts.now.slice(10)}`
  return oracle
    .circles(wanted)
    .filter(
      (c) =>
        since(c) <= at.slice(0, 10) &&
        (!wanted.startTime || closed(facts, c) === null || closed(facts, c)! >= wanted.startTime),
    )
    .map((c) => {
      const ended = closed(facts, c)
      const isOpen = ended === null || ended > at
      const all = facts.courses.filter((l) => l.liCircleId === c.ciId && facts.isPublished(l) && facts.stands(l))
      const courses = all.filter((l) => within(l.publishTime!, wanted) && ofSubject(l.lsPath, l.liLevel, wanted))
      const last =
        all
          .filter((l) => l.begun)
          .map((l) => l.startTime)
          .toSorted()
          .at(-1) ?? null
      return {
        ...c,
        isOpen,
        courses,
        last,
        begun: courses.filter((l) => l.begun),
        people: isOpen ? facts.membersAt(c.ciId, at) : [],
        isIdle:
          c.ciStatus === circleStatus.enabled && since(c) <= longAgo.slice(0, 10) && (last === null || last <= longAgo),
        isAdded: within(since(c), {
          ...(wanted.startTime && { startTime: wanted.startTime.slice(0, 10) }),
          ...(wanted.endTime && { endTime: wanted.endTime.slice(0, 10) }),
        }),
        isClosed: ended !== null && within(ended, wanted),
        isGuided: ended === null && facts.raw.circleTeacher.some(({ ciId }) => ciId === c.ciId),
      }
    })
}
type Row = ReturnType<typeof circlesOf>[number]
type Activity = Row['courses'][number]
const stages = {
  active: (c: Row) => c.ciStatus === circleStatus.enabled,
  disabled: (c: Row) => c.ciStatus === circleStatus.disabled,
  mending: (c: Row) => c.ciStatus === circleStatus.rectifying,
  added: (c: Row) => c.isAdded,
  closed: (c: Row) => c.isClosed,
  idle: (c: Row) => c.isIdle,
  guided: (c: Row) => c.isGuided,
}
const starsOf = (rows: readonly Activity[]) => rows.flatMap(({ stars }) => stars)
const rates = (begun: readonly Activity[]) => ({
  signRate: share(
    sumOf(begun, (l) => l.signed),
    sumOf(begun, (l) => l.passed),
  ),
  memberRate: share(
    sumOf(begun, (l) => l.membersSigned),
    sumOf(begun, (l) => l.members),
  ),
})

/** The cards of circles (docs/rules.md R50). */
function figures(oracle: Oracle, wanted: Wanted): Record<string, number | null> {
  const {
    facts,
    facts: { raw },
  } = oracle
  const rows = circlesOf(oracle, wanted)
  const count = (stage: keyof typeof stages) => rows.filter(stages[stage]).length
  const [lessons, members] = [sumOf(rows, (c) => c.courses.length), rows.flatMap((c) => c.people)]
  const students = oracle.students(wanted.collegeId ? { collegeId: wanted.collegeId } : {})
  const anywhere = raw.circle
    .filter((c) => isOfKind(c, wanted) && c.ciStatus !== circleStatus.dissolved)
    .map(({ ciId }) => ciId)
  const joined = new Set(
    facts.raw.circleMember.filter((m) => anywhere.includes(m.ciId) && m.quitTime === null).map(({ suId }) => suId),
  )
  return {
    count: rows.length,
    active: count('active'),
    disabled: count('disabled'),
    added: count('added'),
    closed: count('closed'),
    lessons,
    perCircle: part(lessons, rows.length),
    members: members.length,
    persons: new Set(members).size,
    joinRate: share(students.filter(({ suId }) => joined.has(suId)).length, students.length),
    teachers: new Set(
      raw.circleTeacher
        .filter(({ ciId }) => rows.some((c) => c.ciId === ciId && c.ciStatus !== circleStatus.dissolved))
        .map(({ suId }) => suId),
    ).size,
    idle: count('idle'),
  }
}

/** All calls about circles for one selection. */
export async function circles(
  asked: CallInput,
  wanted: Wanted,
  detail: {
    sort?: 'ciNo' | 'members' | 'lessons' | 'people' | 'lastTime'
    order?: 'asc' | 'desc'
    pageSize: number
    nth: number
  },
): Promise<void> {
  const {
    facts,
    facts: { raw },
  } = asked
  const oracle = asked.oracle(circleStatApi.total)
  if (!oracle) return
  const rows = circlesOf(oracle, wanted)
  const signed = (own: readonly Row[]) => sumOf(own, (c) => sumOf(c.courses, (l) => l.signed))
  const held = (own: readonly Row[]) => ({
    circles: own.length,
    num: sumOf(own, (c) => c.courses.length),
    people: signed(own),
  })
  const classes = raw.circleClass.toSorted(
    by(
      ({ ccSort }) => ccSort,
      ({ ccName }) => ccName,
    ),
  )
  await asked.cards(
    circleStatApi.total,
    wanted,
    (span) => figures(oracle, span),
    ['active', 'disabled', 'joinRate', 'teachers', 'idle'],
    {},
    true,
  )
  await asked.same(
    circleStatApi.classes,
    wanted,
    classes.flatMap(({ ccId, ccName }) =>
      rows.some((c) => c.ciClass === ccId) ? [{ ccId, ccName, ...held(rows.filter((c) => c.ciClass === ccId)) }] : [],
    ),
  )
  await asked.same(
    circleStatApi.colleges,
    wanted,
    [...grouped(rows, (c) => c.ciCollegeId ?? '')]
      .map(([id, own]) => ({ id, name: facts.collegeName(id, '全校'), ...held(own) }))
      .toSorted(inChinese(({ num }) => num)),
  )
  const open = rows.filter((c) => c.isOpen)
  const inBand = (c: Row, key: string) =>
    bands.some(([name, , low, high]) => name === key && low <= c.people.length && c.people.length <= high)
  const sized = (kind: string, id: string, name: string, own: readonly Row[]) =>
    own.length === 0 ? [] : [{ kind, id, name, num: sumOf(own, (c) => c.people.length), circles: own.length }]
  await asked.same(circleStatApi.members, wanted, [
    ...classes.flatMap(({ ccId, ccName }) =>
      sized(
        'class',
        ccId,
        ccName,
        open.filter((c) => c.ciClass === ccId),
      ),
    ),
    ...bands.flatMap(([key, name]) =>
      sized(
        'size',
        key,
        name,
        open.filter((c) => inBand(c, key)),
      ),
    ),
  ])
  await asked.same(
    circleStatApi.releases,
    wanted,
    rows
      .filter((c) => c.courses.length > 0)
      .map((c) => ({ ciId: c.ciId, ciName: c.ciName, num: c.courses.length, people: signed([c]) }))
      .toSorted(
        by(
          ({ num }) => falling(num),
          ({ people }) => falling(people),
          ({ ciId }) => ciId,
        ),
      )
      .slice(0, 20),
  )

  const lively = rows.filter((c) => c.begun.length > 0)
  const [highest, largest] = [
    Math.max(0, ...lively.map((c) => c.begun.length)),
    Math.max(0, ...lively.map((c) => sumOf(c.begun, (l) => l.signed))),
  ]
  const scored = lively
    .map((c) => {
      const sum = (key: 'signed' | 'passed' | 'members' | 'membersSigned') => sumOf(c.begun, (l) => l[key])
      const stars = starsOf(c.begun)
      const shares = {
        count: [weights.count, c.begun.length, highest],
        people: [weights.people, sum('signed'), largest],
        sign: [weights.sign, sum('signed'), sum('passed')],
        rating: [weights.rating, sumOf(stars, (star) => star), 5 * stars.length],
        members: [weights.members, sum('membersSigned'), sum('members')],
      } as const
      return {
        ciId: c.ciId,
        ciName: c.ciName,
        lessons: c.begun.length,
        people: sum('signed'),
        ...rates(c.begun),
        rating: starMean(stars),
        score: points(Object.values(shares)),
        parts: Object.fromEntries(Object.entries(shares).map(([key, one]) => [key, points([one])])),
        weights,
      }
    })
    .toSorted(
      by(
        ({ score }) => falling(score),
        ({ ciId }) => ciId,
      ),
    )
  const places = ranks(scored.map(({ score }) => score))
  await asked.same(circleStatApi.ranking, wanted, scored.map((row, at) => ({ ...row, rank: places[at] })).slice(0, 50))

  const { sort, order, pageSize, nth } = detail
  const key = (c: Row) => {
    // by activities and by people who came, those without any activity come last
    const value = {
      ciNo: c.ciNo,
      members: c.people.length,
      lessons: c.courses.length,
      people: signed([c]),
      lastTime: c.last,
    }[sort ?? 'lessons']
    return value !== null && (order ?? (sort ? 'asc' : 'desc')) === 'desc' ? falling(value) : value
  }
  const person = (suId: string | null) => raw.person.find((p) => p.suId === suId)!
  const listed = (from: readonly Row[]) =>
    from
      .toSorted(
        by(
          key,
          ({ ciNo }) => ciNo,
          ({ ciId }) => ciId,
        ),
      )
      .map((c) => {
        const review = raw.circleReview.filter((r) => r.ciId === c.ciId).toSorted((a, b) => b.crYear - a.crYear)[0]
        return {
          ciId: c.ciId,
          ciNo: c.ciNo,
          ciName: c.ciName,
          ccName: classes.find(({ ccId }) => ccId === c.ciClass)!.ccName,
          collegeName: facts.collegeName(c.ciCollegeId, ''),
          cpiPersonName: person(c.cpiPersonId).suiName,
          ciStatus: c.ciStatus,
          teacherNames: raw.circleTeacher
            .filter(({ ciId }) => ciId === c.ciId)
            .map(({ suId }) => person(suId))
            .toSorted(by(({ suiNumber }) => suiNumber))
            .map(({ suiName }) => suiName),
          members: c.people.length,
          lessons: c.courses.length,
          people: signed([c]),
          ...rates(c.begun),
          rating: starMean(starsOf(c.courses)),
          crYear: review?.crYear ?? null,
          crResult: review?.crResult ?? null,
          crStar: review?.crStar ?? null,
          lastTime: c.last,
          isIdle: c.isIdle,
        }
      })
  const sorting = { ...(sort && { sort }), ...(order && { order }) }
  await asked.list(circleStatApi.detail, { ...wanted, ...sorting }, listed(rows), pageSize)
  const [stage, [size]] = [(Object.keys(stages) as (keyof typeof stages)[])[nth % 7]!, bands[nth % 4]!]
  await asked.list(circleStatApi.detail, { ...wanted, ...sorting, stage }, listed(rows.filter(stages[stage])))
  await asked.list(circleStatApi.detail, { ...wanted, ...sorting, size }, listed(open.filter((c) => inBand(c, size))))
  await asked.list(
    circleStatApi.detail,
    { ...wanted, ...sorting, lacking: 'college' },
    listed(rows.filter(({ ciCollegeId }) => ciCollegeId === null)),
  )

  const activities = (from: readonly Row[]) =>
    from
      .flatMap((c) => c.courses.map((l) => ({ ...l, ciId: c.ciId, ciName: c.ciName })))
      .toSorted(
        by(
          (l) => falling(l.startTime),
          ({ liId }) => liId,
        ),
      )
      .map((l) => ({
        liId: l.liId,
        liName: l.liName,
        ciId: l.ciId,
        ciName: l.ciName,
        lsName: facts.pathName(l.lsPath),
        levelName: facts.levelName(l.liLevel),
        liStatus: l.liStatus,
        startTime: l.startTime,
        applied: l.applied,
        passed: l.passed,
        signed: l.signed,
        members: l.members,
        membersSigned: l.membersSigned,
        rating: starMean(l.stars),
      }))
  await asked.list(circleStatApi.lessons, wanted, activities(rows), pageSize)
  const [one] = rows
  if (one) await asked.list(circleStatApi.lessons, { ...wanted, ciId: one.ciId }, activities([one]))
}
