import { figure } from '../../core/service/figure.ts'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { lessonStatus } from '../../../contract/core/codes/programme.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { FlowDiagram } from '../../shared/flow-diagram/flow-diagram.tsx'
import { RecordTimeline } from '../../shared/record-timeline/record-timeline.tsx'
import { DetailPage } from '../../core/action/detail-page.tsx'
import { useTab } from '../../core/service/tab.ts'
import { useCall } from '../../core/service/use-call.ts'
import { useLeaveOnRemoval } from '../../core/screen/use-leave-on-removal.ts'
import { lessonPaths, useLessonActions } from './lesson-actions.tsx'
import { LessonFacts } from '../../shared/lessons/lesson-facts.tsx'
import { LessonFiles } from '../../shared/lessons/lesson-files.tsx'
import { LessonSeries } from './lesson-series.tsx'
import { LessonResults } from './lesson-results.tsx'
import { LessonStatus, periodText } from '../../shared/lessons/lesson-status.tsx'
import { Participants } from './participants.tsx'
import { PublicityList } from './publicity-list.tsx'
import { StageBar } from './stage-bar.tsx'
import '../../shared/lessons/lessons.css'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { Differences } from '../../shared/differences/differences.tsx'

const published = new Set<string>([
  lessonStatus.resultPassed,
  lessonStatus.inNotice,
  lessonStatus.questioned,
  lessonStatus.completed,
  lessonStatus.archived,
])

/** A course: what it is, where it stands, its people, results and everything that happened to it. */
export function LessonDetailPage() {
  const [query] = useSearchParams()
  const { path, close } = useTab()
  const list = path.startsWith(lessonPaths.own) ? lessonPaths.own : lessonPaths.list
  const { isGone, leave } = useLeaveOnRemoval(list)
  const {
    data: lesson,
    isPending,
    error,
    refetch,
  } = useCall(lessonApi.details, { liId: query.get('liId') ?? '' }, { enabled: !isGone })
  const { acts, dialogs } = useLessonActions('detail', leave)
  // links elsewhere know a course by its id alone; an industry course has a screen of its own
  const ownScreen =
    lesson?.liScheme === 'industry' && path === '/courseManagement/detailCurriculumList'
      ? lessonPaths.detail(lesson)
      : undefined
  useEffect(() => {
    if (ownScreen) close(ownScreen, true)
  }, [ownScreen])
  return (
    <>
      <DetailPage
        record={lesson}
        isLoading={isPending}
        reading={{ error, refetch }}
        noun="课程"
        list={list}
        name={({ liName }) => liName}
        status={(record) => <LessonStatus lesson={record} />}
        facts={({ liNo, lsName, liLevelName, liSponsorName, startTime, endTime }) =>
          [liNo, lsName, liLevelName, liSponsorName && `主办：${liSponsorName}`, periodText(startTime, endTime)]
            .filter(Boolean)
            .join(' · ')
        }
        actions={acts}
        before={(record) => (
          <>
            <StageBar lesson={record} />
            <ChangeNote lesson={record} />
          </>
        )}
        tabs={(record) => [
          { key: 'info', title: '基本信息', content: <LessonFacts lesson={record} /> },
          ...(record.series.length > 0
            ? [{ key: 'series', title: count('系列', record.series.length), content: <LessonSeries lesson={record} /> }]
            : []),
          {
            key: 'people',
            title: count('参与人员', record.applyCount),
            isWide: true,
            content: <Participants lesson={record} under="people" />,
          },
          { key: 'result', title: '结果与奖项', content: <LessonResults lesson={record} /> },
          ...(published.has(record.liStatus)
            ? [{ key: 'publicity', title: '公示名单', isWide: true, content: <PublicityList lesson={record} /> }]
            : []),
          {
            key: 'files',
            title: count('附件', record.liAttachments.length + record.extFiles.length + (record.liPlan ? 1 : 0)),
            content: <LessonFiles lesson={record} />,
          },
          { key: 'history', title: '动态', content: <RecordTimeline bizType="lesson" bizId={record.liId} /> },
        ]}
        side={(record) => <FlowDiagram flows={record.flows} upright title="审批进度" none="尚未提交审批" />}
      />
      {dialogs}
    </>
  )
}

const count = (title: string, number: number) => (number > 0 ? `${title} ${figure(number)}` : title)

/** Says that a change waits for approval and what it would change; nothing where none does. */
function ChangeNote({ lesson: { change } }: { lesson: LessonDetail }) {
  if (!change) return null
  return (
    <section className="card change-note" aria-label="变更审批中">
      <h2>变更审批中</h2>
      <p>
        {change.createName}于 {change.createTime.slice(0, 16)}{' '}
        申请变更；批准前课程保持已批准的内容，编辑、取消发布与提交结果暂不可用。
      </p>
      <Differences differences={change.differences} />
    </section>
  )
}
