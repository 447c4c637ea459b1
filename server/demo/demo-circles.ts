import {
  circleApplyType,
  circleAuthStatus,
  circleLevel,
  circleMemberRole,
  circleReview,
  circleStar,
  circleStatus,
  signStatus,
} from '../../contract/core/codes/programme.ts'
import { addDays } from '../core/base/clock.ts'
import { bulkInsert } from './bulk.ts'
import { personas, type DemoAccounts } from './demo-accounts.ts'
import type { DemoStudent, DemoTeacher } from './demo-people.ts'
import type { DemoSchool } from './demo-school.ts'

/** [name, kind, level: 1 school, 2 college] */
const circles: readonly (readonly [string, string, '1' | '2'])[] = [
  ['青年马克思主义学习社', '思想政治类', '1'],
  ['大学生艺术团', '文化体育类', '1'],
  ['计算机协会', '学术科技类', '2'],
  ['青年志愿者协会', '志愿公益类', '1'],
  ['创新创业俱乐部', '创新创业类', '1'],
  ['心理互助社', '自律互助类', '1'],
  ['英语演讲俱乐部', '学术科技类', '2'],
  ['篮球协会', '文化体育类', '1'],
  ['书法社', '文化体育类', '1'],
  ['数学建模协会', '学术科技类', '2'],
  ['环保志愿者联盟', '志愿公益类', '1'],
  ['机器人社', '学术科技类', '2'],
  ['摄影协会', '文化体育类', '1'],
  ['辩论社', '学术科技类', '1'],
  ['羽毛球协会', '文化体育类', '1'],
  ['红十字会学生分会', '志愿公益类', '1'],
  ['话剧社', '文化体育类', '1'],
  ['国学社', '思想政治类', '1'],
  ['天文爱好者协会', '其他', '1'],
  ['无人机俱乐部', '创新创业类', '2'],
]

/** The departments that guide circles of a kind; those of all others are guided by the one for circles. */
const units: Record<string, string> = {
  志愿公益类: '实践部',
  创新创业类: '创新创业部',
  自律互助类: '心理健康中心',
}

interface People {
  students: DemoStudent[]
  teachers: DemoTeacher[]
  accounts: DemoAccounts
  colleges: { scId: string }[]
  departments: { sdId: string; sdName: string }[]
}

/**
 * Circles with members, guides and applications of every kind; their courses are some of the school's that are there
 * already.
 */
