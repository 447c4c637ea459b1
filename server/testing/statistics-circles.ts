import { addDays, addMinutes } from '../core/clock.ts'
import { newId } from '../core/ids.ts'
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
    luck,
  }: Pick<StatisticsWorld, 'school' | 'colleges' | 'students' | 'staff' | 'lessons' | 'luck'>,
  count: number,
): Promise<Pick<StatisticsWorld, 'circles' | 'circleClasses' | 'sdId'>> {
  const {
    ctx: { db, clock },
    schoolId,
  } = school
  const now = clock.now()
  const ago = (days: number) => addMinutes(addDays(now, -luck.whole(0, days)), -luck.whole(0, 1400))
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
    ciClass: luck.one(circleClasses),
    ciLevel: luck.one(['1', '2']),
    ciCollegeId: luck.odds(0.7) ? luck.one(colleges) : null,
    guideUnitId: luck.odds(0.4) ? sdId : null,
    cpiPersonId: luck.one(students),
    foundDate: luck.odds(0.8) ? ago(500).slice(0, 10) : null,
    ciStatus: luck.one(['1', '1', '1', '0', '2', '9']),
    ciAuthStatus: luck.odds(0.9) ? '1' : '0',
    delFlag: luck.odds(0.08) ? '1' : '0',
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
    circles.flatMap(({ ciId }) => luck.some(staff, luck.whole(0, 2)).map((suId) => ({ schoolId, ciId, suId }))),
  )
  await bulkInsert(
    db,
    'circleMember',
    circles.flatMap(({ ciId }) =>
      luck.some(students, luck.whole(1, 30)).map((suId) => {
        const joinTime = ago(500)
        return {
          schoolId,
          cpiId: newId(),
          ciId,
          suId,
          cmRole: '5',
          joinTime,
          quitTime: luck.odds(0.25) ? addDays(joinTime, luck.whole(1, 300)) : null,
        }
      }),
    ),
  )
  await bulkInsert(
    db,
    'circleApply',
    circles
      .filter(({ ciStatus }) => ciStatus === '9' && luck.odds(0.7))
      .map(({ ciId, cpiPersonId }) => ({
        schoolId,
        caId: newId(),
        caType: '5',
        ciId,
        cpiPersonId,
        ciAuthStatus: '1',
        applyReason: '',
        applyName: '',
        auditTime: ago(300),
      })),
  )
  const reviewed = circles.filter(() => luck.odds(0.5))
  await bulkInsert(
    db,
    'circleReview',
    reviewed.flatMap(({ ciId }) =>
      [2025, 2026].map((crYear) => ({ schoolId, ciId, crYear, crResult: luck.one(['1', '2', '3']), caId: newId() })),
    ),
  )
  for (const liId of luck.some(lessons, Math.round(lessons.length * 0.7)))
    await db
      .updateTable('lesson')
      .set({ liCircleId: luck.one(circles).ciId })
      .where('schoolId', '=', schoolId)
      .where('liId', '=', liId)
      .execute()
  return { circles: circles.map(({ ciId }) => ciId), circleClasses, sdId }
}
