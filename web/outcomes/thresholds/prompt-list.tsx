import { yesNo } from '../../../contract/core/codes/platform.ts'
import { thresholdApi, type PromptRow } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { warnTones } from '../../shared/people/warn-tones.ts'
import { ExportButton } from '../../core/action/export.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { ListTotal } from '../../core/list/list-total.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useList } from '../../core/list/use-list.ts'
import { CollegeFilter } from '../../shared/organisation/places.tsx'
import { PartHeader } from './threshold-parts.tsx'

const columns: Column<PromptRow>[] = [
  { title: '姓名', dataIndex: 'suiName', width: 96, fixed: 'left', sorter: true },
  { title: '学号', dataIndex: 'suiNumber', width: 120, sorter: true },
  { title: '当时等级', dataIndex: 'warnLevel', width: 112, sorter: true, dict: 'warn_level', tones: warnTones },
  { title: '提醒内容', dataIndex: 'content', render: (text: string) => <span title={text}>{text}</span> },
  { title: '班级', dataIndex: 'className', width: 148 },
  { title: '提醒时间', dataIndex: 'promptTime', width: 168, sorter: true },
  { title: '提醒人', dataIndex: 'createName', width: 96, sorter: true },
  {
    title: '阅读',
    dataIndex: 'isRead',
    width: 96,
    render: (isRead: boolean, { readTime }) => (
      <span title={readTime ?? ''}>
        <StatusChip tone={isRead ? 'finished' : 'waiting'}>{isRead ? '已读' : '未读'}</StatusChip>
      </span>
    ),
  },
]

/** What students were reminded of, and whether they have read it. */
export function PromptList() {
  const list = useList(thresholdApi.prompts)
  return (
    <>
      <PartHeader
        facts={<ListTotal list={list} />}
        tools={<ExportButton to={thresholdApi.exportPrompts} list={list} />}
      />
      <ListTable
        name="prompts"
        list={list}
        rowKey="tpId"
        filters={
          <>
            <TextFilter name="search" label="姓名或学号" />
            <CollegeFilter names={{ college: 'collegeId', class: 'classId' }} under="threshold:list" />
            <SelectFilter
              name="isRead"
              label="阅读"
              options={[
                { value: yesNo.yes, label: '已读' },
                { value: yesNo.no, label: '未读' },
              ]}
            />
          </>
        }
        columns={columns}
        empty={{ text: '暂无提醒记录', hint: '在“预警情况”的明细中选择学生后发送提醒。' }}
      />
    </>
  )
}
