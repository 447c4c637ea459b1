import { useState } from 'react'
import { Link } from 'react-router'
import { recordStatus } from '../../../contract/core/codes/outcomes.ts'
import { labelIn } from '../../../contract/core/codes/code-list.ts'
import { personLessonApi, type StudentLesson } from '../../../contract/programme/lessons/person-lessons.calls.ts'
import {
  studentSupplementApi,
  type StudentSupplement,
} from '../../../contract/programme/supplements/student-supplements.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { transcriptSources } from '../../../contract/outcomes/transcripts/transcripts.schema.ts'
import { supplementPaths, supplementTones } from '../../shared/supplements/supplement-status.tsx'
import { actionOn } from '../../core/action/action.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DictionaryFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { DictionaryChip, StatusChip } from '../../core/parts/status-chip.tsx'
import { useList, type RowOf } from '../../core/list/use-list.ts'
import { StudentCreditTrace } from '../../shared/lessons/credit-trace.tsx'
import { LessonStatus, shortPeriod } from '../../shared/lessons/lesson-status.tsx'
import { applyTimeColumn, applyTones, resultColumn, signColumn } from '../../shared/lessons/participant-columns.tsx'
import { recordPath } from '../../shared/transcripts/transcript-paths.ts'
import { LessonName } from './lesson-name.tsx'
import { studentPaths } from './people-paths.ts'

const lessonColumns: Column<StudentLesson>[] = [
  { title: '课程', dataIndex: 'liName', fixed: 'left', render: (_, row) => <LessonName lesson={row} /> },
  { title: '课程状态', dataIndex: 'liStatus', width: 130, render: (_, row) => <LessonStatus lesson={row} /> },
  {
    title: '活动时间',
    dataIndex: 'startTime',
    width: 164,
    sorter: true,
    render: (_, { startTime, endTime }) => <span className="figures">{shortPeriod(startTime, endTime)}</span>,
  },
  { title: '报名', dataIndex: 'laStatus', width: 92, dict: 'apply_status', tones: applyTones },
  signColumn,
  resultColumn,
  { title: '学时', dataIndex: 'laHours', width: 68, number: true },
  { title: '课程体系', dataIndex: 'lsName', width: 168, hiddenAtFirst: true },
  { title: '级别', dataIndex: 'liLevelName', width: 104, hiddenAtFirst: true },
  { title: '参与方式', dataIndex: 'partakeMode', width: 104, dict: 'partake_mode', hiddenAtFirst: true },
  { title: '学分', dataIndex: 'laCredit', width: 72, number: true, hiddenAtFirst: true },
  { title: '主办单位', dataIndex: 'liSponsorName', width: 140, hiddenAtFirst: true },
  applyTimeColumn,
  { title: '拒绝或移除原因', dataIndex: 'refuseReason', width: 200, hiddenAtFirst: true },
]

const action = actionOn<StudentLesson>()

/** The courses a student took part in; each tells where their credit of it went. */
export function StudentLessons({ suId }: { suId: string }) {
  const list = useList(personLessonApi.ofStudent, { fixed: { suId }, under: 'lessons' })
  const [traced, setTraced] = useState<StudentLesson>()
  const trace = action.open({
    label: '学时去哪了',
    call: personLessonApi.path,
    onOpen: ([row]) => row && setTraced(row),
  })
  return (
    <>
      <ListTable
        list={list}
        rowKey="laId"
        name="lessons"
        columns={lessonColumns}
        rowActions={[trace]}
        filters={
          <>
            <TextFilter name="liName" label="课程名称" />
            <DictionaryFilter name="laStatus" type="apply_status" label="报名状态" />
            <DictionaryFilter name="laResult" type="result_status" label="结果" />
          </>
        }
        empty={{ text: '还没有参与课程', hint: '学生报名或被加入课程后，会显示在这里。' }}
      />
      {traced && <StudentCreditTrace suId={suId} lesson={traced} onClose={() => setTraced(undefined)} />}
    </>
  )
}

