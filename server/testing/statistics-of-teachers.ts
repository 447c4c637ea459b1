import { isOneOf } from '../../contract/core/codes/code-list.ts'
import { circleStatus, taskStatus } from '../../contract/core/codes/programme.ts'
import { dictionary, labelOf } from '../../contract/core/dictionary.ts'
import { teacherStatApi } from '../../contract/outcomes/statistics/teacher-statistics.calls.ts'
import { starMean, type CallInput } from './statistics-asked.ts'
import { by, falling, grouped, inChinese, part, share, sumOf, text, units } from './statistics-numbers.ts'
import { isOfKind, ofSubject, type Facts, type Wanted } from './statistics-oracle.ts'
import type { Person } from './statistics-raw.ts'
import { politicalStatus } from './statistics-political-status.ts'
import { within } from './statistics-spans.ts'

/** Who guides which course that begins in the period: its guiding teachers and whoever leads it, each of them once. */
function guidedBy(facts: Facts, people: readonly Person[], wanted: Wanted) {
  const known = new Map(people.map((p) => [p.suId, p]))
  return facts.courses
    .filter((l) => facts.stands(l) && within(l.startTime, wanted) && ofSubject(l.lsPath, l.liLevel, wanted))
    .flatMap((l) => {
      const guides = new Set([
        l.liPrincipalId,
        ...facts.raw.lessonPerson.filter((x) => x.liId === l.liId && x.lpRole === 'teacher').map(({ suId }) => suId),
      ])
      return [...guides].flatMap((suId) => (known.has(suId!) ? [{ ...l, teacher: known.get(suId!)! }] : []))
    })
}
type Guided = ReturnType<typeof guidedBy>
const starsOf = (rows: Guided) => rows.flatMap(({ stars }) => stars)

/** The cards of teachers (docs/rules.md R50). */
function figures(rows: Guided, all: number): Record<string, number | null> {
  const people = new Set(rows.map(({ teacher }) => teacher)).size
  return {
    people,
    rate: share(people, all),
    perTeacher: part(rows.length, people),
    hours: units(sumOf(rows, ({ liHours }) => liHours)),
    times: sumOf(rows, ({ signed }) => signed),
    rating: starMean(starsOf(rows)),
  }
}

/** Teachers with what they guided, and the approvals that they decided in the period. */
function workOf({ raw }: Facts, p: Person, rows: Guided, wanted: Wanted) {
  const own = rows.filter(({ teacher }) => teacher === p)
  const circles = raw.circle.filter(
    (c) =>
      isOfKind(c, {}) &&
      c.ciStatus !== circleStatus.dissolved &&
      raw.circleTeacher.some((x) => x.ciId === c.ciId && x.suId === p.suId),
  ).length
  const handled = raw.approvalTask.filter(
    (t) =>
      t.checkerId === p.suId &&
      isOneOf(t.taskStatus, taskStatus.passed, taskStatus.refused) &&
      t.handleTime !== null &&
      within(t.handleTime, wanted),
  )
  const seconds = sumOf(
    handled,
    ({ arriveTime, handleTime }) => (Date.parse(handleTime!) - Date.parse(arriveTime)) / 1000,
  )
  return {
    p,
    own,
    suiNumber: p.suiNumber,
    lessons: own.length,
    circles,
    times: sumOf(own, ({ signed }) => signed),
    hours: sumOf(own, ({ liHours }) => liHours),
    rating: starMean(starsOf(own)),
    handled: handled.length,
    handleHours: part(seconds, handled.length * 3600),
  }
}

