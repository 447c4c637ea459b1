import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import type { CircleRow } from '../../../contract/programme/circles/circles.schema.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { DictionaryFilter, SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import { ImportButton } from '../../core/import/import-button.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useList } from '../../core/list/use-list.ts'
import { circleActions } from './circle-actions.tsx'
import { circlePaths, CircleStatus, useCircleClasses, useCircleColleges } from '../../shared/circles/circle-parts.tsx'

const { edit, enable, disable, remove } = circleActions

/** The columns of circles; the name leads to the page of the list it stands in. */
export const circleColumns = (href: (ciId: string) => string): Column<CircleRow>[] => [
  { title: '圈子名称', dataIndex: 'ciName', fixed: 'left', sorter: true, to: ({ ciId }) => href(ciId) },
  { title: '状态', dataIndex: 'ciStatus', width: 104, render: (_, row) => <CircleStatus circle={row} /> },
  { title: '分类', dataIndex: 'ccName', width: 104 },
  { title: '负责人', dataIndex: 'cpiPersonName', width: 80 },
  {
    title: '指导老师',
    dataIndex: 'teacherNames',
    width: 96,
    render: (names: string[]) => names.join('、') || <span className="nothing">—</span>,
  },
  { title: '成员', dataIndex: 'memberCount', width: 64, number: true },
  { title: '活动', dataIndex: 'activityCount', width: 64, number: true },
  { title: '挂靠学院', dataIndex: 'collegeName', width: 144 },
  {
    title: '创建时间',
    dataIndex: 'createTime',
    width: 152,
    sorter: true,
    hiddenAtFirst: true,
    render: (time: string) => <span className="figures">{time.slice(0, 16)}</span>,
  },
  { title: '编号', dataIndex: 'ciNo', width: 116, sorter: true, hiddenAtFirst: true },
  { title: '级别', dataIndex: 'ciLevel', width: 80, dict: 'circle_level', hiddenAtFirst: true },
  { title: '业务指导单位', dataIndex: 'guideUnitName', width: 144, hiddenAtFirst: true },
  { title: '星级', dataIndex: 'star', width: 80, dict: 'circle_star', hiddenAtFirst: true },
  { title: '成立日期', dataIndex: 'foundDate', width: 112, sorter: true, hiddenAtFirst: true },
  { title: '创建人', dataIndex: 'createName', width: 100, hiddenAtFirst: true },
]

/** The circles of the school, or of one's part of it. */
export function CircleListPage() {
  const list = useList(circleApi.list)
  const add = (primary: boolean) => (
    <ActionButton to={circleApi.add} href={circlePaths.add} primary={primary} icon={<PlusOutlined />}>
      新增圈子
    </ActionButton>
  )
  return (
    <ListPage
      title="圈子列表"
      list={list}
      rowKey="ciId"
      keepsViews
      columns={circleColumns(circlePaths.detail)}
      filters={
        <>
          <TextFilter name="ciName" label="圈子名称" placeholder="名称或编号" />
          <SelectFilter name="ciClass" label="分类" options={useCircleClasses()} />
          <DictionaryFilter name="ciStatus" type="circle_status" label="状态" />
          <DateRangeFilter names={['createStartDate', 'createEndDate']} label="创建日期" iso />
        </>
      }
      moreFilters={{
        names: ['ciCollegeId', 'ciAuthStatus', 'star'],
        filters: (
          <>
            <SelectFilter name="ciCollegeId" label="挂靠学院" options={useCircleColleges()} />
            <DictionaryFilter name="ciAuthStatus" type="circle_auth_status" label="审核状态" />
            <DictionaryFilter name="star" type="circle_star" label="星级" />
          </>
        ),
      }}
      tools={
        <>
          <ExportButton to={circleApi.exportList} list={list} />
          <ImportButton to={circleApi.addMembers} api={importApi} kind="circleMember" title="批量导入圈子成员">
            导入成员
          </ImportButton>
          {add(true)}
        </>
      }
      rowActions={[edit, enable, disable, remove]}
      batchActions={[enable, disable, remove]}
      empty={{ text: '暂无圈子', hint: '圈子（社团）由学生负责、教师指导，可以发起活动、招募成员。', next: add(false) }}
    />
  )
}