const supplementColumns: Column<StudentSupplement>[] = [
  {
    title: '名称',
    dataIndex: 'lisName',
    fixed: 'left',
    to: ({ lisId, opens }) => opens && supplementPaths.detail(lisId),
  },
  {
    title: '状态',
    dataIndex: 'lisStatus',
    width: 108,
    render: (value: string, { refuseReason }) => (
      <span title={refuseReason || undefined}>
        <DictionaryChip type="sup_status" value={value} tones={supplementTones} />
      </span>
    ),
  },
  { title: '类型', dataIndex: 'lisType', width: 108, dict: 'sup_type' },
  { title: '级别', dataIndex: 'lisLevelName', width: 104 },
  { title: '奖项', dataIndex: 'lisAward', width: 92 },
  { title: '获得日期', dataIndex: 'lisObtainDate', width: 108 },
  { title: '学时', dataIndex: 'lisHours', width: 68, number: true },
  { title: '模块', dataIndex: 'lsName', width: 168, hiddenAtFirst: true },
  { title: '参与方式', dataIndex: 'lisPartakeMode', width: 104, dict: 'partake_mode', hiddenAtFirst: true },
  { title: '主办或发证单位', dataIndex: 'lisOrg', width: 150, hiddenAtFirst: true },
  { title: '学分', dataIndex: 'lisCredit', width: 72, number: true, hiddenAtFirst: true },
  { title: '驳回原因', dataIndex: 'refuseReason', width: 200, hiddenAtFirst: true },
  {
    title: '录入时间',
    dataIndex: 'createTime',
    width: 152,
    hiddenAtFirst: true,
    render: (value: string) => value.slice(0, 16),
  },
]

/** A student's experiences outside the system. */
export function StudentSupplements({ suId }: { suId: string }) {
  const list = useList(studentSupplementApi.list, { fixed: { suId }, under: 'supplements' })
  return (
    <ListTable
      list={list}
      rowKey="lisId"
      name="sups"
      columns={supplementColumns}
      filters={
        <>
          <TextFilter name="lisName" label="名称" />
          <DictionaryFilter name="lisType" type="sup_type" label="类型" />
          <DictionaryFilter name="lisStatus" type="sup_status" label="状态" />
        </>
      }
      empty={{ text: '还没有补录记录', hint: '竞赛、证书、任职等系统外经历经补录审批后计入成绩单。' }}
    />
  )
}

type LedgerRow = RowOf<typeof transcriptApi.rows>
const ledgerColumns: Column<LedgerRow>[] = [
  { title: '名称', dataIndex: 'name', fixed: 'left', to: recordPath },
  { title: '来源', dataIndex: 'source', width: 76, render: (value: LedgerRow['source']) => transcriptSources[value] },
  { title: '模块', dataIndex: 'moduleName', width: 116 },
  { title: '学时', dataIndex: 'hours', width: 72, number: true },
  { title: '学分', dataIndex: 'credit', width: 72, number: true },
  { title: '积分', dataIndex: 'points', width: 72, number: true, hiddenAtFirst: true },
  {
    title: '状态',
    dataIndex: 'status',
    width: 92,
    render: (value: LedgerRow['status']) => (
      <StatusChip
        tone={value === recordStatus.valid ? 'finished' : value === recordStatus.disputed ? 'waiting' : 'refused'}
      >
        {labelIn(recordStatus, value)}
      </StatusChip>
    ),
  },
  { title: '发生日期', dataIndex: 'startTime', width: 108, render: (value: string) => value.slice(0, 10) },
  { title: '入账时间', dataIndex: 'grantTime', width: 148, render: (value: string) => value.slice(0, 16) },
  { title: '级别', dataIndex: 'levelName', width: 104, hiddenAtFirst: true },
  { title: '奖项', dataIndex: 'awardName', width: 100, hiddenAtFirst: true },
]

/** A student's ledger: what was granted for what, and how each value came about. */
export function StudentLedger({ suId }: { suId: string }) {
  const list = useList(transcriptApi.rows, { fixed: { suId }, under: 'scores' })
  return (
    <>
      <p className="person-note">
        台账只增不改；更正以冲正记录抵减。展开一行可查看计算过程，汇总见
        <Link to={studentPaths.transcript(suId)}>成绩单</Link>。
      </p>
      <ListTable
        list={list}
        rowKey="recId"
        name="ledger"
        columns={ledgerColumns}
        expand={({ explain, moduleName, lsName }) => (
          <div className="ledger-explain">
            <ul>
              {(explain || '该记录没有计算说明。').split('；').map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
            <p>
              归入 {moduleName}
              {lsName !== moduleName && ` / ${lsName}`}
            </p>
          </div>
        )}
        empty={{ text: '还没有入账记录', hint: '课程公示期满或补录通过后，学时与学分自动记入台账。' }}
      />
    </>
  )
}