export async function makeCircles(
  school: DemoSchool,
  { students, teachers, accounts, colleges, departments }: People,
): Promise<void> {
  const { db, schoolId, stamp, random, size, now } = school
  const classes = new Map(
    (await db.selectFrom('circleClass').select(['ccId', 'ccName']).where('schoolId', '=', schoolId).execute()).map(
      ({ ccId, ccName }) => [ccName, ccId],
    ),
  )
  const unitOf = (name: string) => departments.find(({ sdName }) => sdName === name)?.sdId
  const clubUnit = unitOf('社团管理部') ?? null
  const enrolled = students.filter((one) => one.enrolled)
  // docs/rules.md R55: 60 circles for 6,000 students; a handful of students has a circle or two
  const count = Math.min(
    60,
    Math.max(Math.min(circles.length, Math.ceil(size.students / 5)), Math.round(size.students / 100)),
  )
  const made = Array.from({ length: count }, (_, at) => {
    const [name, kind, ciLevel] = circles[at % circles.length]!
    const college = at % colleges.length
    const ofCollege = enrolled.filter((one) => one.college === college)
    const members = random.some(
      ciLevel === circleLevel.college && ofCollege.length > 0 ? ofCollege : enrolled,
      at % 7 === 3 ? random.whole(8, 18) : random.whole(20, 70),
    )
    const leader = members[0]!
    const teacherIds = [at % 5 === 0 ? accounts.teacher : random.one(teachers).suId]
    const founding = at % 20 === 18
    // how many days it has been there: most of them for years
    const age = at % 7 === 5 ? random.whole(15, 60) : random.whole(400, 2000)
    const row = {
      ...stamp,
      createTime: addDays(now, -(founding ? random.whole(1, 9) : age)),
      ciId: random.id(),
      ciNo: `QZ${now.slice(0, 4)}-${String(at + 1).padStart(3, '0')}`,
      ciName: at < circles.length ? name : `${name}（${Math.floor(at / circles.length) + 1} 队）`,
      ciClass: classes.get(kind)!,
      ciLevel,
      ciCollegeId: ciLevel === circleLevel.college ? colleges[college]!.scId : null,
      guideUnitId: unitOf(units[kind] ?? '') ?? clubUnit,
      ciDesc: `${name}面向全校同学招新，每周开展一次例会与练习，每学期举办两次展示活动。\n欢迎有兴趣的同学加入。`,
      cpiPersonId: leader.suId,
      foundDate: founding ? null : addDays(now, -age).slice(0, 10),
      memberMax: 300,
      joinMode: random.one(['1', '2', '2']),
      ciStatus: founding
        ? circleStatus.disabled
        : at % 20 === 12
          ? circleStatus.rectifying
          : at % 20 === 15
            ? circleStatus.disabled
            : at % 20 === 16
              ? circleStatus.dissolved
              : circleStatus.enabled,
      ciAuthStatus: founding ? circleAuthStatus.pending : circleAuthStatus.passed,
    }
    return { row, members, leader, teacherIds, age }
  })
  await bulkInsert(
    db,
    'circle',
    made.map(({ row }) => row),
  )
  await bulkInsert(
    db,
    'circleTeacher',
    made.flatMap(({ row: { ciId }, teacherIds }) => teacherIds.map((suId) => ({ schoolId, ciId, suId }))),
  )
  // the founders are there from the first day, others joined since
  const joined = made.flatMap(({ row: { ciId, createTime }, members, age }) =>
    members.map(({ suId }, at) => ({
      schoolId,
      cpiId: random.id(),
      ciId,
      suId,
      cmRole:
        at === 0
          ? circleMemberRole.president
          : at < 3
            ? circleMemberRole.vicePresident
            : at < 6
              ? circleMemberRole.head
              : circleMemberRole.member,
      joinTime: at < 12 ? createTime : addDays(now, -random.whole(0, Math.min(age, 700))),
    })),
  )
  const founded = made.filter(({ row }) => row.ciAuthStatus === circleAuthStatus.passed)
  await bulkInsert(db, 'circleMember', [...joined, ...(await holdLessons(school, founded, joined))])
  const leaders = [...new Set(founded.map(({ leader }) => leader.suId))]
  await bulkInsert(
    db,
    'roleUser',
    leaders.map((suId) => ({ schoolId, srId: school.start.roles['CLUB_LEAD']!, suId })),
  )
  const year = Number(now.slice(0, 4))
  const stars = [circleStar.three, circleStar.five, circleStar.plain, circleStar.four]
  // a year is reviewed at its end
  const reviewTime = `${year - 1}-12-15 10:00:00`
  const reviews = founded
    .filter(({ age }) => age >= 400)
    .map(({ row, leader, teacherIds }, at) => ({
      row,
      leader,
      teacherIds,
      caId: random.id(),
      crResult:
        row.ciStatus === circleStatus.rectifying
          ? circleReview.rectify
          : at % 9 === 4
            ? circleReview.failed
            : circleReview.passed,
      crStar: row.ciStatus !== circleStatus.rectifying && at % 9 !== 4 ? stars[at % stars.length]! : null,
    }))
  await bulkInsert(db, 'circleApply', [
    ...made.flatMap(({ row: { ciId, ciAuthStatus, ciStatus }, members, leader, teacherIds }, at) => {
      const apply = (caType: string, cpiPersonId: string, applyReason: string, more: object = {}) => ({
        schoolId,
        caId: random.id(),
        caType,
        ciId,
        cpiPersonId,
        ciAuthStatus: circleAuthStatus.pending,
        applyReason,
        crYear: null as number | null,
        crResult: null as string | null,
        crStar: null as string | null,
        applyBy: teacherIds[0]!,
        applyName: '指导老师',
        applyTime: addDays(now, -random.whole(1, 9)),
        auditName: '',
        auditTime: null as string | null,
        reason: '',
        ...more,
      })
      if (ciAuthStatus === circleAuthStatus.pending)
        return [apply(circleApplyType.founding, leader.suId, '申请成立圈子')]
      if (ciStatus === circleStatus.dissolved)
        return [
          apply(circleApplyType.dissolution, leader.suId, '成员陆续毕业，申请注销', {
            applyTime: addDays(now, -20),
            ciAuthStatus: circleAuthStatus.passed,
            auditName: personas.admin,
            auditTime: addDays(now, -18),
          }),
        ]
      if (at % 6 === 1 && members[1])
        return [apply(circleApplyType.handOver, members[1].suId, '原负责人即将实习，拟由副会长接任')]
      if (at % 6 === 2)
        return [
          apply(circleApplyType.yearlyReview, leader.suId, '本年度按计划开展活动，申请年审', {
            crYear: year,
            crResult: circleReview.passed,
            crStar: circleStar.four,
          }),
        ]
      if (at % 6 === 4)
        return [
          apply(circleApplyType.dissolution, leader.suId, '成员人数不足，申请注销', {
            ciAuthStatus: circleAuthStatus.refused,
            auditName: personas.admin,
            auditTime: addDays(now, -1),
            reason: '请先与成员协商后再申请',
          }),
        ]
      return []
    }),
    ...reviews.map(({ row: { ciId }, leader, teacherIds, caId, crResult, crStar }) => ({
      schoolId,
      caId,
      caType: circleApplyType.yearlyReview,
      ciId,
      cpiPersonId: leader.suId,
      ciAuthStatus: circleAuthStatus.passed,
      applyReason: '上一年度工作总结已提交，申请年审',
      crYear: year - 1,
      crResult,
      crStar,
      applyBy: teacherIds[0]!,
      applyName: '指导老师',
      applyTime: `${year - 1}-12-10 09:30:00`,
      auditName: personas.admin,
      auditTime: reviewTime,
      reason: '',
    })),
  ])
  await bulkInsert(
    db,
    'circleReview',
    reviews.map(({ row: { ciId }, caId, crResult, crStar }) => ({
      schoolId,
      ciId,
      crYear: year - 1,
      crResult,
      crStar,
      activityCount: random.whole(1, 8),
      caId,
      reviewTime,
    })),
  )
}

