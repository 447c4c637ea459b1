import { abilityStatApi } from '../../../contract/outcomes/statistics/ability-statistics.calls.ts'
import { circleStatApi } from '../../../contract/outcomes/statistics/circle-statistics.calls.ts'
import { lessonStatApi } from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { activeApi, loginStatApi } from '../../../contract/outcomes/statistics/login-statistics.calls.ts'
import { studentStatApi } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import { supplementStatApi } from '../../../contract/outcomes/statistics/supplement-statistics.calls.ts'
import { teacherStatApi } from '../../../contract/outcomes/statistics/teacher-statistics.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { exportAbilities } from './ability-export.ts'
import { abilityByCollege, abilityByGrade, abilityByLabel } from './ability-statistics.queries.ts'
import { kept } from './answer-cache.ts'
import { circleLessons, circlesDetail, exportCircleLessons, exportCircleStatistics } from './circle-detail.queries.ts'
import {
  circleMembers,
  circlesByClass,
  circlesByCollege,
  circleTotal,
  liveliestCircles,
  topReleases,
} from './circle-statistics.queries.ts'
import {
  exportGuidedLessons,
  exportLessonsDetail,
  exportLoginDetail,
  exportStudentsDetail,
  exportSupplementsDetail,
  exportTeachersDetail,
} from './detail-exports.ts'
import { lessonsDetail } from './lesson-detail.queries.ts'
import { liveliestLessons } from './lesson-liveliness.queries.ts'
import { lessonRatings, lessonsByCollege, lessonsByLevel, lessonsInfo } from './lesson-statistics.queries.ts'
import { loginDetail } from './login-detail.queries.ts'
import { activePeople, loginsByCollege, loginsByGrade } from './login-statistics.queries.ts'
import { politicalShares, teachersByPoliticalStatus } from './political-status.queries.ts'
import { studentsDetail } from './student-detail.queries.ts'
import {
  averageActivity,
  averageScore,
  credibilityShares,
  gradesBySex,
  sexShares,
  studentColleges,
  studentGrades,
  studentTotal,
  topStudents,
} from './student-statistics.queries.ts'
import { supplementsDetail } from './supplement-detail.queries.ts'
import {
  supplementInfo,
  supplementsByLevel,
  supplementsByModule,
  supplementsByMonth,
} from './supplement-statistics.queries.ts'
import {
  teachersByActivity,
  teachersByCollege,
  teachersByScore,
  teachersBySex,
  teacherTotal,
} from './teacher-statistics.queries.ts'
import { guidedLessons, teachersDetail } from './teacher-detail.queries.ts'

export const statisticsRoutes = [
  ...routes(loginStatApi, {
    college: loginsByCollege,
    grade: loginsByGrade,
    detail: kept('loginDetail', loginDetail),
    exportDetail: exportLoginDetail,
  }),
  ...routes(activeApi, { info: activePeople }),
  ...routes(lessonStatApi, {
    info: lessonsInfo,
    colleges: lessonsByCollege,
    evaluate: lessonRatings,
    level: lessonsByLevel,
    activityScore: liveliestLessons,
    detail: kept('lessonDetail', lessonsDetail),
    exportDetail: exportLessonsDetail,
  }),
  ...routes(supplementStatApi, {
    info: supplementInfo,
    classes: supplementsByModule,
    levels: supplementsByLevel,
    months: supplementsByMonth,
    detail: kept('supDetail', supplementsDetail),
    exportDetail: exportSupplementsDetail,
  }),
  ...routes(abilityStatApi, {
    colleges: abilityByCollege,
    labels: abilityByLabel,
    grades: abilityByGrade,
    exportList: exportAbilities,
  }),
  ...routes(circleStatApi, {
    total: circleTotal,
    classes: circlesByClass,
    members: circleMembers,
    colleges: circlesByCollege,
    releases: topReleases,
    ranking: liveliestCircles,
    lessons: kept('circleLessons', circleLessons),
    detail: kept('circleDetail', circlesDetail),
    exportLessons: exportCircleLessons,
    exportList: exportCircleStatistics,
  }),
  ...routes(studentStatApi, {
    colleges: studentColleges,
    grades: studentGrades,
    total: studentTotal,
    activity: averageActivity,
    score: averageScore,
    credit: credibilityShares,
    gradeSex: gradesBySex,
    ranking: topStudents,
    political: politicalShares,
    sex: sexShares,
    detail: kept('studentDetail', studentsDetail),
    exportDetail: exportStudentsDetail,
  }),
  ...routes(teacherStatApi, {
    total: teacherTotal,
    activities: teachersByActivity,
    score: teachersByScore,
    political: teachersByPoliticalStatus,
    sex: teachersBySex,
    colleges: teachersByCollege,
    lessons: kept('guidedLessons', guidedLessons),
    detail: kept('teacherDetail', teachersDetail),
    exportDetail: exportTeachersDetail,
    exportLessons: exportGuidedLessons,
  }),
]
