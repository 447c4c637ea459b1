import type { Checked } from '../../../contract/core/call.ts'
import type { homeApi, HomeLesson, HomeNotice, HomeWarnings } from '../../../contract/programme/home/home.calls.ts'
import type { LessonRow } from '../../../contract/programme/lessons/lessons.schema.ts'
import { openTasks } from '../approvals/approvals.queries.ts'
import type { Context } from '../../core/request/context.ts'
import {
  agenda,
  ownLessonCounts,
  pendingRegistrations,
  publictyEnding,
  recentLessons,
} from '../lessons/lists/home.service.ts'
import { examWeeksBetween } from '../../school/school/plan-calendar.service.ts'
import { pickFields } from '../../core/base/pick-fields.ts'
import { figure } from '../../../contract/core/figure.ts'

/**
 * What other domains add to the first screen: news, what waits in circles and for a transcript, and who is warned.
 * Joined in by app.ts.
 */
export interface HomeProviders {
  news: (ctx: Context) => Promise<Omit<HomeNotice, 'kind'>[]>
  circles: (ctx: Context) => Promise<number>
  /** Null where students of the school cannot apply. */
  transcripts: (ctx: Context) => Promise<number | null>
  warnings: (ctx: Context) => Promise<HomeWarnings | null>
}

/** The queues that are counted, where they are worked off, and the right without which there is nothing to work off. */
const queues = [
  { kind: 'publish', title: '发布审批', permit: 'approval:publish', link: '/checkAdmin/publishCheck' },
  { kind: 'result', title: '结果审批', permit: 'approval:result', link: '/checkAdmin/resultCheck' },
  { kind: 'supplement', title: '补录审批', permit: 'approval:supplement', link: '/checkAdmin/supplementCheck' },
  { kind: 'question', title: '质疑举报审批', permit: 'approval:question', link: '/checkAdmin/informCheck' },
  {
    kind: 'registration',
    title: '报名待审核',
    permit: 'lesson:register',
    link: '/courseManagement/CurriculumList?myLesson=1&liStatus=30&pending=1&sort=pendingCount&order=desc',
    unit: '门课程',
  },
  {
    kind: 'transcript',
    title: '成绩单申请',
    permit: 'transcript:export',
    link: '/transcript/transcriptList?tab=applications&taStatus=0',
  },
  { kind: 'circle', title: '圈子审核', permit: 'circle:audit', link: '/communityAdmin/CommunityAudit?ciAuthStatus=0' },
] as const

async function counted(ctx: Context, { circles, transcripts }: HomeProviders) {
  const [tasks, registration, circle, transcript] = await Promise.all([
    openTasks(ctx),
    pendingRegistrations(ctx),
    circles(ctx),
    transcripts(ctx),
  ])
  const open = (bizType: string) => tasks.find((row) => row.bizType === bizType)
  const counts = {
    publish: open('publish')?.count ?? 0,
    result: open('result')?.count ?? 0,
    supplement: open('supplement')?.count ?? 0,
    question: open('question')?.count ?? 0,
    registration: registration.people,
    circle,
    transcript: transcript ?? 0,
  }
  return {
    counts,
    offersTranscripts: transcript !== null,
    // registrations are answered course by course
    registration,
    lateOf: (kind: string) => open(kind)?.late ?? 0,
    overdue: tasks.reduce((sum, { late }) => sum + late, 0),
  }
}

/** How many matters of each kind wait for the person. */
export const auditCount = (providers: HomeProviders) => async (ctx: Context) => {
  const { counts, overdue } = await counted(ctx, providers)
  return { ...counts, overdue, total: Object.values(counts).reduce((sum, count) => sum + count, 0) }
}

/**
 * The same as cards: those whose right the person holds, and any in which something waits for them. Each counts the
 * rows of the list that it leads to.
 */
export const todoCards = (providers: HomeProviders) => async (ctx: Context) => {
  const { counts, registration, lateOf, offersTranscripts } = await counted(ctx, providers)
  return queues
    .filter(({ kind }) => kind !== 'transcript' || offersTranscripts || counts.transcript > 0)
    .filter(({ kind, permit }) => ctx.actor.permits.has(permit) || counts[kind] > 0)
    .map(({ kind, title, link, ...more }) => ({
      kind,
      title,
      count: kind === 'registration' ? registration.lessons : counts[kind],
      unit: 'unit' in more ? more.unit : '项',
      detail: kind === 'registration' && registration.people > 0 ? `共 ${figure(registration.people)} 人待审核` : '',
      overdue: lateOf(kind),
      link,
    }))
}

/** The person's own courses by status. */
export const lessonsCount = (ctx: Context, { liStatus }: Checked<typeof homeApi.lessonsCount>) =>
  ownLessonCounts(ctx, liStatus)

/** Their latest courses. */
export const homeLessons = async (ctx: Context): Promise<HomeLesson[]> => (await recentLessons(ctx)).map(asCourse)

/** What takes place on some days. */
export async function homeAgenda(ctx: Context, input: Checked<typeof homeApi.agenda>) {
  const days = await agenda(ctx, input)
  const weeks = days.length > 0 ? await examWeeksBetween(ctx, days[0]!.date, days.at(-1)!.date) : []
  return days.map(({ events, ...day }) => ({
    ...day,
    exam: weeks.find(({ ewStart, ewEnd }) => ewStart <= day.date && day.date <= ewEnd)?.ewName ?? '',
    events: events.map(({ row, mine }) => ({ ...asCourse(row), mine })),
  }))
}

/** The courses whose public notice ends next. */
export const homePublicty = async (ctx: Context): Promise<HomeLesson[]> => (await publictyEnding(ctx)).map(asCourse)

/** News and courses in public notice, the latest first. */
export const homeNotices =
  ({ news }: HomeProviders) =>
  async (ctx: Context): Promise<HomeNotice[]> => {
    const [written, lessons] = await Promise.all([news(ctx), publictyEnding(ctx)])
    const notices = lessons.map(({ liId, liName, liPublictySdate, liPublictyEdate }) => ({
      kind: 'publicty' as const,
      id: liId,
      title: `《${liName}》结果公示中，至 ${liPublictyEdate?.slice(0, 16) ?? ''}`,
      time: liPublictySdate ?? '',
      link: `/courseManagement/detailCurriculumList?liId=${liId}`,
    }))
    return [...written.map((one) => ({ kind: 'news' as const, ...one })), ...notices]
      .toSorted((a, b) => (a.time < b.time ? 1 : -1))
      .slice(0, 20)
  }

const asCourse = (lesson: LessonRow): HomeLesson =>
  pickFields(lesson, [
    'liId',
    'liName',
    'liScheme',
    'liStatus',
    'liPhase',
    'startTime',
    'endTime',
    'placeText',
    'liPrincipalName',
    'passCount',
    'quota',
    'signCount',
    'pendingCount',
    'liPublictySdate',
    'liPublictyEdate',
    'can',
  ])