interface Made {
  row: { ciId: string; ciStatus: string; ciCollegeId: string | null; foundDate: string | null }
}

/**
 * A circle's courses: some of those of its college, or any for circles of the school, from its first day on. Every
 * tenth circle holds none. Returns the participants who joined for it.
 */
async function holdLessons(
  { db, schoolId, random }: DemoSchool,
  founded: readonly Made[],
  joined: readonly { ciId: string; suId: string }[],
) {
  const able = founded.filter(({ row }, at) => row.ciStatus === circleStatus.enabled && at % 10 !== 7)
  const lessons = await db
    .selectFrom('lesson')
    .select(['liId', 'liCollegeId', 'startTime'])
    .where('schoolId', '=', schoolId)
    .orderBy('liNo')
    .execute()
  const held = lessons
    .filter((_, at) => at % 3 !== 1)
    .flatMap(({ liId, liCollegeId, startTime }) => {
      const fit = able.filter(
        ({ row }) => (row.ciCollegeId === null || row.ciCollegeId === liCollegeId) && row.foundDate! < startTime,
      )
      // a college's own circles come first; some hold far more than others
      const own = fit.filter(({ row }) => row.ciCollegeId !== null)
      const from = own.length > 0 && random.odds(0.5) ? own : fit
      return from.length > 0
        ? [{ liId, ciId: from[Math.floor(from.length * random.next() ** 1.6)]!.row.ciId, startTime }]
        : []
    })
  if (held.length === 0) return []
  for (const ciId of new Set(held.map((one) => one.ciId)))
    await db
      .updateTable('lesson')
      .set({ liCircleId: ciId })
      .where('schoolId', '=', schoolId)
      .where(
        'liId',
        'in',
        held.filter((one) => one.ciId === ciId).map(({ liId }) => liId),
      )
      .execute()
  const came = await db
    .selectFrom('registration')
    .select(['liId', 'suId'])
    .where('schoolId', '=', schoolId)
    .where(
      'liId',
      'in',
      held.map(({ liId }) => liId),
    )
    .where('laSignStatus', '=', signStatus.signedIn)
    .orderBy('laId')
    .execute()
  const byLesson = new Map<string, string[]>()
  for (const { liId, suId } of came) byLesson.set(liId, [...(byLesson.get(liId) ?? []), suId].slice(0, 3))
  const known = new Set(joined.map(({ ciId, suId }) => `${ciId} ${suId}`))
  return held.flatMap(({ liId, ciId, startTime }) =>
    (byLesson.get(liId) ?? []).flatMap((suId) => {
      if (known.has(`${ciId} ${suId}`)) return []
      known.add(`${ciId} ${suId}`)
      return [
        { schoolId, cpiId: random.id(), ciId, suId, cmRole: circleMemberRole.member, joinTime: addDays(startTime, -5) },
      ]
    }),
  )
}
