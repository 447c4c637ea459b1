import { circleApi, type StudentCircle } from '../../../contract/programme/circles/circles.calls.ts'
import type { Column } from '../../core/list/columns.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { TextFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useList } from '../../core/list/use-list.ts'
import { circlePaths, circleTones } from './circle-parts.tsx'

const columns: Column<StudentCircle>[] = [
  { title: '圈子名称', dataIndex: 'ciName', fixed: 'left', to: ({ ciId, opens }) => opens && circlePaths.detail(ciId) },
  { title: '圈子状态', dataIndex: 'ciStatus', width: 108, dict: 'circle_status', tones: circleTones },
  {
    title: '职务',
    dataIndex: 'cmRole',
    width: 108,
    render: (value: string, { isLeader }) =>
      isLeader ? <StatusChip tone="published">负责人</StatusChip> : labelOf('circle_member_role', value),
  },
  { title: '分类', dataIndex: 'ccName', width: 120 },
  { title: '挂靠学院', dataIndex: 'collegeName', width: 160 },
  { title: '加入时间', dataIndex: 'joinTime', width: 148, render: (time: string) => time.slice(0, 16) },
  {
    title: '退出时间',
    dataIndex: 'quitTime',
    width: 148,
    render: (time: string | null) => time?.slice(0, 16) ?? <span className="nothing">在会</span>,
  },
]

/** The circles a student is or was a member of. */
export function StudentCircles({ suId }: { suId: string }) {
  const list = useList(circleApi.ofStudent, { fixed: { suId }, under: 'circles' })
  return (
    <ListTable
      name="circles"
      list={list}
      rowKey="cpiId"
      columns={columns}
      filters={<TextFilter name="ciName" label="圈子名称" />}
      empty={{ text: '还没有加入圈子', hint: '学生加入圈子后，会显示在这里。' }}
    />
  )
}
