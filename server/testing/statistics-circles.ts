import { yesNo } from '../../contract/core/codes/platform.ts'
import {
  circleApplyType,
  circleAuthStatus,
  circleMemberRole,
  circleStatus,
} from '../../contract/core/codes/programme.ts'
import { addDays, addMinutes } from '../core/base/clock.ts'
import { newId } from '../core/base/ids.ts'
import { bulkInsert } from '../demo/bulk.ts'
import { unique } from './school.ts'
import type { StatisticsWorld } from './statistics-world.ts'

/** Circles of every standing with members that came and left, and a share of the courses that are there. */
export async function addCircles(
  {
    school,
    colleges,
    students,
    staff,
    lessons,
    random,
  }: Pick<StatisticsWorld, 'school' | 'colleges' | 'students' | 'staff' | 'lessons' | 'random'>,
  count: number,
): Promise<Pick<StatisticsWorld, 'circles' | 'circleClasses' | 'sdId'>> {
  const {
    ctx: { db, clock },
    schoolId,
  } = school
  const now = clock.now()
  const ago = (days: number) => addMinutes(addDays(now, -random.whole(0, days)), -random.whole(0, 1400))
  const circleClasses = (
    await db
      .selectFrom('circleClass')
      .select('ccId')
      .where('schoolId', '=', schoolId)
      .orderBy('ccSort')
      .limit(3)
      .execute()
  ).map(({ ccId }) => ccId)
  const sdId = await school.department()
  const circles = Array.from({ length: count }, (_, at) => ({
    schoolId,
    ciId: newId(),
    ciNo: `Q${at}`,
    ciName: `圈子${unique()}`,
    ciClass: random.one(circleClasses),
    ciLevel: random.one(['1', '2']),
    ciCollegeId: random.odds(0.7) ? random.one(colleges) : null,
    guideUnitId: random.odds(0.4) ? sdId : null,
    cpiPersonId: random.one(students),
    foundDate: random.odds(0.8) ? ago(500).slice(0, 10) : null,
    ciStatus: random.one(['1', '1', '1', '0', '2', '9']),
    ciAuthStatus: random.odds(0.9) ? circleAuthStatus.passed : circleAuthStatus.pending,
    delFlag: random.odds(0.08) ? yesNo.yes : yesNo.no,
    createTime: ago(500),
    updateTime: ago(100),
  }))
  await bulkInsert(
    db,
    'circle',
    circles.map((row) => ({ ...row })),
  )
  await bulkInsert(
    db,
    'circleTeacher',
    circles.flatMap(({ ciId }) => random.some(staff, random.whole(0, 2)).map((suId) => ({ schoolId, ciId, suId }))),
  )
  await bulkInsert(
    db,
    'circleMember',
    circles.flatMap(({ ciId }) =>
      random.some(students, random.whole(1, 30)).map((suId) => {
        const joinTime = ago(500)
        return {
          schoolId,
          cpiId: newId(),
          ciId,
          suId,
          cmRole: circleMemberRole.member,
          joinTime,
          quitTime: random.odds(0.25) ? addDays(joinTime, random.whole(1, 300)) : null,
        }
      }),
    ),
  )
  await bulkInsert(
    db,
    'circleApply',
    circles
      .filter(({ ciStatus }) => ciStatus === circleStatus.dissolved && random.odds(0.7))
      .map(({ ciId, cpiPersonId }) => ({
        schoolId,
        caId: newId(),
        caType: circleApplyType.dissolution,
        ciId,
        cpiPersonId,
        ciAuthStatus: circleAuthStatus.passed,
        applyReason: '',
        applyName: '',
        auditTime: ago(300),
      })),
  )
  const reviewed = circles.filter(() => random.odds(0.5))
  await bulkInsert(
    db,
    'circleReview',
    reviewed.flatMap(({ ciId }) =>
      [2025, 2026].map((crYear) => ({
        schoolId,
        ciId,
        crYear,
        crResult: random.one(['1', '2', '3']),
        crStar: crYear === 2025 ? '3' : null,
        caId: newId(),
      })),
    ),
  )
  for (const liId of random.some(lessons, Math.round(lessons.length * 0.7)))
    await db
      .updateTable('lesson')
      .set({ liCircleId: random.one(circles).ciId })
      .where('schoolId', '=', schoolId)
      .where('liId', '=', liId)
      .execute()
  return { circles: circles.map(({ ciId }) => ciId), circleClasses, sdId }
}
