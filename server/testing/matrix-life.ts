import { newsClass } from '../../contract/core/codes/platform.ts'
import {
  circleApplyType,
  circleAuthStatus,
  circleMemberRole,
  circleStatus,
  questionType,
} from '../../contract/core/codes/programme.ts'
import { addDays } from '../core/base/clock.ts'
import { newId } from '../core/base/ids.ts'
import { unique, type TestSchool } from './school.ts'

interface CirclePlace {
  canary: string
  college: string | null
  student: string
  teacher: string
}

/** A circle led by the student and guided by the teacher, who has applied to close it, in a category of its own. */
export async function circleOf({ ctx, schoolId }: TestSchool, { canary, college, student, teacher }: CirclePlace) {
  const [circle, circleClass, circleApply] = [newId(), newId(), newId()]
  await ctx.db
    .insertInto('circleClass')
    .values({ schoolId, ccId: circleClass, ccName: `${canary}类` })
    .execute()
  await ctx.db
    .insertInto('circle')
    .values({
      schoolId,
      ciId: circle,
      ciNo: unique(),
      ciName: `${canary}圈子`,
      ciClass: circleClass,
      ciCollegeId: college,
      cpiPersonId: student,
      ciStatus: circleStatus.enabled,
      ciAuthStatus: circleAuthStatus.passed,
    })
    .execute()
  await ctx.db
    .insertInto('circleMember')
    .values({ schoolId, cpiId: newId(), ciId: circle, suId: student, cmRole: circleMemberRole.president })
    .execute()
  await ctx.db.insertInto('circleTeacher').values({ schoolId, ciId: circle, suId: teacher }).execute()
  await ctx.db
    .insertInto('circleApply')
    .values({
      schoolId,
      caId: circleApply,
      caType: circleApplyType.dissolution,
      ciId: circle,
      cpiPersonId: student,
      applyReason: `${canary}申请`,
      applyBy: teacher,
    })
    .execute()
  return { circle, circleClass, circleApply }
}

/** An unpublished news item of a college, in a type of its own. */
export async function newsOf(
  { ctx, schoolId }: TestSchool,
  { canary, college, createBy }: { canary: string; college: string | null; createBy?: string },
) {
  const [news, newsType] = [newId(), newId()]
  await ctx.db
    .insertInto('newsType')
    .values({ schoolId, ntId: newsType, ntName: `${canary}栏目` })
    .execute()
  await ctx.db
    .insertInto('news')
    .values({
      schoolId,
      niId: news,
      ntId: newsType,
      niTitle: `${canary}新闻`,
      niClass: newsClass.article,
      niDetail: `<p>${canary}</p>`,
      niCollegeId: college,
      createBy: createBy ?? null,
    })
    .execute()
  return { news, newsType }
}

/** A question about the participation of the student in the course. */
export async function disputeOf(
  { ctx, schoolId }: TestSchool,
  { canary, lesson, student, reporter }: { canary: string; lesson: string; student: string; reporter: string },
) {
  const dispute = newId()
  await ctx.db
    .insertInto('question')
    .values({
      schoolId,
      qId: dispute,
      liId: lesson,
      targetSuId: student,
      reporterSuId: reporter,
      qType: questionType.missing,
      qContent: `${canary}质疑`,
      deadline: addDays(ctx.clock.now(), 5),
    })
    .execute()
  return { question: dispute }
}

/** A message that somebody has sent to somebody else. */
export async function messageOf(
  { ctx, schoolId }: TestSchool,
  { canary, from, to }: { canary: string; from: string; to: string },
) {
  const [message, letter] = [newId(), newId()]
  await ctx.db
    .insertInto('information')
    .values({
      schoolId,
      iiId: message,
      iiTitle: `${canary}消息`,
      iiContent: canary,
      createBy: from,
      createName: canary,
    })
    .execute()
  await ctx.db.insertInto('informationReceiver').values({ schoolId, iurId: letter, iiId: message, suId: to }).execute()
  return { message, letter }
}
