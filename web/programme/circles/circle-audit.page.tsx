import { circleApplyApi } from '../../../contract/programme/circles/applications.calls.ts'
import { circleAuthStatus } from '../../../contract/core/codes/programme.ts'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { DictionaryFilter, TextFilter } from '../../core/list/filters.tsx'
import { useCountedViews } from '../../core/list/counted-views.ts'
import type { View } from '../../core/list/list-filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useList } from '../../core/list/use-list.ts'
import { applicationActions, applicationColumns, ApplicationFacts } from './application-parts.tsx'
import { circlePaths } from '../../shared/circles/circle-parts.tsx'

const { pass, refuse, withdraw } = applicationActions

const views: View[] = [
  { title: '全部', filters: {} },
  { title: '待审核', filters: { ciAuthStatus: circleAuthStatus.pending } },
  { title: '已通过', filters: { ciAuthStatus: circleAuthStatus.passed } },
  { title: '已驳回', filters: { ciAuthStatus: circleAuthStatus.refused } },
]

/** What circles have applied for: founding, joining, another person in charge, the yearly review, closing. */
export function CircleAuditPage() {
  const list = useList(circleApplyApi.list)
  return (
    <ListPage
      title="圈子审核"
      list={list}
      rowKey="caId"
      columns={[
        { title: '圈子名称', dataIndex: 'ciName', fixed: 'left', to: ({ ciId }) => circlePaths.detail(ciId) },
        ...applicationColumns,
      ]}
      views={useCountedViews(list, views)}
      filters={
        <>
          <TextFilter name="ciName" label="圈子名称" />
          <DictionaryFilter name="caType" type="circle_apply_type" label="申请类型" />
          <DictionaryFilter name="ciAuthStatus" type="circle_auth_status" label="审核状态" />
          <DateRangeFilter names={['createStartDate', 'createEndDate']} label="提交日期" iso />
        </>
      }
      tools={<ExportButton to={circleApplyApi.exportList} list={list} />}
      expand={(row) => <ApplicationFacts application={row} />}
      rowActions={[pass, refuse, withdraw]}
      batchActions={[pass, refuse]}
      empty={{ text: '暂无圈子申请', hint: '成立、加入、变更负责人、年审与注销的申请在这里审核。' }}
    />
  )
}