/** All calls about teachers for one selection. */
export async function teachers(
  asked: CallInput,
  wanted: Wanted,
  detail: {
    sort?: 'suiNumber' | 'lessons' | 'circles' | 'times' | 'hours' | 'handled'
    order?: 'asc' | 'desc'
    pageSize: number
    nth: number
  },
): Promise<void> {
  const { facts } = asked
  const oracle = asked.oracle(teacherStatApi.total)
  if (!oracle) return
  const people = oracle.staff(wanted.collegeId ? { collegeId: wanted.collegeId } : {})
  const rows = guidedBy(facts, people, wanted)
  await asked.cards(
    teacherStatApi.total,
    wanted,
    (span) => figures(guidedBy(facts, people, span), people.length),
    [],
    {},
    true,
  )
  const each = [...grouped(rows, ({ teacher }) => teacher)].map(([p, own]) => ({
    id: p.suId,
    name: p.suiName,
    num: own.length,
    stars: starsOf(own),
  }))
  await asked.same(
    teacherStatApi.activities,
    wanted,
    each
      .toSorted(
        by(
          ({ num }) => falling(num),
          ({ id }) => id,
        ),
      )
      .slice(0, 20)
      .map(({ id, name, num }) => ({ id, name, num })),
  )
  const exact = ({ stars }: (typeof each)[number]) => sumOf(stars, (star) => star) / stars.length
  await asked.same(
    teacherStatApi.score,
    wanted,
    each
      .filter(({ stars }) => stars.length > 0)
      .toSorted(
        by(
          (one) => falling(exact(one)),
          ({ id }) => id,
        ),
      )
      .slice(0, 20)
      .map(({ id, name, stars }) => ({ id, name, score: starMean(stars), times: stars.length })),
  )
  await asked.same(
    teacherStatApi.sex,
    wanted,
    dictionary.sex.flatMap(([key, name]) =>
      people.some((p) => p.suiSex === key) ? [{ key, name, value: people.filter((p) => p.suiSex === key).length }] : [],
    ),
  )
  await politicalStatus(asked, teacherStatApi.political, wanted, oracle.staff({}), people, () => ({}))
  await asked.same(
    teacherStatApi.colleges,
    wanted,
    [...grouped(people, (p) => p.suiCollegeId ?? '')]
      .map(([id, own]) => {
        const theirs = rows.filter(({ teacher }) => own.includes(teacher))
        const guiding = new Set(theirs.map(({ teacher }) => teacher)).size
        return {
          id,
          name: facts.collegeName(id, '校级部门'),
          num: theirs.length,
          people: guiding,
          total: own.length,
          rate: share(guiding, own.length),
        }
      })
      .toSorted(inChinese(({ num }) => num)),
  )

  const courses = (from: Guided) =>
    from
      .toSorted(
        by(
          (l) => falling(l.startTime),
          ({ liId }) => liId,
          ({ teacher }) => teacher.suId,
        ),
      )
      .map((l) => ({
        id: `${l.liId}:${l.teacher.suId}`,
        liId: l.liId,
        liName: l.liName,
        suId: l.teacher.suId,
        suiName: l.teacher.suiName,
        suiNumber: l.teacher.suiNumber,
        collegeName: facts.collegeName(l.teacher.suiCollegeId, ''),
        levelName: facts.levelName(l.liLevel),
        liStatus: l.liStatus,
        startTime: l.startTime,
        signed: l.signed,
        hours: text(l.liHours),
        rating: starMean(l.stars),
      }))
  await asked.list(teacherStatApi.lessons, wanted, courses(rows), detail.pageSize)
  const [one] = rows
  if (one)
    await asked.list(
      teacherStatApi.lessons,
      { ...wanted, suId: one.teacher.suId },
      courses(rows.filter(({ teacher }) => teacher === one.teacher)),
    )

  const { sort, order, pageSize, nth } = detail
  const work = people.map((p) => workOf(facts, p, rows, wanted))
  // who did nothing comes last, whichever way it is sorted
  const key = (row: (typeof work)[number]) => {
    const value = row[sort ?? 'suiNumber']
    const none =
      sort !== undefined &&
      sort !== 'suiNumber' &&
      (sort === 'handled' ? row.handled === 0 : sort === 'circles' ? row.circles === 0 : row.lessons === 0)
    return none ? null : order === 'desc' ? falling(value) : value
  }
  const listed = (from: typeof work) =>
    from
      .toSorted(by(key, ({ p }) => p.suiNumber))
      .map(({ p, lessons, circles, times, hours, rating, handled, handleHours }) => ({
        suId: p.suId,
        suiName: p.suiName,
        suiNumber: p.suiNumber,
        collegeName: facts.collegeName(p.suiCollegeId, ''),
        title: p.title === null ? '' : labelOf('teacher_title', p.title),
        lessons,
        circles,
        times,
        hours: text(hours),
        rating,
        handled,
        handleHours,
      }))
  const sorting = { ...(sort && { sort }), ...(order && { order }) }
  await asked.list(teacherStatApi.detail, { ...wanted, ...sorting }, listed(work), pageSize)
  const guiding = {
    1: (row: (typeof work)[number]) => row.lessons > 0,
    0: (row: (typeof work)[number]) => row.lessons === 0,
    rated: (row: (typeof work)[number]) => row.rating !== null,
    circle: (row: (typeof work)[number]) => row.circles > 0,
  }
  const [guides, sex] = [(['0', '1', 'rated', 'circle'] as const)[nth % 4]!, (['0', '1', '2', '9'] as const)[nth % 4]!]
  await asked.list(teacherStatApi.detail, { ...wanted, ...sorting, guides }, listed(work.filter(guiding[guides])))
  await asked.list(
    teacherStatApi.detail,
    { ...wanted, ...sorting, sex },
    listed(work.filter(({ p }) => p.suiSex === sex)),
  )
  await asked.list(
    teacherStatApi.detail,
    { ...wanted, ...sorting, lacking: 'college' },
    listed(work.filter(({ p }) => p.suiCollegeId === null)),
  )
}
