import { Skeleton } from 'antd'
import { useSearchParams } from 'react-router'
import { lessonCaseApi } from '../../contract/approvals/approvals.calls.ts'
import { applyStatus } from '../../contract/core/codes/programme.ts'
import { registrationApi } from '../../contract/lessons/registration.calls.ts'
import { EmptyState } from '../core/empty-state.tsx'
import { DictionaryFilter, TextFilter } from '../core/filters.tsx'
import { ListTable } from '../core/list-table.tsx'
import { PageHead } from '../core/page-head.tsx'
import { useTabTitle } from '../core/tab.ts'
import { useCall } from '../core/use-call.ts'
import { useList } from '../core/use-list.ts'
import { LessonStatus, periodText } from '../lessons/lesson-status.part.tsx'
import { participantColumns } from '../lessons/participant-columns.part.tsx'
import { ResultTable } from './case-parts.tsx'
import '../styles/lessons.css'
import '../styles/approvals.css'

/** The result of a course, person by person, to be read by those who decide on it. */
export function CourseResultPage() {
  const [query] = useSearchParams()
  const liId = query.get('liId') ?? ''
  const { data, isPending } = useCall(lessonCaseApi.lessonResult, { liId })
  const list = useList(registrationApi.view, { fixed: { liId, laStatus: applyStatus.accepted } })
  useTabTitle(data && `结果 · ${data.lesson.liName}`)
  if (isPending)
    return (
      <div className="page">
        <Skeleton active paragraph={{ rows: 10 }} />
      </div>
    )
  if (!data)
    return (
      <div className="page">
        <div className="card">
          <EmptyState text="该课程不存在或已删除" />
        </div>
      </div>
    )
  const { lesson, results } = data
  return (
    <div className="page">
      <PageHead
        title={lesson.liName}
        status={<LessonStatus lesson={lesson} />}
        facts={`课程结果 · ${periodText(lesson.startTime, lesson.endTime)} · 负责人 ${lesson.liPrincipalName}`}
      />
      <div className="card result-summary">
        <ResultTable results={results} />
        {lesson.resultSummary && <p className="case-summary">{lesson.resultSummary}</p>}
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
        columns={participantColumns.filter(({ dataIndex }) => dataIndex !== 'laStatus')}
        empty={{ text: '没有已录取的参与人员' }}
      />
    </div>
  )
}
