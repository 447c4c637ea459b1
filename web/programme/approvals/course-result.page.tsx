import { useSearchParams } from 'react-router'
import { lessonCaseApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { applyStatus } from '../../../contract/core/codes/programme.ts'
import { registrationApi } from '../../../contract/programme/lessons/registration.calls.ts'
import { ExportButton } from '../../core/action/export.tsx'
import { DictionaryFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { PageHead } from '../../core/screen/page-head.tsx'
import { ReadFailurePage } from '../../core/screen/read-failure.tsx'
import { useTabTitle } from '../../core/service/tab.ts'
import { useCall } from '../../core/service/use-call.ts'
import { useList } from '../../core/list/use-list.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { LessonStatus, periodText } from '../../shared/lessons/lesson-status.tsx'
import { participantColumnsOf } from '../../shared/lessons/participant-columns.tsx'
import { ResultTable } from './case-parts.tsx'
import { queues } from './queues.ts'
import '../../shared/lessons/lessons.css'
import '../../shared/approvals/approvals.css'

/** The result of a course, person by person, to be read by those who decide on it. */
export function CourseResultPage() {
  const [query] = useSearchParams()
  const liId = query.get('liId') ?? ''
  const { data, isPending, error, refetch } = useCall(lessonCaseApi.lessonResult, { liId })
  const list = useList(registrationApi.view, { fixed: { liId, laStatus: applyStatus.accepted } })
  useTabTitle(data && `结果 · ${data.lesson.liName}`)
  if (!data && !isPending) return <ReadFailurePage reading={{ error, refetch }} noun="课程" list={queues.result.path} />
  const lesson = data?.lesson
  return (
    <div className="page">
      <PageHead
        title={lesson?.liName ?? '课程结果'}
        status={lesson && <LessonStatus lesson={lesson} />}
        tools={lesson?.can.includes('export') && <ExportButton to={registrationApi.export} list={list} />}
        facts={
          lesson && `课程结果 · ${periodText(lesson.startTime, lesson.endTime)} · 负责人 ${lesson.liPrincipalName}`
        }
      />
      <div className="card result-summary">
        {data ? <ResultTable results={data.results} /> : <ReadSkeleton title={false} paragraph={{ rows: 4 }} />}
        {lesson?.resultSummary && <p className="case-summary">{lesson.resultSummary}</p>}
      </div>
      <ListTable
        list={list}
        rowKey="laId"
        name="result"
        filters={
          <>
            <TextFilter name="suiName" label="姓名" />
            <TextFilter name="suiNumber" label="学号" />
            <DictionaryFilter name="laSignStatus" label="签到" type="sign_status" />
            <DictionaryFilter name="laResult" label="结果" type="result_status" />
          </>
        }
        columns={participantColumnsOf(lesson ?? { applyUnit: '', workRequest: '' }).filter(
          ({ dataIndex }) => dataIndex !== 'laStatus',
        )}
        empty={{ text: '没有已录取的参与人员' }}
      />
    </div>
  )
}
